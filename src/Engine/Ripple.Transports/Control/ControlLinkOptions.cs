using Ripple.Engine.Core;

namespace Ripple.Transports.Control;

/// <summary>The bounds of one control link.</summary>
public sealed record ControlLinkOptions
{
    /// <summary>The most bytes of frames that wait to be sent on one link. Default 256 KiB; at least one longest frame.</summary>
    public int SendBufferBytesMax { get; init; } = 262_144;

    /// <summary>How long a closing link may take to send what is queued. Default 2 s.</summary>
    public TimeSpan CloseTimeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Where bytes are counted; shared by the links of one side. Null, the default: nowhere.</summary>
    public LinkTraffic? Traffic { get; init; }

    internal void Check() =>
        ArgumentOutOfRangeException.ThrowIfLessThan(SendBufferBytesMax, ControlFrame.HeaderBytes + ControlFrame.BodyBytesMax, nameof(SendBufferBytesMax));
}
