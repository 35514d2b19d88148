using System.Management.Automation;
using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Pipeline;

/// <summary>
/// Names and wildcards as given by a parameter. Names match case-sensitively, wildcards case-insensitively in any culture; a backtick takes
/// a wildcard's meaning away. A name that is exactly what was given always matches.
/// </summary>
internal sealed class NamePattern
{
    private readonly HashSet<string> _given;
    private readonly string[] _literals;
    private readonly List<WildcardPattern> _wildcards = [];

    /// <summary>Reads names and wildcards.</summary>
    /// <param name="texts">Null or empty for all.</param>
    /// <exception cref="CmdletException">A wildcard is malformed.</exception>
    public NamePattern(IReadOnlyList<string>? texts)
    {
        _given = new HashSet<string>(texts ?? [], StringComparer.Ordinal);
        _literals =
        [
            .. (texts ?? []).Where(t => !WildcardPattern.ContainsWildcardCharacters(t)).Select(WildcardPattern.Unescape).Distinct(
                StringComparer.Ordinal),
        ];
        foreach (string text in texts is null or [] ? ["*"] : texts.Where(WildcardPattern.ContainsWildcardCharacters))
        {
            _wildcards.Add(Read(text));
        }
    }

    /// <summary>The names that must exist.</summary>
    public IReadOnlyList<string> Literals => _literals;

    /// <summary>Whether matching requires a list.</summary>
    public bool HasWildcards => _wildcards.Count > 0;

    public bool IsMatch(string name) => _literals.Contains(name, StringComparer.Ordinal)
        || _given.Contains(name)
        || _wildcards.Any(w => w.IsMatch(name));

    private static WildcardPattern Read(string text)
    {
        try
        {
            var pattern = new WildcardPattern(text, WildcardOptions.IgnoreCase | WildcardOptions.CultureInvariant);
            // It is read no sooner than it is asked.
            _ = pattern.IsMatch(string.Empty);
            return pattern;
        }
        catch (WildcardPatternException e)
        {
            throw new CmdletException(
                ProblemCodes.InvalidRequest, $"'{text}' is no pattern. Close its bracket, or write a backtick before it: '`['.", e);
        }
    }
}
