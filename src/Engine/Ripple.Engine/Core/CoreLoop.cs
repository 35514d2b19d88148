using Ripple.Engine.Memory;

namespace Ripple.Engine.Core;

/// <summary>
/// The core (QSM 3): a single-threaded loop over received packets, alarms and requests, and the agents that send. Stepped: the thread that
/// calls <see cref="DoWork"/> is the core thread (a runner, a test, or the simulator). Many nodes may share one core.
/// </summary>
/// <remarks>
/// A turn drains the sources into the priority queues, then runs requests, alarms, packets by class within the quantum, and agents. An
/// exception thrown by a callback is a broken invariant and propagates out of <see cref="DoWork"/>, which ends the runner and reports the
/// failure. Anything on a core is disposed of in a request or callback on it: detach from sources first, then cancel alarms, then return
/// leases.
/// </remarks>
internal sealed class CoreLoop
{
    /// <summary>
    /// The lower limit of the quantum while alarms lag, and its increment once they no longer do. A quarter of the default quantum: two
    /// late turns shrink it fully, and three good ones restore it.
    /// </summary>
    private const int IoQuantumStep = 16;

    private readonly CoreOptions _options;
    private readonly List<IIoSource> _sources = [];
    private readonly List<Agent> _active = [];
    private readonly byte[] _trainScratch = new byte[PortLimits.TrainBytesMax];
    private int _ioQuantum;
    private long _dataWaitsSinceNs = long.MaxValue;
    private bool _isBusy;

