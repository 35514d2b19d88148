using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Network;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Simulation;

/// <summary>
/// A machine of the simulated world, running one process at a time: a core, stepped whenever it has work, whose turns cost time. Created by
/// <see cref="SimulatedWorld.AddMachine"/>. Belongs to the simulation's thread, which is also the thread of every core.
/// </summary>
internal sealed class SimulatedMachine : IWaker, IViolationSubject
{
    private const long StartUnixMicros = 1_700_000_000_000_000;
    private readonly SimulationScheduler _scheduler;
    private readonly SimulatedMachineOptions _options;
    private readonly DeterministicRandom _random;
    private readonly StepEvent _step;
    private readonly Queue<Request> _inbox = new();
    private readonly List<IMachineResource> _resources = [];
    private readonly List<IChecker> _checkers = [];
    private CoreLoop? _core;
    private ProcessCompletions? _completions;
    private long _startedNs;
    private long _clockAtStartNs;
    private long _busyUntilNs;
    private long _pausedUntilNs;
    private bool _isStepping;

    internal SimulatedMachine(
        SimulatedWorld world,
        int index,
        string name,
        int zoneIndex,
        LinkPeer peer,
        SimulatedMachineOptions options,
        DeterministicRandom random)
    {
        World = world;
        Index = index;
        Name = name;
        ZoneIndex = zoneIndex;
        Peer = peer;
        _scheduler = world.Scheduler;
        _options = options;
        _random = random;
        _step = new StepEvent(this);
        Slowness = options.Slowness;
        Ports = new PortSource();
    }

    /// <summary>The world the machine is in.</summary>
    public SimulatedWorld World { get; }

    /// <summary>Its index in <see cref="SimulatedWorld.Machines"/>.</summary>
    public int Index { get; }

    /// <summary>Its name, for messages.</summary>
    public string Name { get; }

    /// <summary>Its zone.</summary>
    public string Zone => World.Paths.ZoneName(ZoneIndex);

    /// <summary>The identity its control connections prove to others; another one after it has enrolled again.</summary>
    public LinkPeer Peer { get; set; }

    /// <summary>
    /// Builds the process on <see cref="Core"/>. Called by <see cref="Start"/>, at the first and every later start, as if on the core
    /// thread, with the core's time set.
    /// </summary>
    public Action<SimulatedMachine>? OnStart { get; set; }

    /// <summary>
    /// Called after every turn, outside the core, to do the work of other threads of the process (drain outlets, call the API). Kept across
    /// restarts.
    /// </summary>
    public Action<SimulatedMachine>? AfterStep { get; set; }

    /// <summary>True between <see cref="Start"/> and <see cref="Crash"/>.</summary>
    public bool IsRunning => _core is not null;

    /// <summary>True if the last crash was a loss of power: attempts to connect get no answer at all.</summary>
    public bool IsSilent { get; private set; }

    /// <summary>The number of processes started on the machine.</summary>
    public int StartCount { get; private set; }

    /// <summary>How many times slower the machine is than others; may be changed at any time.</summary>
    public double Slowness { get; set; }

    /// <summary>Whether no datagram reaches it, while its connections stand.</summary>
    public bool IsDeaf { get; set; }

    /// <summary>The processor its core shares with others; null (the default) for one of its own. Set before the first start.</summary>
    public SimulatedProcessor? Processor { get; set; }

    /// <summary>How fast its monotonic clock gains on the world's, in millionths; negative when it falls behind.</summary>
    public int ClockDriftPpm => _options.ClockDriftPpm;

    /// <summary>How far its wall clock is ahead of the world's, in microseconds; may be changed at any time; survives crashes.</summary>
    public long WallOffsetMicros { get; set; }

    /// <summary>The time of day on the machine, in microseconds of Unix time. It jumps; nothing may be ordered by it.</summary>
    public long UnixMicros => StartUnixMicros + (_scheduler.NowNs / 1_000) + WallOffsetMicros;

    /// <summary>The number of turns its cores have taken.</summary>
    public long StepCount { get; private set; }

    /// <summary>The core of the running process; a new one after each start.</summary>
    /// <exception cref="InvalidOperationException">No process is running.</exception>
    public CoreLoop Core => _core ?? throw new InvalidOperationException($"Nothing runs on {Name}: start it first.");

    /// <summary>
    /// Passes completions to the core of the process running now; completions after its end are dropped. A new one after each start.
    /// </summary>
    /// <exception cref="InvalidOperationException">No process is running.</exception>
    public ICompletionQueue Completions => _completions ?? throw new InvalidOperationException($"Nothing runs on {Name}: start it first.");

