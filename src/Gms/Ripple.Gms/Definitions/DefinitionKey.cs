using System.Diagnostics.CodeAnalysis;

namespace Ripple.Gms.Definitions;

/// <summary>What a definition defines.</summary>
internal enum DefinitionKind
{
    /// <summary>A predicate with a name.</summary>
    Predicate,
}

/// <summary>The key of a definition in its companion application: <c>predicates/safe</c>.</summary>
/// <param name="Kind">What it defines.</param>
/// <param name="Name">Its name.</param>
internal readonly record struct DefinitionKey(DefinitionKind Kind, string Name)
{
    /// <summary>The longest name, in characters.</summary>
    public const int NameCharsMax = 64;

    /// <summary>The rule for names, in words.</summary>
    public static readonly string NameRule = $"1 to {NameCharsMax} of a-z 0-9 . _ -, beginning with a letter";

    private const string PredicatePrefix = "predicates/";

    /// <summary>Whether a text is a name. No predicate is: each begins with an operator and a parenthesis.</summary>
    public static bool IsName(string text)
    {
        if (text.Length is 0 or > NameCharsMax || !char.IsAsciiLetterLower(text[0]))
        {
            return false;
        }

        foreach (char c in text)
        {
            if (!(char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '.' or '_' or '-'))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Reads a key; false with the error.</summary>
    public static bool TryRead(string key, out DefinitionKey read, [NotNullWhen(false)] out string? error)
    {
        read = default;
        if (!key.StartsWith(PredicatePrefix, StringComparison.Ordinal))
        {
            error = $"'{key}' is no definition. Their keys are {PredicatePrefix}NAME.";
            return false;
        }

        string name = key[PredicatePrefix.Length..];
        error = IsName(name) ? null : $"'{name}' is no name of a predicate. Give {NameRule}.";
        read = new DefinitionKey(DefinitionKind.Predicate, name);
        return error is null;
    }

    /// <inheritdoc/>
    public override string ToString() => PredicatePrefix + Name;
}
