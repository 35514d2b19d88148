using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>One feed of a region as its sink sees it. Remembers the intent to send while there is no key or no destination.</summary>
internal abstract class OutputFeed(IDatagramSink sink, PacketClass packetClass, object source) : IDatagramFeed
{
    private bool _isClosed;

    public object Source { get; } = source;

    protected PacketClass PacketClass { get; } = packetClass;

    /// <summary>
    /// Set when the feed was asked but could not send for want of a key or a destination; the region's output resumes it.
    /// </summary>
    protected bool IsWaiting { get; set; }

    public void Register()
    {
        if (!_isClosed)
        {
            sink.Register(this, PacketClass);
        }
    }

    public void Resume()
    {
        if (IsWaiting)
        {
            IsWaiting = false;
            Register();
        }
    }

    public virtual void Close()
    {
        _isClosed = true;
        sink.Unregister(this);
    }

    public abstract bool TryPull(ref DatagramSlot slot);
}

/// <summary>Pulls frames for one destination and seals them in the sink's own buffer.</summary>
internal sealed class UnicastFeed(RegionOutput output, IDatagramSink sink, PacketClass packetClass, IUnicastFrameFeed feed)
    : OutputFeed(sink, packetClass, feed)
{
    public override bool TryPull(ref DatagramSlot slot)
    {
        if (output.Sealer is null)
        {
            IsWaiting = true;
            return false;
        }

        int framesBytes = feed.PullFrames(slot.Scratch.Slice(IPacketSealer.FramesOffset, output.FramesBytesMax), out NodeAddress to);
        if (framesBytes == 0)
        {
            return false;
        }

        int length = output.Seal(slot.Scratch, framesBytes, PacketClass);
        if (length == 0)
        {
            IsWaiting = true;
            return false;
        }

        slot.Bytes = slot.Scratch[..length];
        slot.To = to;
        output.Counters.Datagrams++;
        output.Counters.Bytes += length;
        return true;
    }
}

/// <summary>Makes the frames of one packet on demand: above sealing and destinations, below messages.</summary>
internal interface IFrameFeed
{
    /// <summary>
    /// Called on the core thread when a packet can be sent. Writes the packet's frames at the start of the buffer and returns their length
    /// in bytes; 0 when there is nothing to send now: the feed is not called again until it registers again.
    /// </summary>
    int PullFrames(Span<byte> frames);

    /// <summary>
    /// Whether what comes behind the packet that was made last may wait a little for more: not while the stream has something else to
    /// send.
    /// </summary>
    bool MayGather => true;
}

/// <summary>Makes the frames of one packet for one destination on demand, such as repairs.</summary>
internal interface IUnicastFrameFeed
{
    /// <summary>
    /// Called on the core thread when a packet can be sent. Writes the packet's frames at the start of the buffer and returns their length
    /// in bytes; 0 when there is nothing to send now: the feed is not called again until it registers again.
    /// </summary>
    int PullFrames(Span<byte> frames, out NodeAddress to);
}
