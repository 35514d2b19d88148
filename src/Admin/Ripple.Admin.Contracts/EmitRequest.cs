namespace Ripple.Admin.Contracts;

/// <summary>An event to be emitted.</summary>
public sealed record EmitRequest
{
    /// <summary>A value for each dimension of the space, as text: a number, or for a time also a date.</summary>
    public required IReadOnlyDictionary<string, string> Point { get; init; }

    /// <summary>What it carries, as text; give this or <see cref="Bytes"/>. Null for nothing.</summary>
    public string? Text { get; init; }

    /// <summary>What it carries, as bytes; at most 64 KiB.</summary>
    public byte[]? Bytes { get; init; }

    /// <summary>How far it is to be when this is answered. Default: delivered.</summary>
    public EmitStage Until { get; init; } = EmitStage.Delivered;

    /// <summary>
    /// The sender's random number since its start; with <see cref="Number"/> it names the event among those of the token.
    /// </summary>
    public required long Epoch { get; init; }

    /// <summary>The event's number there, from 1. Sent again with the same, it is the same event.</summary>
    public required long Number { get; init; }
}
