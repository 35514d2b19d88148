using Ripple.Engine.Links;

namespace Ripple.Transports.Links;

/// <summary>The bounds of one control link.</summary>
internal sealed record LinkOptions
{
    /// <summary>The most bytes of frames that wait to be sent on one link. Default 256 KiB; at least one frame of maximum size.</summary>
    public int SendBufferBytesMax { get; init; } = 262_144;

    /// <summary>How long a closing link may take to send what is queued. Default 2 s.</summary>
    public TimeSpan CloseTimeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Counts the bytes of the links of one side, which share it. Null, the default: not counted.</summary>
    public LinkTraffic? Traffic { get; init; }

    /// <summary>
    /// Bounds the outgoing buffers of all links that share it. A link that finds no room accepts no more, as if its own buffer were full.
    /// Null, the default: only the link's own bound applies.
    /// </summary>
    public LinkBudget? SendBudget { get; init; }

    /// <summary>
    /// Bounds the buffers for incoming frames that are longer than a first buffer: reading waits for room. Null, the default: only the
    /// link's own bound applies.
    /// </summary>
    public LinkBudget? ReceiveBudget { get; init; }

    /// <summary>
    /// The part of <see cref="ReceiveBudget"/> of those who share it, as links of one token do: a frame takes from both. Null, the default:
    /// no such part.
    /// </summary>
    public LinkBudget? ReceiveShare { get; init; }

    /// <summary>
    /// How long a frame that is longer than a first buffer may take to come, once there is room for it; then the link ends. Default 30 s.
    /// </summary>
    public TimeSpan FrameTimeout { get; init; } = TimeSpan.FromSeconds(30);

    internal void Check() =>
        ArgumentOutOfRangeException.ThrowIfLessThan(
            SendBufferBytesMax, LinkFrame.HeaderBytes + LinkFrame.BodyBytesMax, nameof(SendBufferBytesMax));
}
