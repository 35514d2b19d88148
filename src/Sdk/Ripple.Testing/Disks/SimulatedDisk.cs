using Ripple.Engine.Core;
using Ripple.Gms.Store;

namespace Ripple.Testing.Disks;

/// <summary>
/// The contents of a host's disk, which survive crashes of the host. Opened as a store; copied and put back for a host restored from a
/// backup. Belongs to the thread that steps the simulation; a seed determines the run.
/// </summary>
internal sealed class SimulatedDisk
{
    private readonly Action<long, Action> _schedule;
    private readonly DeterministicRandom _random;

    /// <summary>Creates an empty disk.</summary>
    /// <param name="schedule">Runs an action the given number of nanoseconds from now, never immediately, on the simulation's
    /// thread.</param>
    /// <param name="random">The disk's own random generator.</param>
    /// <param name="options">The disk's behavior; null for the defaults.</param>
    public SimulatedDisk(Action<long, Action> schedule, DeterministicRandom random, SimulatedDiskOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(schedule);
        ArgumentNullException.ThrowIfNull(random);
        _schedule = schedule;
        _random = random;
        Options = options ?? new();
    }

    /// <summary>The disk's behavior.</summary>
    public SimulatedDiskOptions Options { get; }

    /// <summary>The format version of the disk; opening a version later than the supported one is refused.</summary>
    public int FormatVersion { get; set; } = StoreImage.FormatVersion;

    /// <summary>
    /// If not null, the next flush fails with this reason and resets the property; the store is then broken until it is opened again.
    /// </summary>
    public string? FailNextSync { get; set; }

    /// <summary>The number of successful flushes.</summary>
    public long SyncCount { get; private set; }

    /// <summary>The number of batches that became durable.</summary>
    public long DurableBatchCount { get; private set; }

    /// <summary>The number of batches lost by a crash or a failed flush.</summary>
    public long LostBatchCount { get; private set; }

    internal StoreImage Image { get; private set; } = StoreImage.Empty;

    internal SimulatedHostStore? Host { get; set; }

    /// <summary>
    /// Opens the disk as a store, with the rules of <see cref="SqliteHostStore"/>. Throws <see cref="StoreException"/> if another host has
    /// it open.
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

    /// <summary>A backup: the contents that are durable now. Costs nothing.</summary>
    public SimulatedDiskCopy Copy() => new(Image);

    /// <summary>
    /// Restores a backup of this disk or another. Throws <see cref="InvalidOperationException"/> while a host has the disk open.
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

    /// <summary>Ends a flush successfully: every batch becomes durable or is refused.</summary>
    internal void Sync(IReadOnlyList<SimulatedCommit> commits)
    {
        SyncCount++;
        Write(commits, commits.Count);
    }

    /// <summary>Ends a flush with a failure: the first few batches may be durable all the same, but are not acknowledged.</summary>
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
