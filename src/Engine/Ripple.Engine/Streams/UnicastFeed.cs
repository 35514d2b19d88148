using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

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
