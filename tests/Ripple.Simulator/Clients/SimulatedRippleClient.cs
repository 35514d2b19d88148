using System.Collections.Immutable;
using System.Net;
using Ripple.Client;
using Ripple.Client.Running;
using Ripple.Client.Snapshots;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Clients;

/// <summary>
/// The real client in the process of a machine, with a program of its own around it: it starts the client, and ends where that fails, as
/// services do; judges candidates; and watches. The folder of its snapshots survives crashes.
/// </summary>
internal partial class SimulatedRippleClient : SimulatedClient, IMachineResource
{
    /// <summary>The directory in which the client looks for its snapshots.</summary>
    public const string Directory = "/state";

    private const long StartAgainNs = 1_000_000_000;
    private readonly SimulatedWorld _world;
    private readonly SimulatedAuthority _authority;
    private readonly DeterministicRandom _random;
    private readonly SortedSet<Digest160> _accepted = [];
    private bool _hasFailedToStart;

    /// <summary>Creates a client that starts with the machine.</summary>
    /// <param name="world">The world.</param>
    /// <param name="machine">The machine.</param>
    /// <param name="authority">The cluster's authority.</param>
    /// <param name="node">The application, zone and name.</param>
    /// <param name="mode">How the program starts its client.</param>
    public SimulatedRippleClient(
        SimulatedWorld world,
        SimulatedMachine machine,
        SimulatedAuthority authority,
        NodeOptions node,
        StartupMode mode = StartupMode.UseSnapshot)
        : base(world, machine, authority, node)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(node);
        _world = world;
        _authority = authority;
        _random = world.Random.Fork(5_000 + (ulong)machine.Index);
        Folder = new SimulatedFolder(world.Random.Fork(6_000 + (ulong)machine.Index))
        {
            OnOutside = directory => _world.Fail(
                "States", $"{machine} keeps snapshots in '{directory}'; its folder is {Directory}", machine),
        };
        Monitors = new MonitorProgram(world, machine);
        Judge = JudgeAsync;
        ClientOptions = new RippleClientOptions
        {
            Application = node.Application,
            Zone = node.Zone,
            Name = node.Name,
            StartupMode = mode,
            SnapshotDirectory = machine.Index % 4 == 0 ? Directory : null,
            BindAddress = IPAddress.Loopback,
            AcceptRelease = (release, token) => Judge(release, token),
            AcceptTimeout = TimeSpan.FromSeconds(3),
            Interest = node.Interest,
            Labels = node.Labels.Count == 0 ? null : node.Labels.ToImmutableSortedDictionary(),
        };
    }

    /// <summary>The options of the client, but for the runtime.</summary>
    protected RippleClientOptions ClientOptions { get; }

    /// <summary>The folder of its snapshots.</summary>
    public SimulatedFolder Folder { get; }

    /// <summary>The client; null while it starts, and in a process that does not run.</summary>
    public RippleClient? Client { get; private set; }

    /// <summary>The process's work outside the core; null before the first start.</summary>
    public SimulatedClientScheduler? Scheduler { get; private set; }

    /// <summary>The share of decisions that take up to a second. Default 0.02.</summary>
    public double SlowShare { get; init; } = 0.02;

    /// <summary>The share of decisions that are never made. Default 0.002.</summary>
    public double SilentShare { get; init; } = 0.002;

    /// <summary>Judges a candidate. By default as the shares say, each release the same in every life.</summary>
    public Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>> Judge { get; set; }

    /// <summary>Called when a start has succeeded.</summary>
    public Action<SimulatedRippleClient>? OnOpened { get; set; }

    /// <summary>Called with each release that a watch of its own application delivers.</summary>
    public Action<SimulatedRippleClient, RippleRelease>? OnWatched { get; set; }

    /// <summary>
    /// Called with each release that a watch of every release of its own application delivers, and the one before it; null for the first of
    /// a life.
    /// </summary>
    public Action<HistoryLine?, HistoryLine>? OnHistoryWatched { get; set; }

    /// <summary>Its monitors of its own application.</summary>
    public MonitorProgram Monitors { get; }

    /// <summary>Whether it watches every release of its own application, and follows predicates over it. Default true.</summary>
    public bool WatchesHistory { get; init; } = true;

    /// <summary>The number of releases that its watches of every release delivered.</summary>
    public long HistoryWatchedCount { get; private set; }

    /// <summary>The number of releases its watches delivered.</summary>
    public long WatchedCount { get; private set; }

    /// <summary>The number of starts that failed.</summary>
    public long FailedStartCount { get; private set; }

    /// <inheritdoc/>
    public override bool HasFailedToStart => _hasFailedToStart;

    /// <summary>Whether its program accepted this state, in this or an earlier life.</summary>
    public bool HasAccepted(ApplicationState state)
    {
        ArgumentNullException.ThrowIfNull(state);
        return _accepted.Contains(state.Keys.Id);
    }

    /// <inheritdoc/>
    public override ulong SavedPosition(string application, uint generation) => Folder.Paths
        .Where(p => Path.GetFileName(p) == application + ".snapshot")
        .Select(p => Folder.Find(p)!.Mark is Saved saved && saved.Generation == generation ? saved.Release : 0)
        .DefaultIfEmpty()
        .Max();

    /// <summary>Watches a task of the program: what it throws ends the run, since nothing else would tell of it.</summary>
    public void Follow(Task task) => _ = FollowAsync(task);

    /// <summary>Ends the process after the present event; whoever watches over services starts it again.</summary>
    public void End()
    {
        int life = Machine.StartCount;
        _world.Scheduler.Schedule(0, () =>
        {
            if (!Machine.IsRunning || Machine.StartCount != life)
            {
                return;
            }

            Machine.Crash();
            _world.Scheduler.Schedule(StartAgainNs, () => Machine.TryStart());
        });
    }

    /// <summary>The start failed: the process ends.</summary>
    protected void FailStart()
    {
        FailedStartCount++;
        _hasFailedToStart = true;
        End();
    }

    /// <summary>The start has succeeded.</summary>
    protected void NoteStart() => _hasFailedToStart = false;

    void IMachineResource.OnCrash(bool isSilent)
    {
        Client = null;
        if (isSilent)
        {
            Folder.LosePower();
        }
    }

    /// <inheritdoc/>
    protected override void Start()
    {
        Forget();
        Client = null;
        Machine.Attach(this);
        if (_random.NextBool(Folder.Faults.FlipShare))
        {
            _world.Faults.Add("clientDiskFlip");
            Folder.Flip();
        }

        Scheduler = new SimulatedClientScheduler(Machine, _random);
        ClientCore? core = null;
        var driver = new SimulatedDriver(Machine, Scheduler, new SimulatedFiles(Folder, Machine, Scheduler, End), _authority)
        {
            GroupReach = GroupReach,
            OnPort = (lane, port) => DataAddress = lane == PortLane.Data ? port.LocalAddress : DataAddress,
            OnHandler = handler => new Observer(this, core = (ClientCore)handler),
        };
        TellStarted(() => core?.Node);
        OnStarted?.Invoke();
        Follow(LiveAsync(new RippleRuntime(driver), Scheduler));
    }

    private async Task LiveAsync(RippleRuntime runtime, SimulatedClientScheduler scheduler)
    {
        if (await OpenAsync(runtime).ConfigureAwait(false) is not { } client)
        {
            FailStart();
            return;
        }

        await scheduler.ResumeAsync().ConfigureAwait(false);
        Client = client;
        // Outside this method, so that what a checker throws is not kept in its task.
        scheduler.Run(() => OnOpened?.Invoke(this));
        foreach (string other in Applications.Skip(1))
        {
            Follow(WatchAsync(client, other));
        }

        if (WatchesHistory)
        {
            Follow(WatchHistoryAsync(client));
            Array.ForEach(Monitors.Run(client), Follow);
        }

        await WatchAsync(client, client.Application).ConfigureAwait(false);
    }

    private async Task WatchHistoryAsync(RippleClient client)
    {
        HistoryLine? last = null;
        try
        {
            await foreach (HistoryEntry entry in client.WatchHistoryAsync().ConfigureAwait(false))
            {
                HistoryLine? before = last;
                HistoryLine line = last = new HistoryLine(entry.Generation, entry.Release, entry.Id.ToString(), entry.Note, entry.Keys);
                HistoryWatchedCount++;
                _world.Scheduler.Schedule(0, () => OnHistoryWatched?.Invoke(before, line));
            }
        }
        catch (RippleException)
        {
            // Its credential is refused from now on.
        }
    }

    private async Task WatchAsync(RippleClient client, string application)
    {
        RippleRelease? last = null;
        await foreach (RippleRelease release in client.WatchAsync(application).ConfigureAwait(false))
        {
            RippleRelease? before = last;
            last = release;
            WatchedCount++;
            _world.Scheduler.Schedule(0, () => NoteWatched(before, release));
        }
    }

    /// <summary>Starts the client on this runtime; null when that fails.</summary>
    protected virtual async Task<RippleClient?> OpenAsync(RippleRuntime runtime)
    {
        try
        {
            RippleClientOptions options = ClientOptions with { Runtime = runtime };
            RippleClient client = await RippleClient.StartNewAsync(
                SimulatedTrust.ConnectionTo("host"), options, Variable, CancellationToken.None).ConfigureAwait(false);
            NoteStart();
            return client;
        }
        catch (RippleException)
        {
            return null;
        }
    }

    /// <summary>The environment: most programs get their folder from it, and there is a home in which nothing must be kept then.</summary>
    private static string? Variable(string name) => name switch
    {
        SnapshotPaths.Variable => Directory,
        "HOME" => "/elsewhere",
        _ => null,
    };

    private void NoteWatched(RippleRelease? before, RippleRelease release)
    {
        if (before is not null && !release.IsAfter(before))
        {
            _world.Fail("Watches", $"a watch of {Machine} delivered {release} after {before}");
        }

        if (release.Application == Options.Application)
        {
            OnWatched?.Invoke(this, release);
        }
    }

    private async ValueTask<ReleaseDecision> JudgeAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        string? reason = VerdictOn(release.Release);
        double manner = _random.NextDouble();
        long delayNs = 10_000 + _random.NextInt64(manner < SlowShare ? 1_000_000_000 : 5_000_000);
        TimeSpan delay = manner > 1 - SilentShare ? Timeout.InfiniteTimeSpan : TimeSpan.FromTicks(delayNs / TimeSpan.NanosecondsPerTick);
        await Task.Delay(delay, Scheduler!.Clock, cancellationToken).ConfigureAwait(false);
        if (reason is null)
        {
            NoteAccepted(release);
            return ReleaseDecision.Accept;
        }

        RejectedCount++;
        return release.Release % 3 == 0
            ? throw new InvalidOperationException(reason)
            : ReleaseDecision.Reject(reason);
    }

    /// <summary>Records that its program accepted a release.</summary>
    public void NoteAccepted(RippleRelease release)
    {
        ArgumentNullException.ThrowIfNull(release);
        _accepted.Add(release.Id);
    }

    private async Task FollowAsync(Task task)
    {
        try
        {
            await task.ConfigureAwait(false);
        }
        catch (InvariantViolationException e)
        {
            _world.Scheduler.Schedule(0, () => throw e);
        }
        catch (Exception e)
        {
            _world.Scheduler.Schedule(0, () => throw new InvalidOperationException($"The program on {Machine} failed: {e.Message}", e));
        }
    }

    private sealed record Saved(uint Generation, ulong Release);
}
