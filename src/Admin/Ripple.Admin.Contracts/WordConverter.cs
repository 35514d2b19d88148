using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>Converts an enumeration to and from words, never numbers: a number outside the enumeration must not be accepted.</summary>
/// <typeparam name="T">The enumeration.</typeparam>
public sealed class WordConverter<T>() : JsonStringEnumConverter<T>(namingPolicy: null, allowIntegerValues: false)
    where T : struct, Enum;
