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

    private const string PredicatePrefix = "predicates/";
    private const string LevelPrefix = "levels/";
    private const string AreaPrefix = "areas/";

    /// <summary>Whether a text is the name of a predicate. No predicate is: each begins with an operator and a parenthesis.</summary>
    public static bool IsName(string text) => IsName(text, NameCharsMax, ".-");

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
        else if (key == SpaceKey)
        {
            read = new DefinitionKey(DefinitionKind.Space, string.Empty);
            error = null;
        }
        else
        {
            read = default;
            error = $"'{key}' is no definition. Their keys are {PredicatePrefix}NAME, {LevelPrefix}NAME, {AreaPrefix}NAME and {SpaceKey}.";
        }

        return error is null;
    }

    /// <inheritdoc/>
    public override string ToString() => Kind switch
    {
        DefinitionKind.Level => LevelPrefix,
        DefinitionKind.Area => AreaPrefix,
        DefinitionKind.Space => SpaceKey,
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
