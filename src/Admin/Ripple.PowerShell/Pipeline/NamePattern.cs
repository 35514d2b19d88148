using System.Management.Automation;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Names and wildcards as a parameter gives them. A name is itself, with case; a wildcard is compared without.</summary>
/// <param name="texts">Null or empty: everything.</param>
internal sealed class NamePattern(IReadOnlyList<string>? texts)
{
    private readonly string[] _literals = [.. (texts ?? []).Where(t => !IsWildcard(t)).Distinct(StringComparer.Ordinal)];
    private readonly WildcardPattern[] _wildcards =
        [.. (texts is null or [] ? ["*"] : texts).Where(IsWildcard).Select(t => new WildcardPattern(t, WildcardOptions.IgnoreCase))];

    /// <summary>Names that must be there.</summary>
    public IReadOnlyList<string> Literals => _literals;

    /// <summary>True when a list must be looked through.</summary>
    public bool HasWildcards => _wildcards.Length > 0;

    public bool IsMatch(string name) => _literals.Contains(name, StringComparer.Ordinal) || _wildcards.Any(w => w.IsMatch(name));

    private static bool IsWildcard(string text) => WildcardPattern.ContainsWildcardCharacters(text);
}
