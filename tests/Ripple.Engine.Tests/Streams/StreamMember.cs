using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>A receiving side: keeps what one stream delivered.</summary>
internal sealed class StreamMember : IDatagramHandler, IStreamReceiverHandler, IDisposable
{
    public StreamMember(StreamHost host, uint slot, ulong firstSequence, StreamOptions options)
    {
        Slot = slot;
        DataPort = host.Network.Open(this);
        ControlPort = host.Network.Open(this);
        Output = new RegionOutput(host.Network.Core, host.Network.SinkOf(DataPort), host.Network.SinkOf(ControlPort));
        Output.SetSealer(new CopySealer { Mark = (byte)slot });
        var owners = new CacheOwners(slot);
        owners.SetCount(host.CacheOwners);
        Repairer = new PeerRepairer(host.Network.Core, StreamHost.Origin, owners, Output, host.Caching);
        Receiver = new StreamReceiver(
            host.Network.Core, StreamHost.Origin, firstSequence, host.ControlPort.LocalAddress, Output, this, options, owners);
    }

    public uint Slot { get; }

    public StreamNetwork.Port DataPort { get; }

    public StreamNetwork.Port ControlPort { get; }

    public RegionOutput Output { get; }

    public StreamReceiver Receiver { get; }

    public PeerRepairer Repairer { get; }

    /// <summary>Packets and requests of other members that were refused.</summary>
    public int Refused { get; private set; }

    public bool Keeps { get; set; } = true;

    public List<(uint Topic, byte[] Message)> Messages { get; } = [];

    public long MessageCount { get; private set; }

    public List<(ulong From, ulong To)> Skips { get; } = [];

    public int ProgressCount { get; private set; }

    public Action? OnMessageTaken { get; set; }

    public RegionMember AsRegionMember() => new(Slot, new NodeId(0, Slot), 1_000 + Slot, DataPort.LocalAddress, ControlPort.LocalAddress);

    public void OnDatagram(Span<byte> datagram)
    {
        ReadOnlySpan<byte> frames = CopySealer.Open(datagram);
        if (datagram[1] >= (byte)PacketClass.Repair)
        {
            Take(datagram[4], frames);
            return;
        }

        var reader = new FrameReader(frames);
        while (reader.TryNext())
        {
            if (reader.Type == FrameType.Beacon)
            {
                Receiver.OnBeacon(reader.Payload);
            }
            else if (reader.Type == FrameType.Nak)
            {
                Refused += Repairer.TryTakeNak(datagram[4], reader.Payload, Receiver) ? 0 : 1;
            }
        }
    }

    /// <summary>Takes the frames of a packet that the host, whose slot is 0, or another member sealed.</summary>
    public void Take(uint sealer, ReadOnlySpan<byte> frames)
    {
        if (sealer != 0)
        {
            Refused += Receiver.OnPeerFrames(frames) == ReceiveStatus.Unasked ? 1 : 0;
        }
        else if (Receiver.OnFrames(frames) == ReceiveStatus.Accepted)
        {
            Repairer.OnPacket(frames);
        }
    }

    public void OnMessage(uint topic, ReadOnlySpan<byte> message)
    {
        MessageCount++;
        if (Keeps)
        {
            Messages.Add((topic, message.ToArray()));
        }

        OnMessageTaken?.Invoke();
    }

    public void OnSkipped(ulong fromSequence, ulong toSequence) => Skips.Add((fromSequence, toSequence));

    public void OnProgress(ulong packets) => ProgressCount++;

    public void Dispose()
    {
        Receiver.Dispose();
        Repairer.Dispose();
        Output.Dispose();
    }
}
