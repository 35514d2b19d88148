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
        Receiver = new StreamReceiver(
            host.Network.Core, StreamHost.Origin, firstSequence, host.ControlPort.LocalAddress, Output, this, options);
    }

    public uint Slot { get; }

    public StreamNetwork.Port DataPort { get; }

    public StreamNetwork.Port ControlPort { get; }

    public RegionOutput Output { get; }

    public StreamReceiver Receiver { get; }

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
            Receiver.OnFrames(frames);
            return;
        }

        var reader = new FrameReader(frames);
        while (reader.TryNext())
        {
            if (reader.Type == FrameType.Beacon)
            {
                Receiver.OnBeacon(reader.Payload);
            }
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
        Output.Dispose();
    }
}