    /// <param name="options">Sizes.</param>
    /// <param name="seed">Seeds <see cref="Random"/>.</param>
    public CoreLoop(CoreOptions options, ulong seed)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.IoQuantum, nameof(options));
        _options = options;
        _ioQuantum = options.IoQuantum;
        Random = new DeterministicRandom(seed);
        Alarms = new AlarmQueue(options.AlarmsMax);
        Requests = new RequestQueue(options.RequestsMax);
        RefusedTrains = new BufferPool(PortLimits.TrainBytesMax, options.RefusedTrainsMax, options.IsChecked);
        Io = new IoQueue(options);
    }

    /// <summary>The time of this turn, in nanoseconds.</summary>
    public long NowNs { get; private set; }

    /// <summary>The core's source of randomness.</summary>
    public DeterministicRandom Random { get; }

    /// <summary>The core's alarms.</summary>
    public AlarmQueue Alarms { get; }

    /// <summary>Incoming requests from other threads.</summary>
    public RequestQueue Requests { get; }

    /// <summary>Received packets that wait to be handled.</summary>
    public IoQueue Io { get; }

    /// <summary>
    /// The time, in nanoseconds, up to which all received data packets have been processed. A sequence announced before it and still
    /// missing is lost, not queued.
    /// </summary>
    public long DataDrainedNs { get; private set; } = long.MinValue;

    /// <summary>
    /// The time, in nanoseconds, up to which all received control packets have been processed, as <see cref="DataDrainedNs"/>.
    /// </summary>
    public long ControlDrainedNs { get; private set; } = long.MinValue;

    /// <summary>
    /// True if data has waited for <see cref="CoreOptions.DataLateNsMax"/> and more, since no turn ended without any: the core gets more
    /// than it gets through. Half of each turn is for data then, for there may be no end to control: tokens make tokens.
    /// </summary>
    public bool IsDataLate => NowNs - _options.DataLateNsMax >= _dataWaitsSinceNs;

    /// <summary>
    /// The time, in nanoseconds, at which the core last went on after it had stood still for <see cref="CoreOptions.StandstillNs"/>: what
    /// its sources hold then is of before. <see cref="long.MinValue"/> if it never did.
    /// </summary>
    public long ResumedNs { get; private set; } = long.MinValue;

    /// <summary>The packet limit of each step of this turn: <see cref="CoreOptions.IoQuantum"/>, or less while alarms lag.</summary>
    public int IoQuantum => _ioQuantum;

    /// <summary>Buffers in which root sinks keep packets that their socket had no room for.</summary>
    internal BufferPool RefusedTrains { get; }

    /// <summary>
    /// A buffer for one train, valid only during the call that uses it: a root sink has it filled and sends it within one call.
    /// </summary>
    internal Span<byte> TrainScratch => _trainScratch;

    /// <summary>Activity counters since the core was created.</summary>
    public CoreCounters Counters { get; } = new();

    /// <summary>
    /// The time of the next turn that the loop needs by itself: now while packets, requests or agents wait, else the earliest alarm.
    /// </summary>
    public long NextDueNs => Io.Count > 0 || _active.Count > 0 || !Requests.IsEmpty ? NowNs : Alarms.NextDueNs;

    /// <summary>Adds the memory of a core of these sizes.</summary>
    public static void AddMemory(MemoryBudget budget, CoreOptions options)
    {
        IoQueue.AddMemory(budget, options);
        BufferPool.AddMemory(budget, "core: trains that a socket refused", PortLimits.TrainBytesMax, options.RefusedTrainsMax);
        int trainBytes = PortLimits.TrainBytesMax + MemoryBudget.ArrayBytes;
        budget.Add(MemoryScope.Process, MemoryKind.Fixed, "core: a train that is made", 1, trainBytes);
        RequestQueue.AddMemory(budget, options.RequestsMax);
        AlarmQueue.AddMemory(budget, options.AlarmsMax);
    }

    /// <summary>Adds a source of packets. Core thread.</summary>
    public void Add(IIoSource source) => _sources.Add(source);

    /// <summary>
    /// Has the agent called each turn, starting with this one, until it has nothing to do. Core thread; does nothing when it is already
    /// active.
    /// </summary>
    public void Activate(Agent agent)
    {
        agent.IsActive = true;
        if (!agent.IsListed && !agent.IsStopped)
        {
            agent.IsListed = true;
            _active.Add(agent);
        }
    }

    /// <summary>Removes a source. Core thread.</summary>
    public void Remove(IIoSource source) => _sources.Remove(source);

    /// <summary>Drops the packets that wait for a handler that is being disposed of. Core thread.</summary>
    public void Forget(IDatagramHandler handler) => Io.Forget(handler);

    /// <summary>Schedules an alarm relative to the time of this turn; <see cref="long.MaxValue"/> means never.</summary>
    public void ScheduleIn(Alarm alarm, long delayNs) =>
        Alarms.Schedule(alarm, delayNs > long.MaxValue - NowNs ? long.MaxValue : NowNs + delayNs);

    /// <summary>
    /// True if a control packet that was due at a time may have been received by then, and waits to be handled: no turn since has ended
    /// without one that waits, and one waits now.
    /// </summary>
    public bool MayControlBeUnread(long dueNs) => ControlDrainedNs < dueNs && HasWaiting(PortLane.Control);

    /// <summary>
    /// Runs one turn at the given time, which must not go backward. Returns the work done; 0 means: sleep until <see cref="NextDueNs"/>.
    /// </summary>
    public int DoWork(long nowNs)
    {
        long previousNs = NowNs;
        NowNs = Math.Max(nowNs, NowNs);
        AdaptQuantum();
        int work = 0;
        foreach (IIoSource source in _sources)
        {
            work += source.Drain(Io, _ioQuantum);
        }

        int requests = Requests.Drain(_options.IoQuantum);
        int alarms = Alarms.RunDue(NowNs, _options.IoQuantum);
        if (_isBusy)
        {
            // Packets read now arrived after the sources were last read, at most one turn ago.
            Counters.AddControlWait(NowNs - previousNs, Io.CountOf(PortLane.Control));
        }

        int packets = Io.Process(_ioQuantum, controlMax: IsDataLate ? _ioQuantum - (_ioQuantum / 2) : _ioQuantum);
        work += requests + alarms + packets;
        NoteDrained();
        work += RunAgents();
        Counters.Turns++;
        Counters.Requests += requests;
        Counters.Alarms += alarms;
        Counters.Packets += packets;
        _isBusy = work > 0;
        return work;
    }

    private void NoteDrained()
    {
        if (!HasWaiting(PortLane.Control))
        {
            ControlDrainedNs = NowNs;
        }

        if (HasWaiting(PortLane.Data))
        {
            _dataWaitsSinceNs = Math.Min(_dataWaitsSinceNs, NowNs);
            return;
        }

        _dataWaitsSinceNs = long.MaxValue;
        DataDrainedNs = NowNs;
    }

    private bool HasWaiting(PortLane lane)
    {
        if (Io.CountOf(lane) > 0)
        {
            return true;
        }

        foreach (IIoSource source in _sources)
        {
            if (source.HasWaiting(lane))
            {
                return true;
            }
        }

        return false;
    }

    private int RunAgents()
    {
        int work = 0;
        int kept = 0;
        int i = 0;
        // Agents activated during these calls are appended and also run in this turn, up to a limit: idle agents that keep activating each
        // other must not hold up alarms and packets forever.
        int end = _active.Count + _options.IoQuantum;
        for (; i < _active.Count && i < end; i++)
        {
            Agent agent = _active[i];
            // Cleared before the call, so that an activation during it is not lost.
            agent.IsActive = false;
            int done = agent.IsStopped ? 0 : agent.DoWork();
            work += done;
            if ((done > 0 || agent.IsActive) && !agent.IsStopped)
            {
                agent.IsActive = true;
                _active[kept++] = agent;
            }
            else
            {
                agent.IsActive = false;
                agent.IsListed = false;
            }
        }

        _active.RemoveRange(kept, i - kept);
        return work;
    }

    private void AdaptQuantum()
    {
        long lagNs = Alarms.NextDueNs == long.MaxValue ? 0 : NowNs - Alarms.NextDueNs;
        if (lagNs > Counters.AlarmLagNsMax)
        {
            Counters.AlarmLagNsMax = lagNs;
        }

        if (lagNs >= _options.StandstillNs)
        {
            ResumedNs = NowNs;
        }

        _ioQuantum = lagNs > _options.AlarmLagNsMax
            ? Math.Max(Math.Min(IoQuantumStep, _options.IoQuantum), _ioQuantum / 2)
            : Math.Min(_options.IoQuantum, _ioQuantum + IoQuantumStep);
    }
}

