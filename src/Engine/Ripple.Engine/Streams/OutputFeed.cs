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

/// <summary>
/// Pulls the frames that are ready, seals each packet once, and gives the sink the same train once per destination: the region's group, or
/// single members. Does not wait for a train to fill.
/// </summary>
internal sealed class FanOutFeed(RegionOutput output, IDatagramSink sink, PacketClass packetClass, IFrameFeed feed)
    : OutputFeed(sink, packetClass, feed)
{
    private readonly byte[] _train = new byte[(packetClass == PacketClass.Data ? WireLimits.TrainPacketsMax : 1) * output.DatagramBytes];
    private NodeAddress[] _targets = [];
    private int _trainBytes;
    private int _packetBytes;
    private int _packets;
    private int _next;

    /// <summary>True while the current train has not been given to the sink for all destinations.</summary>
    public bool IsInFlight => _next < _targets.Length;

    public override bool TryPull(ref DatagramSlot slot)
    {
        if (_next == _targets.Length && !TryMake())
        {
            return false;
        }

        slot.Bytes = _train.AsSpan(0, _trainBytes);
        slot.PacketBytes = _packetBytes;
        slot.To = _targets[_next++];
        output.Counters.Datagrams += _packets;
        output.Counters.Bytes += _trainBytes;
        return true;
    }

    public override void Close()
    {
        base.Close();
        _targets = [];
        _next = 0;
    }

    private bool TryMake()
    {
        NodeAddress[] targets = PacketClass == PacketClass.Data ? output.DataTargets : output.ControlTargets;
        if (output.Sealer is null || (targets.Length == 0 && !output.HasMembers))
        {
            IsWaiting = true;
            return false;
        }

        if (targets.Length == 0)
        {
            // Nobody is reached yet. The packets are kept for those who will ask for them: a sender that waited would hold up publishers.
            while (feed.PullFrames(_train.AsSpan(0, output.FramesBytesMax)) > 0)
            {
            }

            return false;
        }

        _trainBytes = 0;
        _packets = 0;
        int bytes;
        do
        {
            bytes = MakePacket(_train.AsSpan(_trainBytes, output.DatagramBytes));
            _packetBytes = _packets == 0 ? bytes : _packetBytes;
            _trainBytes += bytes;
            _packets += bytes > 0 ? 1 : 0;
        }
        while (bytes == output.DatagramBytes && _trainBytes + output.DatagramBytes <= _train.Length);
        _targets = targets;
        _next = _packets == 0 ? targets.Length : 0;
        return _packets > 0;
    }

    /// <summary>Makes the next packet; 0 when there is nothing to send, or the key is used up.</summary>
    private int MakePacket(Span<byte> packet)
    {
        int framesBytes = feed.PullFrames(packet.Slice(IPacketSealer.FramesOffset, output.FramesBytesMax));
        if (framesBytes == 0)
        {
            return 0;
        }

        int bytes = output.Seal(packet, framesBytes, PacketClass);

        // Not sealed: the pulled frames are lost like a packet on the wire, and repaired like one under the next key.
        IsWaiting |= bytes == 0;
        return bytes;
    }
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
