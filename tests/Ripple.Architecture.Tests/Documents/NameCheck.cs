using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>Judges what looks like a type, a member, a constant, or a word of the code's own texts.</summary>
internal sealed partial class NameCheck(KnownNames names, KnownTexts texts, ForeignWords foreign)
{
    /// <summary>
    /// What is wrong with the names in a piece of C#, PowerShell or a span; <paramref name="declared"/> are those that the document makes
    /// up itself.
    /// </summary>
    public IEnumerable<string> Of(string code, IReadOnlySet<string> declared)
    {
        string text = Comment().Replace(Placeholder().Replace(Quoted().Replace(code, "\"\""), string.Empty), string.Empty);
        foreach (Match chain in Chain().Matches(text))
        {
            string name = chain.Value;
            if (!texts.IsLiteral(name) && Wrong(name, declared) is { } wrong && !foreign.Has(name) && !foreign.Has(wrong))
            {
                yield return name == wrong ? wrong : $"{wrong} of {name}";
            }
        }
    }

    /// <summary>The part of a chain that nobody knows; null when all is well.</summary>
    private string? Wrong(string chain, IReadOnlySet<string> declared)
    {
        string[] parts = chain.Split('.', StringSplitOptions.RemoveEmptyEntries);
        if (parts.All(p => !Capital().IsMatch(p)))
        {
            return IsPlainKnown(chain, parts) ? null : chain;
        }

        if (names.IsNamespace(chain))
        {
            return null;
        }

        bool isForeign = declared.Contains(parts[0]) || (Capital().IsMatch(parts[0]) && !names.IsKnown(parts[0]) && foreign.Has(parts[0]));
        for (int i = 0; i < parts.Length && !isForeign; i++)
        {
            string part = parts[i];
            bool isOfType = i > 0 && names.IsType(parts[i - 1]) && Capital().IsMatch(parts[i - 1]);
            bool isKnown = isOfType && !names.IsMember(parts[i - 1]) ? names.IsMember(parts[i - 1], part) : names.IsKnown(part);
            if (Capital().IsMatch(part) && !isKnown && !declared.Contains(part) && !texts.IsLiteral(part))
            {
                return part;
            }
        }

        return null;
    }

    /// <summary>
    /// Words without a capital at their beginning: <c>state_hash</c>, <c>ripple.gms.stream.skips</c>, <c>heartbeatNs</c>,
    /// <c>RIPPLE_CONNECTION</c>.
    /// </summary>
    private bool IsPlainKnown(string chain, string[] parts)
    {
        if (parts.Length == 1 && (!Compound().IsMatch(chain) || names.IsIdentifier(chain) || names.IsIdentifier(Pascal(chain))))
        {
            return true;
        }

        return texts.IsInLiteral(chain.Trim('.'));
    }

    /// <summary><c>state_hash</c> is how JSON writes <c>StateHash</c>.</summary>
    private static string Pascal(string snake) =>
        string.Concat(snake.Split('_', StringSplitOptions.RemoveEmptyEntries).Select(p => char.ToUpperInvariant(p[0]) + p[1..]));

    /// <summary>A word in capitals alone is a placeholder (<c>FILE</c>); these begin with one capital.</summary>
    [GeneratedRegex(@"^[A-Z]\w*[a-z]")]
    private static partial Regex Capital();

    /// <summary>Has a joint: an underscore or a capital within.</summary>
    [GeneratedRegex("[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]")]
    private static partial Regex Compound();

    [GeneratedRegex(@"(?<![\w$%~/\\])\.?[A-Za-z_]\w*(?:[.-][A-Za-z_]\w*)*")]
    private static partial Regex Chain();

    [GeneratedRegex("\\$?\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'")]
    private static partial Regex Quoted();

    /// <summary>What stands in angle brackets and is no type: <c>&lt;token id&gt;</c>.</summary>
    [GeneratedRegex(@"<[a-z0-9][^<>]*>|https?://\S+|ripple://\S+")]
    private static partial Regex Placeholder();

    [GeneratedRegex(@"(^|\s)(//|#).*$")]
    private static partial Regex Comment();
}
