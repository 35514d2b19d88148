using System.Text;
using Ripple.Engine.Protocol;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Definitions;

/// <summary>The rules for what is published to a companion. Pure; bounded, so that the core may ask.</summary>
internal static class DefinitionRules
{
    /// <summary>The most definitions that one publish changes.</summary>
    public const int ChangesMax = 64;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The refusal of definitions that are not valid; null if they are.</summary>
    public static Refusal? Check(PublishInput input)
    {
        if (input.Keys.Count > ChangesMax)
        {
            return new Refusal(
                ErrorCode.TooLarge, $"{input.Keys.Count} definitions are changed at once; at most {ChangesMax} can be. Publish in parts.");
        }

        foreach (PublishInputKey key in input.Keys)
        {
            if (!DefinitionKey.TryRead(key.Key, out DefinitionKey definition, out string? error))
            {
                return new Refusal(ErrorCode.InvalidRequest, error);
            }

            if (key.Value is { } value && Refuse(definition, value.Span) is { } refusal)
            {
                return refusal;
            }
        }

        return null;
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

    private static Refusal? Refuse(DefinitionKey definition, ReadOnlySpan<byte> value)
    {
        // A character has at most three bytes: what is longer is too long, and not read.
        if (value.Length > 3 * PredicateLimits.TextCharsMax || ReadText(value) is not { } text)
        {
            return new Refusal(
                ErrorCode.InvalidPredicate,
                $"The predicate '{definition.Name}' is not UTF-8 of at most {PredicateLimits.TextCharsMax} characters.");
        }

        return PredicateParser.TryParse(text, out _, out PredicateError? error)
            ? null
            : new Refusal(ErrorCode.InvalidPredicate, $"The predicate '{definition.Name}' is not one. {error}");
    }
}
