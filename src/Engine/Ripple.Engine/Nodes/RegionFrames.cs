using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Passes the frames of opened packets to the member's stream receiver and ring, each only if its sealer may send it. Core thread.
/// </summary>
/// <param name="receiver">The receiver of the host's stream.</param>
/// <param name="ring">The member's part in the ring.</param>
/// <param name="onPathProbe">Takes the nonce of a probe.</param>
/// <param name="repairer">Keeps packets and repairs others; null where nobody does.</param>
internal sealed class RegionFrames(
    StreamReceiver receiver, RingMember ring, Action<ulong, ulong> onPathProbe, PeerRepairer? repairer = null)
{
    private const uint HostSlot = 0;

    /// <summary>
    /// Processes one packet. False when it is malformed or contains a frame that its sealer may not send; the other frames are processed,
    /// up to a malformed one.
    /// </summary>
    /// <param name="sealer">The slot that sealed it.</param>
    /// <param name="packetClass">The class it was sealed under.</param>
    /// <param name="frames">The frames.</param>
    public bool TryTake(uint sealer, PacketClass packetClass, ReadOnlySpan<byte> frames)
    {
        if (StreamPosition.IsAt(frames))
        {
            return sealer == HostSlot ? packetClass is PacketClass.Repair or PacketClass.Data && TryTakeOfHost(frames)
                : packetClass == PacketClass.Repair
                    && receiver.OnPeerFrames(frames) is not (ReceiveStatus.Malformed or ReceiveStatus.Unasked);
        }

        var reader = new FrameReader(frames);
        if (!reader.TryNext())
        {
            return false;
        }

        bool areGood = true;
        do
        {
            areGood &= TryTake(sealer, reader.Type, reader.Payload);
        }
        while (reader.TryNext());
        return areGood && reader.Status == DecodeStatus.Ok;
    }

    private bool TryTake(uint sealer, FrameType type, ReadOnlySpan<byte> payload)
    {
        switch (type)
        {
            case FrameType.Beacon when sealer == HostSlot:
                receiver.OnBeacon(payload);
                return true;
            case FrameType.AggregateAck when sealer == HostSlot:
                ring.OnAggregateAckFrame(payload);
                return true;
            case FrameType.GroupProbe when sealer == HostSlot:
                // It has no content: its arrival is the message.
                return true;
            case FrameType.PathProbe when sealer == HostSlot:
                return TryTakeProbe(payload);
            case FrameType.Nak when sealer != HostSlot:
                return repairer?.TryTakeNak(sealer, payload, receiver) == true;
            case FrameType.Token when sealer != HostSlot:
                ring.OnTokenFrame(payload, sealer);
                return true;
            case FrameType.Aggregate when sealer != HostSlot:
                ring.OnAggregateFrame(payload, sealer);
                return true;
            case FrameType.TokenAck when sealer != HostSlot:
                ring.OnTokenAckFrame(payload, sealer);
                return true;
            default:
                return false;
        }
    }

    /// <summary>Only frames that came so are kept for others, so that what a member made up goes no further.</summary>
    private bool TryTakeOfHost(ReadOnlySpan<byte> frames)
    {
        ReceiveStatus status = receiver.OnFrames(frames);
        if (status == ReceiveStatus.Accepted)
        {
            repairer?.OnPacket(frames);
        }

        return status != ReceiveStatus.Malformed;
    }

    private bool TryTakeProbe(ReadOnlySpan<byte> payload)
    {
        var reader = new WireReader(payload);
        ulong high = reader.ReadU64();
        ulong low = reader.ReadU64();
        if (!reader.IsOk)
        {
            return false;
        }

        onPathProbe(high, low);
        return true;
    }
}
