using Ripple.Engine.Core;
using Ripple.Gms.Store;

namespace Ripple.Testing.Disks;

/// <summary>
/// What a host's disk holds, across crashes of the host. Opened as a store; copied and put back for a host that is restored from a backup.
/// Belongs to the thread that steps the simulation; one seed gives one run.
/// </summary>
internal sealed class SimulatedDisk
{
    private readonly Action<long, Action> _schedule;
    private readonly DeterministicRandom _random;

    /// <summary>An empty disk.</summary>
    /// <param name="schedule">Runs an action a number of nanoseconds from now, never at once, on the thread of the simulation.</param>
    /// <param name="random">The disk's own generator.</param>
    /// <param name="options">How it behaves; null for the defaults.</param>
    public SimulatedDisk(Action<long, Action> schedule, DeterministicRandom random, SimulatedDiskOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(schedule);
        ArgumentNullException.ThrowIfNull(random);
        _schedule = schedule;
        _random = random;
        Options = options ?? new();
    }

    /// <summary>How it behaves.</summary>
    public SimulatedDiskOptions Options { get; }

    /// <summary>The format the disk claims to have; a later one than this version's is refused when opened.</summary>
    public int FormatVersion { get; set; } = StoreImage.FormatVersion;

    /// <summary>
    /// When not null, the next flush fails with this reason, and the store is broken until it is opened again. Reset by that.
    /// </summary>
    public string? FailNextSync { get; set; }

    /// <summary>How many flushes ended well.</summary>
    public long SyncCount { get; private set; }

    /// <summary>How many batches became durable.</summary>
    public long DurableBatchCount { get; private set; }

    /// <summary>How many batches a crash or a failed flush lost.</summary>
    public long LostBatchCount { get; private set; }

    internal StoreImage Image { get; private set; } = StoreImage.Empty;

    internal SimulatedHostStore? Host { get; set; }

    /// <summary>
    /// Opens the disk as a store; the rules are those of <see cref="SqliteHostStore"/>. Throws <see cref="StoreException"/> when another
    /// host has it open.
    /// </summary>
    public SimulatedHostStore Open(HostStoreOptions? options = null)
    {
        if (FormatVersion > StoreImage.FormatVersion)
        {
            throw new StoreFormatException("simulated", FormatVersion, StoreImage.FormatVersion);
        }

        options ??= new();
        if (options.IsHost && Host is not null)
        {
            throw new StoreException("The simulated store is in use by another host. Crash or dispose that one first.");
        }

        var store = new SimulatedHostStore(this, options);
        Host = options.IsHost ? store : Host;
        return store;
    }

    /// <summary>A backup: what is durable now. Costs nothing.</summary>
    public SimulatedDiskCopy Copy() => new(Image);

    /// <summary>
    /// Puts a backup back, of this disk or another. Throws <see cref="InvalidOperationException"/> while a host has the disk open.
    /// </summary>
    public void Restore(SimulatedDiskCopy copy)
    {
        ArgumentNullException.ThrowIfNull(copy);
        if (Host is not null)
        {
            throw new InvalidOperationException("A host has the disk open. Crash or dispose it before restoring.");
        }

        Image = copy.Image;
    }

    internal void Schedule(bool isSync, Action action)
    {
        long delayNs = isSync
            ? Options.SyncDelayMinNs + _random.NextInt64(Options.SyncDelayMaxNs - Options.SyncDelayMinNs + 1)
            : Options.ReadDelayNs;
        _schedule(delayNs, action);
    }

    /// <summary>Ends a flush well: every batch is refused or durable.</summary>
    internal void Sync(IReadOnlyList<SimulatedCommit> commits)
    {
        SyncCount++;
        Write(commits, commits.Count);
    }

    /// <summary>Ends a flush badly: the first few batches are there all the same, and nobody was told.</summary>
    internal void Tear(IReadOnlyList<SimulatedCommit> commits) =>
        Write(commits, Options.CrashTears ? _random.NextInt32(commits.Count + 1) : 0);

    private void Write(IReadOnlyList<SimulatedCommit> commits, int count)
    {
        for (int i = 0; i < commits.Count; i++)
        {
            if (i >= count)
            {
                LostBatchCount++;
                continue;
            }

            if (Image.Apply(commits[i].Batch, out StoreImage next) is { } wrong)
            {
                commits[i].Fail(StoreStatus.Refused, wrong);
                continue;
            }

            Image = next;
            DurableBatchCount++;
        }
    }
}
