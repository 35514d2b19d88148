using System.Diagnostics;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Transports.Udp;

namespace Ripple.Transports.Tests.Streams;

/// <summary>
/// A member of the region on sockets, as a node is one: opens, receives the stream, takes part in the ring, and counts each message once.
/// Core thread.
/// </summary>
internal sealed class LoopbackMember : IDatagramHandler, IStreamReceiverHandler, IRingContribution, IDisposable
{
    private readonly CoreLoop _core;
    private readonly uint _slot;
    private readonly NodeAddress _sender;
    private readonly PortSink _dataSink;
    private readonly PortSink _controlSink;
    private readonly PacketOpener _opener;
    private readonly RegionOutput _output;
    private readonly StreamReceiver _receiver;
    private readonly RingMember _ring;
    private readonly RegionFrames _frames;
    private readonly bool[] _seen;

    public LoopbackMember(CoreLoop core, UdpPorts ports, uint slot, int members, NodeAddress sender, int messagesMax)
    {
        _core = core;
        _slot = slot;
        _sender = sender;
        _seen = new bool[messagesMax];
        Data = ports.Open(new UdpPortOptions());
        Control = ports.Open(new UdpPortOptions { Lane = PortLane.Control });
        Data.Handler = this;
        Control.Handler = this;
        _dataSink = new PortSink(core, Data);
        _controlSink = new PortSink(core, Control);
        _opener = LoopbackRegion.Opener(members);
        _output = new RegionOutput(core, _dataSink, _controlSink);
        _output.SetSealer(LoopbackRegion.Sealer(slot));
        _receiver = new StreamReceiver(core, LoopbackRegion.Origin, 1, sender, _output, this, LoopbackRegion.Stream);
        var key = new MemberKey(LoopbackRegion.RegionId, slot, new byte[MemberKey.KeyBytes]);
        _ring = new RingMember(core, _output, this, key, RingOptions.Default);
        _frames = new RegionFrames(_receiver, _ring, (_, _) => { });
    }

    public UdpPort Data { get; }

    public UdpPort Control { get; }

    /// <summary>Messages that came for the first time and were what was sent.</summary>
    public int Messages { get; private set; }

    /// <summary>Messages that came again, or were not what was sent, and packets that nobody in the region makes.</summary>
    public int Wrong { get; private set; }

    public int StreamCount => 1;

    public int TopicCount => 0;

    public int RejectionCount => 0;

    public void OnView(RegionView view) => _ring.OnView(view, _slot, _sender);

    public void OnDatagram(Span<byte> datagram)
    {
        if (_opener.TryOpen(datagram, _core.NowNs, out PacketHeader header, out ReadOnlySpan<byte> frames) != OpenStatus.Ok
            || !_frames.TryTake(header.Slot, header.Class, frames))
        {
            Wrong++;
        }
    }

    public void OnMessage(uint topic, ReadOnlySpan<byte> message)
    {
        int number = NumberedMessages.NumberOf(message);
        if (number < 0 || _seen[number])
        {
            Wrong++;
            return;
        }

        _seen[number] = true;
        Messages++;
    }

    public void OnSkipped(ulong fromSequence, ulong toSequence) => Wrong++;

    public void OnProgress(ulong packets) => _ring.OnStreamProgress(packets);

    public StreamProgress StreamAt(int index) => new(LoopbackRegion.Origin, _receiver.Contiguous, _receiver.Highest);

    public LevelRow TopicAt(int index) => throw new UnreachableException();

    public bool TryTakeChanged(out LevelRow row)
    {
        row = default;
        return false;
    }

    public RejectionRow RejectionAt(int index) => throw new UnreachableException();

    public void OnFloor(ulong origin, ulong floor)
    {
    }

    public void Dispose()
    {
        _ring.Dispose();
        _receiver.Dispose();
        _output.Dispose();
        _opener.Dispose();
        _dataSink.Dispose();
        _controlSink.Dispose();
    }
}
