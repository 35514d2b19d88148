using System.Diagnostics.CodeAnalysis;
using Ripple.Gms.Frontier;
using Ripple.Trust;

namespace Ripple.Gms.Definitions;

/// <summary>What a definition defines.</summary>
internal enum DefinitionKind
{
    /// <summary>A predicate with a name; its text is the predicate.</summary>
    Predicate,

    /// <summary>A level of the application's own; its text says what it means.</summary>
    Level,

    /// <summary>An area; its text is the zones in it, with commas between.</summary>
    Area,

    /// <summary>The space of the application's events; there is one.</summary>
    Space,

    /// <summary>What reports levels and is no process of Ripple's; its text says what it is.</summary>
    External,

    /// <summary>How far an external has come with a level; its text is the release, with its generation.</summary>
    Report,
}

/// <summary>The key of a definition in its companion application: <c>predicates/safe</c>, <c>space</c>.</summary>
/// <param name="Kind">What it defines.</param>
/// <param name="Name">Its name; empty for the space.</param>
internal readonly record struct DefinitionKey(DefinitionKind Kind, string Name)
{
    /// <summary>The longest name of a predicate, in characters.</summary>
    public const int NameCharsMax = 64;

    /// <summary>The longest name of a level, in characters.</summary>
    public const int LevelCharsMax = 32;

    /// <summary>The key of the space.</summary>
    public const string SpaceKey = "space";

    /// <summary>How the key of a level begins.</summary>
    public const string LevelPrefix = "levels/";

    /// <summary>How the key of an external begins.</summary>
    public const string ExternalPrefix = "externals/";

    /// <summary>How the key of a report begins; the external and the level follow, with a slash between.</summary>
    public const string ReportPrefix = "reports/";

    private const string PredicatePrefix = "predicates/";
    private const string AreaPrefix = "areas/";

    /// <summary>Whether a text is the name of a predicate. No predicate is: each begins with an operator and a parenthesis.</summary>
    public static bool IsName(string text) => IsName(text, NameCharsMax, ".-");

    /// <summary>Of a report: the external, and the level that it reports. Its name is no more than that.</summary>
    public (string External, string Level) Reported =>
        Name.IndexOf('/', StringComparison.Ordinal) is var slash and >= 0 ? (Name[..slash], Name[(slash + 1)..]) : (Name, string.Empty);

    /// <summary>Whether a key is that of a report, which takes fewer rights than a definition.</summary>
    public static bool IsReport(string key) => key.StartsWith(ReportPrefix, StringComparison.Ordinal);

    /// <summary>Reads a key; false with the error.</summary>
    public static bool TryRead(string key, out DefinitionKey read, [NotNullWhen(false)] out string? error)
    {
        if (key.StartsWith(PredicatePrefix, StringComparison.Ordinal))
        {
            read = new DefinitionKey(DefinitionKind.Predicate, key[PredicatePrefix.Length..]);
            error = IsName(read.Name)
                ? null
                : $"'{read.Name}' is no name of a predicate. Give 1 to {NameCharsMax} of a-z 0-9 . _ -, beginning with a letter.";
        }
        else if (key.StartsWith(LevelPrefix, StringComparison.Ordinal))
        {
            read = new DefinitionKey(DefinitionKind.Level, key[LevelPrefix.Length..]);
            // A level is a word of predicates.
            error = !IsName(read.Name, LevelCharsMax, string.Empty)
                ? $"'{read.Name}' is no name of a level. Give 1 to {LevelCharsMax} of a-z 0-9 _, beginning with a letter."
                : FrontierLevels.IsBuiltIn(read.Name) ? $"'{read.Name}' is a word of predicates already. Give the level another name."
                : null;
        }
        else if (key.StartsWith(AreaPrefix, StringComparison.Ordinal))
        {
            read = new DefinitionKey(DefinitionKind.Area, key[AreaPrefix.Length..]);
            error = TrustText.IsName(read.Name) ? null : $"'{read.Name}' is no name of an area. Give {TrustText.NameRule}.";
        }
        else if (key.StartsWith(ExternalPrefix, StringComparison.Ordinal))
        {
            read = new DefinitionKey(DefinitionKind.External, key[ExternalPrefix.Length..]);
            error = IsName(read.Name)
                ? null
                : $"'{read.Name}' is no name of an external. Give 1 to {NameCharsMax} of a-z 0-9 . _ -, beginning with a letter.";
        }
        else if (key.StartsWith(ReportPrefix, StringComparison.Ordinal))
        {
            read = new DefinitionKey(DefinitionKind.Report, key[ReportPrefix.Length..]);
            (string external, string level) = read.Reported;
            error = IsName(external) && IsName(level, LevelCharsMax, string.Empty)
                ? null
                : $"'{key}' is no report. Its key is {ReportPrefix}EXTERNAL/LEVEL.";
        }
        else if (key == SpaceKey)
        {
            read = new DefinitionKey(DefinitionKind.Space, string.Empty);
            error = null;
        }
        else
        {
            read = default;
            error = $"'{key}' is no definition. Their keys are {PredicatePrefix}NAME, {LevelPrefix}NAME, {AreaPrefix}NAME, "
                + $"{ExternalPrefix}NAME, {ReportPrefix}EXTERNAL/LEVEL and {SpaceKey}.";
        }

        return error is null;
    }

    /// <inheritdoc/>
    public override string ToString() => Kind switch
    {
        DefinitionKind.Level => LevelPrefix,
        DefinitionKind.Area => AreaPrefix,
        DefinitionKind.Space => SpaceKey,
        DefinitionKind.External => ExternalPrefix,
        DefinitionKind.Report => ReportPrefix,
        _ => PredicatePrefix,
    } + Name;

    private static bool IsName(string text, int charsMax, string more)
    {
        if (text.Length == 0 || text.Length > charsMax || !char.IsAsciiLetterLower(text[0]))
        {
            return false;
        }

        foreach (char c in text)
        {
            if (!(char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c == '_' || more.Contains(c, StringComparison.Ordinal)))
            {
                return false;
            }
        }

        return true;
    }
}
