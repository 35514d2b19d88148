namespace Ripple.Admin.Contracts;

/// <summary>A key and the value to give it. Exactly one of <see cref="Text"/> and <see cref="Bytes"/> is given.</summary>
public sealed record KeyValue
{
    /// <summary>The key.</summary>
    public required string Key { get; init; }

    /// <summary>The value as text, stored as UTF-8 exactly as it stands; null when <see cref="Bytes"/> is given.</summary>
    public string? Text { get; init; }

    /// <summary>The value as bytes, base64 in JSON; null when <see cref="Text"/> is given.</summary>
    public byte[]? Bytes { get; init; }
}