    /// <summary>The number of requests waiting outside the core.</summary>
    public int InboxCount => _inbox.Count;

    /// <summary>For how long it stays paused from now on, in nanoseconds; 0 if it is not.</summary>
    public long PausedNs => Math.Max(0, _pausedUntilNs - _scheduler.NowNs);

    /// <summary>True if the run is one without this machine: nothing ever starts on it. Set before the first start.</summary>
    public bool IsAbsent { get; set; }

    internal int ZoneIndex { get; }

    internal PortSource Ports { get; private set; }

    /// <summary>Starts a process: a new core with its own seed, then <see cref="OnStart"/>.</summary>
    /// <exception cref="InvalidOperationException">A process is already running.</exception>
    public void Start()
    {
        if (_core is not null)
        {
            throw new InvalidOperationException($"{Name} runs already: crash it first.");
        }

        if (IsAbsent)
        {
            return;
        }

        StartCount++;
        World.Trace?.Add(TraceKind.Started, this, StartCount == 1 ? "starts" : "starts again");
        IsSilent = false;
        _startedNs = _scheduler.NowNs;
        _busyUntilNs = _scheduler.NowNs;
        _pausedUntilNs = 0;
        long offsetNs = 1_000_000_000 + _random.NextInt64(1_000_000_000_000);
        _clockAtStartNs = _options.ClockOffsetNs is { } fixedNs ? fixedNs + _scheduler.NowNs : offsetNs;
        _core = new CoreLoop(_options.Core, _random.NextUInt64());
        _completions = new ProcessCompletions(this);
        Ports = new PortSource();
        _core.Add(Ports);
        _core.DoWork(_clockAtStartNs);
        OnStart?.Invoke(this);
        ScheduleStep();
    }

    /// <summary>Starts a process if none is running: several faults may keep the machine down, and the first to end starts it.</summary>
    /// <returns>True if it was down.</returns>
    public bool TryStart()
    {
        if (_core is not null)
        {
            return false;
        }

        Start();
        return true;
    }

    /// <summary>
    /// Ends the process at once: its ports, connections, queued datagrams and memory are gone. Has no effect if none is running.
    /// </summary>
    /// <param name="isSilent">True for a loss of power: peers learn of it only from their keep-alive. False (the default) for a killed
    /// process.</param>
    public void Crash(bool isSilent = false)
    {
        if (_core is null)
        {
            return;
        }

        World.Trace?.Add(TraceKind.Crashed, this, isSilent ? "loses its power" : "is killed");
        _core = null;
        _completions = null;
        IsSilent = isSilent;
        _scheduler.Cancel(_step);
        _inbox.Clear();
        IMachineResource[] resources = [.. _resources];
        _resources.Clear();
        foreach (IMachineResource resource in resources)
        {
            resource.OnCrash(isSilent);
        }
    }

    /// <summary>Suspends the process for a while: its clock continues, input queues in bounded buffers, nothing is answered.</summary>
    public void Pause(long durationNs)
    {
        _pausedUntilNs = Math.Max(_pausedUntilNs, _scheduler.NowNs + durationNs);
        if (_core is not null && !_isStepping)
        {
            ScheduleStep();
        }
    }

    /// <summary>Passes a request to the core, in order. While the core's request queue is full, requests wait outside, in order.</summary>
    /// <exception cref="InvalidOperationException">More requests are waiting than
    /// <see cref="SimulatedMachineOptions.InboxMax"/>.</exception>
    /// <returns>False if no process is running: the request is dropped.</returns>
    public bool Post(Request request)
    {
        if (_core is null)
        {
            return false;
        }

        if (_inbox.Count >= _options.InboxMax)
        {
            throw new InvalidOperationException(
                $"More than {_options.InboxMax} requests wait for {Name}: it takes none, or somebody posts without end.");
        }

        _inbox.Enqueue(request);
        Wake();
        return true;
    }

    /// <summary>
    /// Runs an action outside the core after a delay, for the process running now, as its pool threads, disk or signer would. Dropped if
    /// that process is gone by then.
    /// </summary>
    public void Schedule(long delayNs, Action action)
    {
        ArgumentNullException.ThrowIfNull(action);
        int start = StartCount;
        _scheduler.Schedule(delayNs, () =>
        {
            if (_core is not null && StartCount == start)
            {
                action();
            }
        });
    }

    /// <summary>Runs an action on the core at its next turn. Returns false if no process is running.</summary>
    public bool Post(Action action) => Post(new ActionRequest(action));

