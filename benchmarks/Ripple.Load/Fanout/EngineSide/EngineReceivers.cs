using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Load.Fanout.Messages;
using Ripple.Load.Fanout.Net;
using Ripple.Transports.Running;
using Ripple.Transports.Udp;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>
/// All receivers of the region, on one core. Built by one thread, which may enter a namespace for each; started by the constructor.
/// </summary>
internal sealed class EngineReceivers : IDisposable
{
    private const ulong Seed = 2;
    private readonly CoreRunner _runner;
    private readonly UdpPorts _ports;
    private readonly CoreAllocations _allocations;
    private readonly EngineReceiver[] _receivers;
    private readonly ReceiverTally[] _tallies;
    private readonly LatencyHistogram? _latencies;
    private readonly LatencyHistogram _repairs = new();

    public EngineReceivers(FanoutPlan plan, NodeAddress sender)
    {
        var core = new CoreLoop(new CoreOptions(), Seed);
        _runner = new CoreRunner(core, new CoreRunnerOptions { Name = "receivers core" });
        _allocations = new CoreAllocations(_runner);
        _latencies = plan.Options.Rate > 0 ? new LatencyHistogram() : null;
        _ports = new UdpPorts(_runner);
        var data = new UdpPort[plan.Receivers];
        var control = new UdpPort[plan.Receivers];
        var group = new UdpPort?[plan.Receivers];
        for (int i = 0; i < plan.Receivers; i++)
        {
            using (NetNamespace.Enter(plan.NamespaceOf(i + 1)))
            {
                data[i] = _ports.Open(plan.DataPort(i + 1));
                group[i] = plan.EngineGroup is null ? null : _ports.OpenGroup(plan.GroupPortOf(i + 1));
                control[i] = _ports.Open(plan.ControlPort(i + 1));
            }
        }

        DataAddresses = [.. data.Select(p => p.LocalAddress)];
        ControlAddresses = [.. control.Select(p => p.LocalAddress)];
        RegionView view = FanoutRegion.View(DataAddresses, ControlAddresses);
        _tallies = [.. data.Select(_ => new ReceiverTally(plan.Topics))];
        int pieceBytes = Piece.LargestOf(plan.Options.Bytes);
        int early = Math.Max(64, (int)(FanoutRegion.Stream.WindowPackets * 1_472L / pieceBytes) + 1);
        _receivers = new EngineReceiver[plan.Receivers];
        for (int i = 0; i < plan.Receivers; i++)
        {
            var order = new TopicOrder(plan.Topics, pieceBytes, early);
            var seal = new RegionSeal((uint)i + 1, plan.Receivers, plan.Key);
            _receivers[i] = new EngineReceiver(
                core, (uint)i + 1, view, sender, seal, new PortSink(core, data[i]), new PortSink(
                    core, control[i]), order, _tallies[i], plan.Options.Owners, _latencies, _repairs);
            data[i].Handler = _receivers[i];
            control[i].Handler = _receivers[i];
            if (group[i] is { } joined)
            {
                joined.Handler = _receivers[i];
            }
        }

        _runner.Start();
    }

    public NodeAddress[] DataAddresses { get; }

    public NodeAddress[] ControlAddresses { get; }

    /// <summary>What the core did. Any thread; each value by itself.</summary>
    public CoreCounters CoreCounters => _runner.Loop.Counters;

    /// <summary>Bytes that the core thread allocated. Any thread.</summary>
    public long CoreAllocatedBytes => _allocations.Read();

    /// <summary>A sum over all receivers. Any thread.</summary>
    public long Sum(Func<ReceiverTally, long> value) => _tallies.Sum(value);

    /// <summary>A sum over all receivers. Any thread.</summary>
    public long SumEngine(Func<EngineReceiver, long> value) => _receivers.Sum(value);

    /// <summary>The times from sending to delivery, over all receivers, since the last call. Any thread.</summary>
    public Task<LatencyHistogram> TakeLatenciesAsync() => _runner.RunAsync(() =>
    {
        var all = new LatencyHistogram();
        _latencies?.AddTo(all);
        _latencies?.Clear();
        return all;
    });

    /// <summary>The times from sending to the arrival of what was repaired, over all receivers, since the last call. Any thread.</summary>
    public Task<LatencyHistogram> TakeRepairsAsync() => _runner.RunAsync(() =>
    {
        var all = new LatencyHistogram();
        _repairs.AddTo(all);
        _repairs.Clear();
        return all;
    });

    public void Dispose()
    {
        _runner.Dispose();
        foreach (EngineReceiver receiver in _receivers)
        {
            receiver.Dispose();
        }

        _ports.Dispose();
        _allocations.Dispose();
    }
}