/// <summary>
/// Work done at the end of each turn while there is any, such as a root sink that pulls and sends. Costs nothing while idle.
/// </summary>
internal abstract class Agent
{
    internal bool IsActive { get; set; }

    internal bool IsListed { get; set; }

    internal bool IsStopped { get; private set; }

    /// <summary>
    /// Called on the core thread once per turn while active. Does a bounded amount of work and returns how much; 0 makes the agent idle
    /// until the next <see cref="CoreLoop.Activate"/>.
    /// </summary>
    protected internal abstract int DoWork();

    /// <summary>Stops the agent permanently; later activations have no effect. Core thread; safe from inside its own callback.</summary>
    protected void Stop() => IsStopped = true;
}

/// <summary>
/// The only source of time for protocol code. Read once per turn by the caller of <see cref="CoreLoop.DoWork"/>; everything below uses
/// <see cref="CoreLoop.NowNs"/>.
/// </summary>
internal interface IClock
{
    /// <summary>Monotonic time in nanoseconds from an arbitrary origin. Never goes backward. Callable from any thread.</summary>
    long NowNs { get; }
}

/// <summary>Activity counters of a core. Written on the core thread; instruments read each value independently, from any thread.</summary>
internal sealed class CoreCounters
{
    /// <summary>Turns of the loop.</summary>
    public long Turns { get; internal set; }

    /// <summary>Requests run.</summary>
    public long Requests { get; internal set; }

    /// <summary>Alarms run.</summary>
    public long Alarms { get; internal set; }

    /// <summary>Datagrams handled.</summary>
    public long Packets { get; internal set; }

    /// <summary>
    /// The longest time, in nanoseconds, that control packets may have waited between arrival and handling while the core was busy,
    /// measured from one read of the sockets to the next. One that waits for several turns counts in each, as that turn's wait.
    /// </summary>
    public long ControlWaitNsMax { get; private set; }

    /// <summary>The sum of these waits over all control packets handled by a busy core, in nanoseconds.</summary>
    public long ControlWaitNs { get; private set; }

    /// <summary>The number of control packets in that sum.</summary>
    public long ControlWaits { get; private set; }

    /// <summary>The longest time that an alarm was found overdue, in nanoseconds.</summary>
    public long AlarmLagNsMax { get; internal set; }

    internal void AddControlWait(long waitNs, int packets)
    {
        if (packets > 0)
        {
            ControlWaitNsMax = Math.Max(ControlWaitNsMax, waitNs);
            ControlWaitNs += waitNs * packets;
            ControlWaits += packets;
        }
    }
}
