using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>An enumeration as a word, and never as a number: a number that is none of the words must not get through.</summary>
/// <typeparam name="T">The enumeration.</typeparam>
public sealed class WordConverter<T>() : JsonStringEnumConverter<T>(namingPolicy: null, allowIntegerValues: false)
    where T : struct, Enum;
