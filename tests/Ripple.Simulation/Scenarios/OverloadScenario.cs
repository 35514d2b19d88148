using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Streams;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// One stream from a fast sender that always has more, to members that cannot keep up: one of them or all, by the seed; or that can, over
/// paths that lose one datagram in 200. Every other seed has pauses and bursts of loss, delay, reordering and copies besides, and then only
/// delivery and bounds are judged.
/// </summary>
internal sealed class OverloadScenario : IScenario
{
    public const string Name = "overload";
    private const long MillisecondNs = 1_000_000;
    private const long FloodNs = 3_000 * MillisecondNs;
    private const int NodesMax = 4;
    private const int PacketNs = 1_000;
    private const int NoSlownessPacketsPerSecond = 60_000;

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        using var run = new OverloadRun(seed, options);
        InvariantViolationException? violation = null;
        try
        {
            run.Go();
        }
        catch (InvariantViolationException e)
        {
            violation = e;
        }

        return RunResult.Of(
            run.World, violation, run.Host.SentCount, run.Checker.DeliveredCount, options.IsVerbose ? run.Describe() + "\n" : null);
    }

    private sealed class OverloadRun : IDisposable
    {
        private readonly OverloadNode[] _nodes;
        private readonly bool _hasFaults;
        private readonly long _possiblePackets;
        private readonly long _limitNs;
        private long _slowestPackets;

        public OverloadRun(ulong seed, ScenarioOptions options)
        {
            World = new SimulatedWorld(
                seed, new WorldOptions { ReplayArguments = options.ReplayArguments, Script = options.Script, Trace = options.Trace });
            _limitNs = options.Seconds * 1_000 * MillisecondNs;
            _hasFaults = seed % 2 == 1;
            int kind = (int)(seed / 2 % 3);
            var bounds = new BoundsChecker(World);
            World.Paths.SetDefaults(World.Paths.WithinZone with { Loss = kind == 0 ? 0.005 : 0.0005 }, World.Paths.BetweenZones);
            int count = Math.Min(NodesMax, options.Nodes);
            List<int> kept = [.. Enumerable.Range(0, count).Where(i => World.Script.Takes(RunItem.Node, i))];
            _nodes = new OverloadNode[kept.Count];
            Checker = new OverloadChecker(World, _nodes.Length);
            DeterministicRandom random = World.Random.Fork(7);
            int slowness = kind == 0 ? 1 : 50 + random.NextInt32(150);
            int packetsPerSecond = kind == 0 ? NoSlownessPacketsPerSecond : 1_000_000_000 / (PacketNs * slowness);
            _possiblePackets = packetsPerSecond * (FloodNs / 2) / 1_000_000_000;

            SimulatedMachine hostMachine = World.AddMachine("host", "east", PeerOf("host", LinkPeerKind.Host, 0));
            hostMachine.Start();
            StreamOptions streamOptions = StreamOptions.Default;
            Host = new OverloadHost(hostMachine, _nodes.Length, streamOptions);
            bounds.Register(
                "packets kept", () => (long)(Host.Sender.Highest - Host.Sender.Floor), streamOptions.WindowPackets, hostMachine);
            for (int i = 0; i < count; i++)
            {
                SimulatedMachine machine = World.AddMachine(
                    $"node{i + 1}", "east", PeerOf($"node{i + 1}", LinkPeerKind.Node, (ulong)i + 1));
                machine.Slowness = kind == 2 || i == 0 ? slowness : 1;
                int slot = kept.IndexOf(i) + 1;
                machine.IsAbsent = slot == 0;
                if (machine.IsAbsent)
                {
                    continue;
                }

                machine.Start();
                OverloadNode node = _nodes[slot - 1] = new OverloadNode(machine, slot, Host.ControlAddress, Checker);
                bounds.Register("received bytes that wait", () => node.Data.ReceivedBytes, node.Data.ReceiveBufferBytes, machine);
                bounds.Register("bytes in assembly", () => node.Receiver.AssemblyBytes, StreamOptions.Default.AssemblyBytesMax, machine);
            }

            if (World.Trace is { } trace)
            {
                World.Add(new OverloadTrace(World, trace, Host, hostMachine));
            }

            World.Hasher.Add("overload", Checker.AddTo);
            hostMachine.Post(() => Host.Start(_nodes));
        }

        public SimulatedWorld World { get; }

        public OverloadHost Host { get; }

        public OverloadChecker Checker { get; }

        public void Go()
        {
            if (_hasFaults)
            {
                new FaultPlan(World, World.Random.Fork(100), FaultsOf(FloodNs)).Start();
            }

            // The pace is judged once it had the time to settle.
            World.RunUntil(FloodNs / 2);
            Checker.StartPace();
            long[] before = [.. _nodes.Select(n => n.Receiver.Counters.Packets)];
            World.RunUntil(FloodNs);
            Host.IsFlooding = false;
            _slowestPackets = _nodes.Select((n, i) => n.Receiver.Counters.Packets - before[i]).DefaultIfEmpty().Min();
            Checker.StopPace();
            while (World.Scheduler.NowNs < _limitNs && !Checker.HasAll(Host.SentCount))
            {
                World.RunUntil(World.Scheduler.NowNs + (100 * MillisecondNs));
            }

            Checker.CheckAll(Host.SentCount);
            if (!_hasFaults && _nodes.Length > 0)
            {
                Checker.CheckPace(_slowestPackets, _possiblePackets);
            }
        }

        public void Dispose()
        {
            Host.Dispose();
            foreach (OverloadNode node in _nodes)
            {
                node.Dispose();
            }
        }

        public string Describe() => Checker.Describe(_slowestPackets, _possiblePackets) + string.Create(
            CultureInfo.InvariantCulture,
            $"; rate {Host.Sender.PaceBytesPerSecond}, cuts {Host.Sender.Counters.PaceCuts}, repairs {Host.Sender.Counters.Repairs}, "
                + $"packets {Host.Sender.Counters.Packets}, requests {Host.Sender.Counters.Naks}, window full "
                + $"{Host.Sender.Counters.WindowFull}, end {World.Scheduler.NowNs / MillisecondNs} ms");

        private static LinkPeer PeerOf(string name, LinkPeerKind kind, ulong id) =>
            new() { Kind = kind, Application = "overload", Role = "node", Name = name, NodeIdHigh = 1, NodeIdLow = id };

        private static FaultPlanOptions FaultsOf(long durationNs) => new()
        {
            DurationNs = durationNs,
            QuietStartNs = 100 * MillisecondNs,
            QuietEndNs = 100 * MillisecondNs,
            IntervalNs = 150 * MillisecondNs,
            LongestNs = 300 * MillisecondNs,
            Kinds =
            [
                FaultKind.LossBurst,
                FaultKind.DelayBurst,
                FaultKind.ReorderBurst,
                FaultKind.DuplicationBurst,
                FaultKind.Pause,
                FaultKind.Pause,
            ],
        };
    }
}
