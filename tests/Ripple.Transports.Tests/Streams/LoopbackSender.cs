using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Simulator.Stack;
using Ripple.Transports.Udp;

namespace Ripple.Transports.Tests.Streams;

/// <summary>The sender of a region on sockets, as a host is one, with a network that loses packets below it. Core thread.</summary>
internal sealed class LoopbackSender : IDatagramHandler, IAggregateHandler, IDisposable
{
    private readonly CoreLoop _core;
    private readonly UdpPort _data;
    private readonly UdpPort _control;
    private readonly PortSink _dataSink;
    private readonly PortSink _controlSink;
    private readonly FaultSink _faults;
    private readonly PacketOpener _opener;
    private readonly RegionOutput _output;
    private readonly StreamSender _sender;
    private readonly NumberedMessages _messages = new();
    private readonly AggregateReader _aggregates = new();
    private RegionView? _view;

    public LoopbackSender(CoreLoop core, UdpPorts ports, int members)
    {
        _core = core;
        _data = ports.Open(new UdpPortOptions());
        _control = ports.Open(new UdpPortOptions { Lane = PortLane.Control });
        _data.Handler = this;
        _control.Handler = this;
        _dataSink = new PortSink(core, _data);
        _controlSink = new PortSink(core, _control);
        _faults = new FaultSink(core, _dataSink, new DeterministicRandom(1), FaultPolicy.None);
        _opener = LoopbackRegion.Opener(members);
        _output = new RegionOutput(core, _faults, _controlSink);
        _output.SetSealer(LoopbackRegion.Sealer(0));
        _sender = new StreamSender(core, LoopbackRegion.Origin, _messages, _output, LoopbackRegion.Stream);
    }

    /// <summary>Set when all members have all messages up to the limit; waited for by another thread.</summary>
    public ManualResetEventSlim Delivered { get; } = new();

    public NodeAddress ControlAddress => _control.LocalAddress;

    public StreamCounters Counters => _sender.Counters;

    public long Dropped => _faults.Counters.Dropped;

    public void OnView(RegionView view)
    {
        _view = view;
        _sender.OnView(view);
        _output.SetDestinations(view);
    }

    /// <summary>Sends the messages up to a number, losing a share of the packets.</summary>
    public void SendTo(int limit, FaultPolicy policy)
    {
        _faults.Policy = policy;
        _messages.Limit = limit;
        _sender.OnReady();
    }

    public void OnDatagram(Span<byte> datagram)
    {
        if (_opener.TryOpen(datagram, _core.NowNs, out PacketHeader header, out ReadOnlySpan<byte> frames) != OpenStatus.Ok)
        {
            return;
        }

        RegionMember member = _view!.Members[_view.PositionOf(header.Slot)];
        Span<byte> ack = stackalloc byte[256];
        var reader = new FrameReader(frames);
        while (reader.TryNext())
        {
            if (reader.Type == FrameType.Nak)
            {
                _sender.OnNak(member.DataAddress, member.ControlAddress, reader.Payload);
            }
            else if (reader.Type == FrameType.Aggregate
                && _aggregates.TryRead(reader.Payload, _view, _view.PartAt(0), this) == DecodeStatus.Ok)
            {
                int length = _aggregates.WriteAck(ack, LoopbackRegion.Origin, _sender.Floor);
                _output.TrySend(member.ControlAddress, PacketClass.Control, ack[..length]);
            }
        }
    }

    public void OnStream(ulong origin, ulong minContiguous, int minPosition)
    {
        _sender.OnAggregate(_view!.Number, minContiguous);
        _sender.OnBehind(_view.Members[minPosition].ControlAddress, minContiguous);
        if (_messages.IsExhausted && _sender.Floor == _sender.Highest)
        {
            Delivered.Set();
        }
    }

    public void OnRound(bool isQuiet)
    {
    }

    public void OnSilent(int position)
    {
    }

    public void OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied)
    {
    }

    public void OnRejection(int position, uint topic, uint generation, ulong release, string reason)
    {
    }

    public void Dispose()
    {
        _sender.Dispose();
        _output.Dispose();
        _faults.Dispose();
        _dataSink.Dispose();
        _controlSink.Dispose();
        _opener.Dispose();
        Delivered.Dispose();
    }
}
