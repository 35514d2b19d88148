using System.Buffers.Binary;
using System.Net;
using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms;
using Ripple.Gms.Core;
using Ripple.Gms.Placement;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Cluster;

/// <summary>The real host logic on a simulated machine and disk. Its state survives crashes as far as the disk keeps it.</summary>
internal sealed class SimulatedHost : IMachineResource, IWallClock, IKeySource, IPublishPreparer, IShortFormMaker
{
    private const long PrepareNs = 50_000;
    private const long LateDeltaNs = 20_000_000;
    private readonly SimulatedWorld _world;
    private readonly SimulatedSigner _signer;
    private readonly DeterministicRandom _keys;
    private readonly DeterministicRandom _deltas;
    private SimulatedHostStore? _store;

    /// <summary>Creates a host that starts with the machine.</summary>
    public SimulatedHost(SimulatedWorld world, SimulatedMachine machine, SimulatedAuthority authority, GmsOptions options)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(authority);
        _world = world;
        Machine = machine;
        _signer = authority.CreateSigner(machine.Name);
        Options = options;
        _keys = world.Random.Fork(7);
        _deltas = world.Random.Fork(33);
        Disk = new SimulatedDisk(
            (delayNs, action) => world.Scheduler.Schedule(delayNs, action), world.Random.Fork(8), nowNs: () => world.Scheduler.NowNs)
        {
            OnFault = name =>
            {
                world.Faults.Add(name);
                world.Trace?.Add(TraceKind.Noted, machine, $"has a fault of its disk: {name}");
            },
        };
        machine.OnStart = _ => Start();
    }

    /// <summary>Its options.</summary>
    public GmsOptions Options { get; }

    /// <summary>The machine.</summary>
    public SimulatedMachine Machine { get; }

    /// <summary>The disk, which survives crashes.</summary>
    public SimulatedDisk Disk { get; }

    /// <summary>The host while it runs and has persisted its start; otherwise null.</summary>
    public HostCore? Gms { get; private set; }

    /// <summary>Whether whoever watches over the process may end it: its start failed, or its store is broken.</summary>
    public bool IsBroken => Machine.IsRunning && (HasFailedToStart || _store is { IsBroken: true });

    private bool HasFailedToStart { get; set; }

    /// <summary>
    /// The number of multicast groups it has for its regions, a power of two. Default 0, which means unicast only.
    /// </summary>
    public int GroupsMax { get; init; }

    /// <summary>Called when a host is ready.</summary>
    public Action<HostCore>? OnReady { get; set; }

    /// <summary>Called at each start with every release on the disk, oldest first.</summary>
    public Action<ReleaseHeader>? OnFound { get; set; }

    /// <summary>Called at each start with the contents of the disk, after <see cref="OnFound"/>.</summary>
    public Action<StoreImage>? OnLoaded { get; set; }

    /// <inheritdoc/>
    public long UnixMicros => Machine.UnixMicros;

    /// <inheritdoc/>
    public byte[] NewRegionKey() => NewKey(RegionKey.KeyBytes);

    /// <inheritdoc/>
    public byte[] NewMemberKey() => NewKey(MemberKey.KeyBytes);

    /// <inheritdoc/>
    public bool TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done)
    {
        Machine.Schedule(PrepareNs, () =>
        {
            PreparedPublish? prepared = PublishPreparation.Prepare(input, out Refusal? refusal);
            done(prepared, refusal);
        });
        return true;
    }

    /// <inheritdoc/>
    public void Make(ShortFormWork work)
    {
        // Mostly in time; sometimes after the release has left, or never.
        switch (_deltas.NextInt32(10))
        {
            case 0:
                break;
            case 1:
                Machine.Schedule(LateDeltaNs, work.Make);
                break;
            default:
                work.Make();
                break;
        }
    }

    /// <summary>Changes a token, as another process of the machine does; false if the host does not run, or its queue is full.</summary>
    public bool TryCommit(AccessTokenChange change, Action<CommitResult> done) =>
        Gms is not null && _store is { } store && store.Commit(new CommitBatch { Tokens = [change] }, done);

    /// <summary>Restores an older copy of the disk; the host must be down.</summary>
    public void Restore(SimulatedDiskCopy copy, MarkFate mark) => Disk.Restore(copy, mark);

    void IMachineResource.OnCrash(bool isSilent)
    {
        Gms = null;
        _store?.Crash();
        _store = null;
    }

    private void Start()
    {
        Machine.Attach(this);
        HasFailedToStart = false;
        SimulatedHostStore store = Disk.Open();
        _store = store;
        HostState state = store.Load();
        foreach (StoredRelease release in Disk.Image.Applications.Values.SelectMany(a => a.Releases))
        {
            // Releases that were durable when the host died are committed by its successor, delivered or not.
            OnFound?.Invoke(release.Header);
        }

        OnLoaded?.Invoke(Disk.Image);
        GmsStart start = GmsStart.Plan(state, UnixMicros);
        ICompletionQueue completions = Machine.Completions;
        store.Commit(start.Batch, result => completions.Complete(() =>
        {
            if (result.IsDone)
            {
                Begin(store, state.Copy is null ? state : store.Load(), start, completions);
            }
            else
            {
                HasFailedToStart = true;
            }
        }));
    }

    private void Begin(SimulatedHostStore store, HostState state, GmsStart start, ICompletionQueue completions)
    {
        var context = new HostContext(Machine.Core, store, _signer.OpenOn(Machine), completions, this, Options, start.SlotEpoch);
        GroupRange? groups = CheckedOptions().Multicast?.Range();
        var ports = new HostPorts(_world.Network.Open(Machine), _world.Network.Open(Machine), groups);
        Gms = new HostCore(context, state, ports, this, this, new GmsEvents(null), this);
        _world.Control.Listen(Machine, Gms);
        OnReady?.Invoke(Gms);
    }

    /// <summary>
    /// The options of a server with this host, checked as it checks them at its start. What passes to connections may be less here than a
    /// server's least, so that budgets run out within a minute.
    /// </summary>
    private GmsServerOptions CheckedOptions()
    {
        var options = new GmsServerOptions
        {
            DataDirectory = Machine.Name,
            ListenAddress = new IPEndPoint(IPAddress.Parse("10.0.0.1"), 7_400),
            Gms = Options with { TransientBytesMax = Math.Max(Options.TransientBytesMax, GmsServerOptions.TransientBytesMin) },
            Multicast = GroupsMax == 0 ? null : new GmsMulticastOptions { Groups = Groups() },
        };
        options.Check();
        return options;
    }

    private byte[] NewKey(int bytes)
    {
        byte[] key = new byte[bytes];
        for (int i = 0; i < bytes; i += sizeof(ulong))
        {
            BinaryPrimitives.WriteUInt64LittleEndian(key.AsSpan(i), _keys.NextUInt64());
        }

        return key;
    }

    private IPNetwork Groups() => new(IPAddress.Parse("239.192.0.0"), 32 - BitOperations.Log2((uint)GroupsMax));
}
