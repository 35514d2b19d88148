using System.Management.Automation;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Names and wildcards as given by a parameter. Names match case-sensitively, wildcards case-insensitively.</summary>
/// <param name="texts">Null or empty for all.</param>
internal sealed class NamePattern(IReadOnlyList<string>? texts)
{
    private readonly string[] _literals = [.. (texts ?? []).Where(t => !IsWildcard(t)).Distinct(StringComparer.Ordinal)];
    private readonly WildcardPattern[] _wildcards =
        [.. (texts is null or [] ? ["*"] : texts).Where(IsWildcard).Select(t => new WildcardPattern(t, WildcardOptions.IgnoreCase))];

    /// <summary>The names that must exist.</summary>
    public IReadOnlyList<string> Literals => _literals;

    /// <summary>Whether matching requires a list.</summary>
    public bool HasWildcards => _wildcards.Length > 0;

    public bool IsMatch(string name) => _literals.Contains(name, StringComparer.Ordinal) || _wildcards.Any(w => w.IsMatch(name));

    private static bool IsWildcard(string text) => WildcardPattern.ContainsWildcardCharacters(text);
}
