namespace Ripple.Admin.Contracts;

/// <summary>A key and its new value. Exactly one of <see cref="Text"/> and <see cref="Bytes"/> must be given.</summary>
public sealed record KeyValue
{
    /// <summary>The key.</summary>
    public required string Key { get; init; }

    /// <summary>The value as text, stored as UTF-8 without changes; null if <see cref="Bytes"/> is given.</summary>
    public string? Text { get; init; }

    /// <summary>The value as bytes, base64 in JSON; null if <see cref="Text"/> is given.</summary>
    public byte[]? Bytes { get; init; }
}
