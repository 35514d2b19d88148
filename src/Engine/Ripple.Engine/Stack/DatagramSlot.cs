using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>Where a feed puts the datagram it is asked for.</summary>
public ref struct DatagramSlot
{
    /// <summary>Makes a slot over the sink's own buffer.</summary>
    public DatagramSlot(Span<byte> scratch)
    {
        Scratch = scratch;
        Bytes = default;
        To = default;
    }

    /// <summary>The sink's buffer, for a feed that makes its datagram now.</summary>
    public Span<byte> Scratch { get; }

    /// <summary>The datagram: a part of <see cref="Scratch"/>, or bytes of the feed's own that stay until the next call into it.</summary>
    public ReadOnlySpan<byte> Bytes { get; set; }

    /// <summary>Where it goes.</summary>
    public NodeAddress To { get; set; }
}