    /// <summary>Makes the core take a turn as soon as possible, because input is waiting for it.</summary>
    public void Wake()
    {
        if (_core is null || _isStepping)
        {
            return;
        }

        long dueNs = Math.Max(_scheduler.NowNs, Math.Max(_busyUntilNs, _pausedUntilNs));
        if (!_step.IsScheduled || _step.DueNs > dueNs)
        {
            _scheduler.ScheduleAt(dueNs, _step);
        }
    }

    /// <summary>Adds a checker, called after every turn of this machine. Kept across restarts.</summary>
    public void Add(IChecker checker)
    {
        ArgumentNullException.ThrowIfNull(checker);
        _checkers.Add(checker);
    }

    /// <summary>Notifies the resource when the process running now ends, and then forgets it.</summary>
    public void Attach(IMachineResource resource) => _resources.Add(resource);

    /// <summary>Stops notifying a resource.</summary>
    public void Detach(IMachineResource resource) => _resources.Remove(resource);

    /// <summary>The reading of the machine's clock at a simulated time, which must not be before the last start.</summary>
    public long ToMachineNs(long simulatedNs)
    {
        long elapsedNs = simulatedNs - _startedNs;
        return _clockAtStartNs + elapsedNs + (elapsedNs / 1_000_000 * _options.ClockDriftPpm);
    }

    /// <summary>
    /// The first simulated time, to within a few nanoseconds, at which the machine's clock shows this reading, for the process running now.
    /// </summary>
    public long ToSimulatedNs(long machineNs)
    {
        if (machineNs == long.MaxValue)
        {
            return machineNs;
        }

        long elapsedNs = machineNs - _clockAtStartNs;
        return _startedNs + (_options.ClockDriftPpm == 0 ? elapsedNs : (long)(elapsedNs / (1 + (_options.ClockDriftPpm * 1e-6))));
    }

    /// <inheritdoc/>
    public override string ToString() => Name;

    void IViolationSubject.AddTo(ViolationSubject subject) => subject.AddMachine(Name);

    /// <summary>Takes a turn for requests posted to the core without <see cref="Post(Request)"/>.</summary>
    internal void WakeIfRequested()
    {
        if (_core is { } core && !core.Requests.IsEmpty)
        {
            Wake();
        }
    }

    private void Step()
    {
        if (Processor is { } taken && taken.FreeNs > _scheduler.NowNs)
        {
            _scheduler.ScheduleAt(taken.FreeNs, _step);
            return;
        }

        CoreLoop core = _core!;
        World.LastStepped = this;
        _isStepping = true;
        int work;
        try
        {
            while (_inbox.TryPeek(out Request? request) && core.Requests.TryPost(request))
            {
                _inbox.Dequeue();
            }

            work = core.DoWork(ToMachineNs(_scheduler.NowNs));
            StepCount++;
            long workNs = Math.Max(1, (long)((_options.TurnNs + (work * _options.WorkNs)) * Slowness));
            // Who has had a turn stands behind those that wait for one.
            _busyUntilNs = Processor is { } shared ? shared.Run(_scheduler.NowNs, workNs) + 1 : _scheduler.NowNs + workNs;
            if (ReferenceEquals(core, _core))
            {
                AfterStep?.Invoke(this);
            }
        }
        finally
        {
            _isStepping = false;
        }

        World.OnStepped();
        foreach (IChecker checker in _checkers)
        {
            checker.OnStep(_scheduler.NowNs);
        }

        if (_core is not null)
        {
            ScheduleStep();
        }
    }

    private void ScheduleStep()
    {
        CoreLoop core = _core!;
        bool hasInput = _inbox.Count > 0 || Ports.WaitingCount > 0;
        long dueNs = hasInput ? _scheduler.NowNs : ToSimulatedNs(core.NextDueNs);
        if (dueNs == long.MaxValue)
        {
            _scheduler.Cancel(_step);
            return;
        }

        dueNs = Math.Max(dueNs, Math.Max(_busyUntilNs, _pausedUntilNs));
        if (!_step.IsScheduled || _step.DueNs != dueNs)
        {
            _scheduler.ScheduleAt(dueNs, _step);
        }
    }

    private sealed class ProcessCompletions(SimulatedMachine machine) : ICompletionQueue
    {
        public void Complete(Action action)
        {
            if (ReferenceEquals(machine._completions, this))
            {
                machine.Post(action);
            }
        }
    }

    private sealed class StepEvent(SimulatedMachine machine) : SimulationEvent
    {
        protected internal override void Run() => machine.Step();
    }
}
