using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Load.Fanout.Messages;
using Ripple.Load.Fanout.Net;
using Ripple.Transports.Running;
using Ripple.Transports.Udp;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>
/// The sender of the region on a core of its own, put together as a host does it. Built by one thread; started by <see cref="Start"/>; from
/// then on only the members that say so may be called.
/// </summary>
internal sealed class EngineSender : IDatagramHandler, IAggregateHandler, IDisposable
{
    private const ulong Seed = 1;
    private readonly CoreRunner _runner;
    private readonly UdpPorts _ports;
    private readonly UdpPort _data;
    private readonly UdpPort _control;
    private readonly PortSink _dataSink;
    private readonly PortSink _controlSink;
    private readonly LossySink? _loss;
    private readonly RegionSeal _seal;
    private readonly RegionOutput _output;
    private readonly StreamSender _sender;
    private readonly PacedSource _source;
    private readonly AggregateReader _aggregates = new();
    private readonly CoreAllocations _allocations;
    private RegionView? _view;

    public EngineSender(FanoutPlan plan, PieceMaker maker)
    {
        var core = new CoreLoop(new CoreOptions(), Seed);
        _runner = new CoreRunner(core, new CoreRunnerOptions { Name = "sender core" });
        _allocations = new CoreAllocations(_runner);
        _ports = new UdpPorts(_runner);
        using (NetNamespace.Enter(plan.NamespaceOf(0)))
        {
            _data = _ports.Open(plan.DataPort(0));
            _control = _ports.Open(plan.ControlPort(0));
        }

        _data.Handler = this;
        _control.Handler = this;
        _dataSink = new PortSink(core, _data);
        _controlSink = new PortSink(core, _control);
        _loss = plan.Options.LossPercent > 0
            ? new LossySink(core, _dataSink, new DeterministicRandom(Seed), plan.Options.LossPercent / 100)
            : null;
        _seal = new RegionSeal(0, plan.Receivers, plan.Key);
        _output = new RegionOutput(core, _loss is null ? _dataSink : _loss, _controlSink);
        _output.SetSealer(_seal.Sealer);
        if (plan.EngineGroup is { } group)
        {
            _output.SetGroup(NodeAddress.From(group));
        }

        _source = new PacedSource(core, maker, plan.Options.Rate);
        _sender = new StreamSender(core, FanoutRegion.Origin, _source, _output, FanoutRegion.Stream);
        _source.Sender = _sender;
    }

    public NodeAddress ControlAddress => _control.LocalAddress;

    /// <summary>Any thread; each value by itself.</summary>
    public StreamCounters Counters => _sender.Counters;

    /// <summary>Any thread; each value by itself.</summary>
    public UdpCounters DataCounters => _data.Counters;

    /// <summary>First transmissions that were lost on purpose, to one receiver or to the group. Any thread.</summary>
    public long Lost => _loss?.Lost ?? 0;

    /// <summary>What the core did. Any thread; each value by itself.</summary>
    public CoreCounters CoreCounters => _runner.Loop.Counters;

    /// <summary>Bytes that the core thread allocated. Any thread.</summary>
    public long CoreAllocatedBytes => _allocations.Read();

    /// <summary>Sets the members and starts the thread.</summary>
    public void Start(RegionView view)
    {
        _view = view;
        _sender.OnView(view);
        _output.SetDestinations(view);
        _runner.Start();
    }

    /// <summary>Begins to send messages. Any thread.</summary>
    public Task BeginAsync() => _runner.RunAsync(_source.Start);

    /// <summary>Makes no further message. Any thread.</summary>
    public Task EndAsync() => _runner.RunAsync(_source.Stop);

    /// <summary>True when all members have all that was sent. Any thread.</summary>
    public Task<bool> IsDrainedAsync() => _runner.RunAsync(() => _sender.Floor == _sender.Highest);

    /// <summary>Where it stands, for a message about what went wrong. Any thread.</summary>
    public Task<string> DescribeAsync() =>
        _runner.RunAsync(() => $"sent up to {_sender.Highest}, all have {_sender.Floor}, {_sender.Counters.Repairs} repairs");

    public void OnDatagram(Span<byte> datagram)
    {
        if (!_seal.TryOpen(datagram, _runner.Loop.NowNs, out PacketHeader header, out ReadOnlySpan<byte> frames))
        {
            return;
        }

        int position = _view!.PositionOf(header.Slot);
        if (position < 0)
        {
            return;
        }

        RegionMember member = _view.Members[position];
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
                int length = _aggregates.WriteAck(ack, FanoutRegion.Origin, _sender.Floor);
                _output.TrySend(member.ControlAddress, PacketClass.Control, ack[..length]);
            }
        }
    }

    void IAggregateHandler.OnStream(ulong origin, ulong minContiguous, int minPosition) =>
        _sender.OnAggregate(_view!.Number, minContiguous);

    void IAggregateHandler.OnRound(bool isQuiet)
    {
    }

    void IAggregateHandler.OnSilent(int position)
    {
    }

    void IAggregateHandler.OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied)
    {
    }

    void IAggregateHandler.OnRejection(int position, uint topic, uint generation, ulong release, string reason)
    {
    }

    public void Dispose()
    {
        _runner.Dispose();
        _sender.Dispose();
        _output.Dispose();
        _loss?.Dispose();
        _dataSink.Dispose();
        _controlSink.Dispose();
        _ports.Dispose();
        _seal.Dispose();
        _allocations.Dispose();
    }
}
