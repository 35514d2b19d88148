using Ripple.Engine.Links;

namespace Ripple.Transports.Links;

/// <summary>The bounds of one control link.</summary>
internal sealed record LinkOptions
{
    /// <summary>The most bytes of frames that wait to be sent on one link. Default 256 KiB; at least one longest frame.</summary>
    public int SendBufferBytesMax { get; init; } = 262_144;

    /// <summary>How long a closing link may take to send what is queued. Default 2 s.</summary>
    public TimeSpan CloseTimeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Where bytes are counted; shared by the links of one side. Null, the default: nowhere.</summary>
    public LinkTraffic? Traffic { get; init; }

    /// <summary>
    /// What the outgoing buffers of all links that share it hold together. A link that finds no room takes no more, as if its own buffer
    /// were full. Null, the default: each link has its own bound alone.
    /// </summary>
    public LinkBudget? SendBudget { get; init; }

    /// <summary>
    /// The same of frames that come in and are longer than a first buffer: reading waits for room. Null, the default: each link has its own
    /// bound alone.
    /// </summary>
    public LinkBudget? ReceiveBudget { get; init; }

    internal void Check() =>
        ArgumentOutOfRangeException.ThrowIfLessThan(
            SendBufferBytesMax, LinkFrame.HeaderBytes + LinkFrame.BodyBytesMax, nameof(SendBufferBytesMax));
}
