using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Network;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Simulation;

/// <summary>
/// Everything in one simulated run: time, machines, networks, faults and checkers, all derived from one seed. Everything runs on the thread
/// that calls <see cref="RunUntil"/>. Worlds share nothing, so many can run in parallel.
/// </summary>
internal sealed class SimulatedWorld
{
    private readonly List<SimulatedMachine> _machines = [];
    private readonly List<IChecker> _checkers = [];
    private readonly DeterministicRandom _machineSeeds;

    /// <param name="seed">Determines all random choices.</param>
    /// <param name="options">Sizes and times; null for the defaults.</param>
    public SimulatedWorld(ulong seed, WorldOptions? options = null)
    {
        options ??= new WorldOptions();
        Seed = seed;
        Options = options;
        if (options.Trace is { } trace)
        {
            trace.World = this;
        }

        Random = new DeterministicRandom(seed);
        _machineSeeds = Random.Fork(1);
        Network = new SimulatedNetwork(this, options.Network, Random.Fork(2));
        Control = new SimulatedLinkNetwork(this, options.Control, Random.Fork(3));
        Scheduler.AfterAction = WakeRequested;
        Hasher = new StateHasher();
        Hasher.Add("time", (ref StableHash hash) =>
        {
            hash.Add(Scheduler.NowNs);
            hash.Add(Scheduler.RunCount);
        });
        Hasher.Add("network", Network.AddTo);
        Hasher.Add("control", Control.AddTo);
    }

    /// <summary>The seed.</summary>
    public ulong Seed { get; }

    /// <summary>The sizes and times.</summary>
    public WorldOptions Options { get; }

    /// <summary>Which items the run has.</summary>
    public RunScript Script => Options.Script;

    /// <summary>Keeps what happens; null for nothing.</summary>
    public TraceLog? Trace => Options.Trace;

    /// <summary>Simulated time.</summary>
    public SimulationScheduler Scheduler { get; } = new();

    /// <summary>
    /// The scenario's own random generator. Networks and machines have separate ones, so that draws from one do not shift the others.
    /// </summary>
    public DeterministicRandom Random { get; }

    /// <summary>The properties of the paths between machines.</summary>
    public PathTable Paths { get; } = new();

    /// <summary>The current partitions.</summary>
    public Connectivity Connectivity { get; } = new();

    /// <summary>The datagram network.</summary>
    public SimulatedNetwork Network { get; }

    /// <summary>The control connections.</summary>
    public SimulatedLinkNetwork Control { get; }

    /// <summary>The work some of the nodes share, as nodes of one process do.</summary>
    public NodeShare Share { get; } = new();

    /// <summary>The number of faults of each kind.</summary>
    public FaultCounters Faults { get; } = new();

    /// <summary>Until when each machine is disturbed by a fault.</summary>
    public DisturbanceLog Disturbances { get; } = new();

    /// <summary>Hashes the state of the run.</summary>
    public StateHasher Hasher { get; }

    /// <summary>The machines, in the order they were added.</summary>
    public IReadOnlyList<SimulatedMachine> Machines => _machines;

    /// <summary>
    /// The machine taking a turn now, or the last one that did; null before the first turn. Lets checkers look only at that machine.
    /// </summary>
    public SimulatedMachine? LastStepped { get; internal set; }

    /// <summary>
    /// Sees every datagram and frame while its receiver handles it; null (the default) for none. Set before machines start.
    /// </summary>
    public IDeliveryObserver? Observer { get; set; }

    /// <summary>Adds a machine on which no process is running yet.</summary>
    /// <param name="name">Its name, for messages.</param>
    /// <param name="zone">Its zone. Paths within a zone are shorter.</param>
    /// <param name="peer">The identity its control connections prove.</param>
    /// <param name="options">Its properties; null for the defaults.</param>
    public SimulatedMachine AddMachine(string name, string zone, LinkPeer peer, SimulatedMachineOptions? options = null)
    {
        int index = _machines.Count;
        var machine = new SimulatedMachine(
            this, index, name, Paths.IndexOf(zone), peer, options ?? new SimulatedMachineOptions(), _machineSeeds.Fork((ulong)index));
        _machines.Add(machine);
        Paths.Grow(_machines.Count);
        Connectivity.Grow(_machines.Count);
        Hasher.Add(name, (ref StableHash hash) =>
        {
            hash.Add((long)machine.StartCount);
            hash.Add(machine.StepCount);
        });
        return machine;
    }

    /// <summary>Adds a checker, called after every turn of every machine.</summary>
    public void Add(IChecker checker)
    {
        ArgumentNullException.ThrowIfNull(checker);
        _checkers.Add(checker);
    }

    /// <summary>Runs the world up to and including a time.</summary>
    /// <exception cref="InvariantViolationException">A checker found a violation, or a callback of a core threw.</exception>
    public void RunUntil(long timeNs)
    {
        // With a context of its caller's, tasks of clients would continue on the thread pool.
        SynchronizationContext? context = SynchronizationContext.Current;
        try
        {
            SynchronizationContext.SetSynchronizationContext(null);
            WakeRequested();
            Scheduler.RunUntil(timeNs);
        }
        catch (Exception e) when (e is not InvariantViolationException)
        {
            string where = LastStepped is null ? "an event" : $"{LastStepped}, or an event after its turn,";
            var subject = new ViolationSubject();
            subject.AddValue(LastStepped);
            throw new InvariantViolationException("Exception", $"{where} threw: {e}", Seed, Scheduler.NowNs, Options.ReplayArguments, e)
            {
                Subject = subject,
            };
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }
    }

    /// <summary>Ends the run with a violation found by a checker.</summary>
    /// <param name="checker">The checker.</param>
    /// <param name="message">What was found. The violation is about each node, release, publish and wait in it.</param>
    /// <param name="about">What else it is about; null for nothing.</param>
    /// <exception cref="InvariantViolationException">Always.</exception>
    [DoesNotReturn]
    public void Fail(string checker, ViolationText message, params ReadOnlySpan<object?> about) =>
        Fail(checker, message.Take(), message.Subject, about);

    /// <summary>Ends the run with a violation found by a checker.</summary>
    /// <param name="checker">The checker.</param>
    /// <param name="message">What was found.</param>
    /// <param name="about">The nodes, releases, publishes and waits that it is about; null for nothing.</param>
    /// <exception cref="InvariantViolationException">Always.</exception>
    [DoesNotReturn]
    public void Fail(string checker, string message, params ReadOnlySpan<object?> about) =>
        Fail(checker, message, new ViolationSubject(), about);

    [DoesNotReturn]
    private void Fail(string checker, string message, ViolationSubject subject, ReadOnlySpan<object?> about)
    {
        foreach (object? value in about)
        {
            subject.AddValue(value);
        }

        throw new InvariantViolationException(checker, message, Seed, Scheduler.NowNs, Options.ReplayArguments) { Subject = subject };
    }

    internal void OnStepped()
    {
        foreach (IChecker checker in _checkers)
        {
            checker.OnStep(Scheduler.NowNs);
        }
    }

    private void WakeRequested()
    {
        foreach (SimulatedMachine machine in _machines)
        {
            machine.WakeIfRequested();
        }
    }
}
