using System.Globalization;
using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Gms.Publishing;
using Ripple.Trust;

namespace Ripple.Gms.Definitions;

/// <summary>The rules for what is published to a companion. Pure; any thread.</summary>
internal static class DefinitionRules
{
    /// <summary>The most definitions that one publish changes.</summary>
    public const int ChangesMax = 64;

    /// <summary>The most zones of an area.</summary>
    public const int ZonesMax = 256;

    /// <summary>The longest description of a level or an external, in characters.</summary>
    public const int DescriptionCharsMax = 256;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The refusal of definitions that are not valid beside those in effect; null if they are.</summary>
    /// <param name="input">What is published.</param>
    /// <param name="inEffect">The definitions in effect.</param>
    /// <param name="newest">The newest release of the application that they are of, with its generation.</param>
    public static Refusal? Check(PublishInput input, ApplicationDefinitions inEffect, ReleaseNumber newest)
    {
        if (input.Keys.Count > ChangesMax)
        {
            return new Refusal(
                ErrorCode.TooLarge, $"{input.Keys.Count} definitions are changed at once; at most {ChangesMax} can be. Publish in parts.");
        }

        var read = new List<(DefinitionKey Definition, PublishInputKey Key)>();
        foreach (PublishInputKey key in input.Keys)
        {
            if (!DefinitionKey.TryRead(key.Key, out DefinitionKey definition, out string? error))
            {
                return new Refusal(ErrorCode.InvalidRequest, error);
            }

            read.Add((definition, key));
        }

        string[] levels = [.. inEffect.Levels.Keys, .. Set(DefinitionKind.Level)];
        var reports = new ReportRules(inEffect, newest, levels, [.. inEffect.Externals.Keys, .. Set(DefinitionKind.External)]);
        return read
            .Select(r => r.Key.Value is not { } value ? null
                : r.Definition.Kind == DefinitionKind.Report ? reports.Refuse(r.Definition, value.Span)
                : Refuse(r.Definition, value.Span, levels))
            .FirstOrDefault(r => r is not null);

        IEnumerable<string> Set(DefinitionKind kind) =>
            read.Where(r => r.Definition.Kind == kind && r.Key.Value is not null).Select(r => r.Definition.Name);
    }

    /// <summary>
    /// The refusal of changes to a companion's state by the rules that only the order decides; null if they are fine. Levels are never
    /// taken away, by a rollback neither: predicates name them, and nodes have reported them.
    /// </summary>
    /// <param name="state">The state they are ordered on.</param>
    /// <param name="changes">The changes.</param>
    public static Refusal? CheckOrdered(ReleaseState state, IEnumerable<KeyChange> changes)
    {
        var set = new SortedSet<string>(StringComparer.Ordinal);
        var removed = new SortedSet<string>(StringComparer.Ordinal);
        int levels = 0;
        int externals = 0;
        foreach (KeyChange change in changes)
        {
            if (!DefinitionKey.TryRead(change.Key, out DefinitionKey definition, out _))
            {
                continue;
            }

            if (change.Operation == KeyOperation.Remove)
            {
                removed.Add(change.Key);
                if (definition.Kind == DefinitionKind.Level)
                {
                    return new Refusal(
                        ErrorCode.InvalidRequest,
                        $"The level '{definition.Name}' cannot be taken away: predicates may name it, and nodes may have reported it.");
                }
            }
            else if (set.Add(change.Key) && !state.Keys.ContainsKey(change.Key))
            {
                levels += definition.Kind == DefinitionKind.Level ? 1 : 0;
                externals += definition.Kind == DefinitionKind.External ? 1 : 0;
            }
        }

        return ReportRules.CheckOrdered(state, set, removed)
            ?? TooMany(state, levels, DefinitionKey.LevelPrefix, "levels", FrontierLevels.OwnMax)
            ?? TooMany(state, externals, DefinitionKey.ExternalPrefix, "externals", FrontierExternals.CountMax);
    }

    /// <summary>The refusal of more definitions of a kind than an application may have; null if they are not more.</summary>
    private static Refusal? TooMany(ReleaseState state, int added, string prefix, string what, int max)
    {
        int after = added == 0 ? 0 : added + state.Keys.Keys.Count(k => k.StartsWith(prefix, StringComparison.Ordinal));
        return after <= max
            ? null
            : new Refusal(ErrorCode.TooLarge, string.Create(
                CultureInfo.InvariantCulture, $"There would be {after} {what}, and an application has at most {max} of its own."));
    }

    /// <summary>The text of a definition; null if it is not one.</summary>
    public static string? ReadText(ReadOnlySpan<byte> value)
    {
        try
        {
            return Strict.GetString(value);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    /// <summary>The zones of an area's text.</summary>
    public static string[] ReadZones(string text) => text.Split(',', StringSplitOptions.TrimEntries);

    private static Refusal? Refuse(DefinitionKey definition, ReadOnlySpan<byte> value, string[] levels)
    {
        int charsMax = definition.Kind switch
        {
            DefinitionKind.Level or DefinitionKind.External => DescriptionCharsMax,
            DefinitionKind.Space => SpaceText.TextCharsMax,
            _ => PredicateLimits.TextCharsMax,
        };
        // A character has at most three bytes: what is longer is too long, and not read.
        if (value.Length > 3 * charsMax || ReadText(value) is not { } text || text.Length > charsMax)
        {
            return new Refusal(ErrorCode.InvalidRequest, $"The text of '{definition}' is not UTF-8 of at most {charsMax} characters.");
        }

        return definition.Kind switch
        {
            DefinitionKind.Predicate => RefusePredicate(definition, text, levels),
            DefinitionKind.Area => RefuseArea(definition, text),
            DefinitionKind.Space => RefuseSpace(text),
            _ => null,
        };
    }

    private static Refusal? RefuseSpace(string text) => SpaceText.TryRead(text, out _, out string? error)
        ? null
        : new Refusal(ErrorCode.InvalidRequest, $"The space is not one. {error}");

    private static Refusal? RefuseArea(DefinitionKey definition, string text)
    {
        string[] zones = ReadZones(text);
        string? wrong = zones.FirstOrDefault(z => !TrustText.IsName(z));
        string? error = wrong is not null ? $"has '{wrong}', which is no zone. Give zones with commas between, each {TrustText.NameRule}."
            : zones.Length > ZonesMax ? string.Create(CultureInfo.InvariantCulture, $"has {zones.Length} zones; at most {ZonesMax} may be.")
            : zones.Distinct(StringComparer.Ordinal).Count() != zones.Length ? "has a zone twice. Give each once."
            : null;
        return error is null ? null : new Refusal(ErrorCode.InvalidRequest, $"The area '{definition.Name}' {error}");
    }

    private static Refusal? RefusePredicate(DefinitionKey definition, string text, string[] levels)
    {
        if (!PredicateParser.TryParse(text, out Predicate? predicate, out PredicateError? error))
        {
            return new Refusal(ErrorCode.InvalidPredicate, $"The predicate '{definition.Name}' is not one. {error}");
        }

        return predicate.Levels.FirstOrDefault(l => !FrontierLevels.IsBuiltIn(l) && !levels.Contains(l)) is { } unknown
            ? new Refusal(
                ErrorCode.InvalidPredicate,
                $"The predicate '{definition.Name}' names the level '{unknown}', which nobody declared. "
                    + NearNames.Say(unknown, FrontierLevels.Names.Concat(levels)))
            : null;
    }
}
