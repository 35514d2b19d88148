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
    private readonly Func<long> _nowNs;
    private DiskFaults _faults = new();
    private DeterministicRandom? _chance;
    private long _fullUntilNs;
    private int _markCount;

    /// <summary>Creates an empty disk.</summary>
    /// <param name="schedule">Runs an action the given number of nanoseconds from now, never immediately, on the simulation's
    /// thread.</param>
    /// <param name="random">The disk's own random generator.</param>
    /// <param name="options">The disk's behavior; null for the defaults.</param>
    /// <param name="nowNs">The simulated time, for faults that last; null for a time that stands still.</param>
    public SimulatedDisk(
        Action<long, Action> schedule, DeterministicRandom random, SimulatedDiskOptions? options = null, Func<long>? nowNs = null)
    {
        ArgumentNullException.ThrowIfNull(schedule);
        ArgumentNullException.ThrowIfNull(random);
        _schedule = schedule;
        _random = random;
        _nowNs = nowNs ?? (() => 0);
        Options = options ?? new();
    }

    /// <summary>The disk's behavior.</summary>
    public SimulatedDiskOptions Options { get; }

    /// <summary>The format version of the disk; opening a version later than the supported one is refused.</summary>
    public int FormatVersion { get; set; } = StoreImage.FormatVersion;

    /// <summary>
    /// If not null, the next flush fails with this reason and resets the property; the store is then broken until the disk takes something,
    /// or it is opened again.
    /// </summary>
    public string? FailNextSync { get; set; }

    /// <summary>Called with the name of each fault that occurs.</summary>
    public Action<string> OnFault { get; set; } = _ => { };

    /// <summary>The number of successful flushes.</summary>
    public long SyncCount { get; private set; }

    /// <summary>The number of batches that became durable.</summary>
    public long DurableBatchCount { get; private set; }

    /// <summary>The number of batches lost by a crash or a failed flush.</summary>
    public long LostBatchCount { get; private set; }

    /// <summary>Whether the disk is full, whatever the chance of it: until somebody makes room.</summary>
    public bool IsFull { get; set; }

    internal StoreImage Image { get; private set; } = StoreImage.Empty;

    /// <summary>The mark beside the store; null if there is none.</summary>
    internal StoreMark? Mark { get; set; }

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

    /// <summary>From now on the disk misbehaves.</summary>
    public void Break(DiskFaults faults, DeterministicRandom chance)
    {
        _faults = faults;
        _chance = chance;
    }

    /// <summary>From now on the disk does what it should.</summary>
    public void Mend()
    {
        _faults = new DiskFaults();
        _fullUntilNs = 0;
    }

    /// <summary>A backup: the contents that are durable now. Costs nothing.</summary>
    public SimulatedDiskCopy Copy() => new(Image, Mark);

    /// <summary>
    /// Restores a backup of this disk or another. Throws <see cref="InvalidOperationException"/> while a host has the disk open.
    /// </summary>
    /// <param name="copy">The backup.</param>
    /// <param name="mark">What becomes of the mark beside the store.</param>
    public void Restore(SimulatedDiskCopy copy, MarkFate mark)
    {
        ArgumentNullException.ThrowIfNull(copy);
        if (Host is not null)
        {
            throw new InvalidOperationException("A host has the disk open. Crash or dispose it before restoring.");
        }

        Image = copy.Image;
        Mark = mark switch
        {
            MarkFate.Kept => Mark,
            MarkFate.Lost => null,
            _ => copy.Mark,
        };
    }

    internal void Schedule(bool isSync, Action action)
    {
        long delayNs = isSync
            ? Options.SyncDelayMinNs + _random.NextInt64(Options.SyncDelayMaxNs - Options.SyncDelayMinNs + 1)
            : Options.ReadDelayNs;
        if (Occurs(_faults.SlowShare, "diskSlow"))
        {
            delayNs += _chance!.NextInt64(_faults.SlowNsMax);
        }

        _schedule(delayNs, action);
    }

    /// <summary>Runs an action later, whatever the disk does.</summary>
    internal void ScheduleIn(long delayNs, Action action) => _schedule(delayNs, action);

    /// <summary>What befalls a group of requests that ends now.</summary>
    internal DiskFault Befalls(bool isSync)
    {
        if (Occurs(_faults.BusyShare, "diskBusy"))
        {
            return DiskFault.Busy;
        }

        if (!isSync)
        {
            return DiskFault.None;
        }

        if (IsFull || _nowNs() < _fullUntilNs)
        {
            return DiskFault.Full;
        }

        if (Occurs(_faults.FullShare, "diskFull"))
        {
            _fullUntilNs = _nowNs() + _faults.FullNs;
            return DiskFault.Full;
        }

        return Occurs(_faults.FailShare, "diskFailed") ? DiskFault.Failed : DiskFault.None;
    }

    /// <summary>Why nobody knows how a flush ended; null if it is known.</summary>
    internal string? TakeFailure(DiskFault fault)
    {
        string? reason = fault switch
        {
            DiskFault.Failed => "an I/O error",
            _ => FailNextSync,
        };
        FailNextSync = null;
        return reason;
    }

    /// <summary>What a reader gets of a value, which lies on the disk as it was written.</summary>
    internal ReadOnlyMemory<byte> Read(ReadOnlyMemory<byte> value)
    {
        if (value.IsEmpty || !Occurs(_faults.FlipShare, "diskFlip"))
        {
            return value;
        }

        byte[] flipped = value.ToArray();
        flipped[_chance!.NextInt32(flipped.Length)] ^= (byte)(1 << _chance!.NextInt32(8));
        return flipped;
    }

    private bool Occurs(double share, string name)
    {
        if (share == 0 || _chance is null || !_chance.NextBool(share))
        {
            return false;
        }

        OnFault(name);
        return true;
    }

    /// <summary>Ends a flush successfully: every batch becomes durable or is refused.</summary>
    internal void Sync(IReadOnlyList<SimulatedCommit> commits)
    {
        SyncCount++;
        Write(commits, commits.Count, isMarked: true);
    }

    /// <summary>What a host's start is told of the disk.</summary>
    internal HostState Load(int publishHorizonCount) => Image.Load(publishHorizonCount) with { Copy = JudgeMark() };

    /// <summary>
    /// Ends a flush in a crash, at once or some time after it failed: the first few batches may be durable all the same, but are not
    /// acknowledged.
    /// </summary>
    internal void Tear(IReadOnlyList<SimulatedCommit> commits) =>
        Write(commits, Options.CrashTears ? _random.NextInt32(commits.Count + 1) : 0, isMarked: false);

    /// <summary>Ends a flush that failed: the disk took something over it.</summary>
    internal void Lose(IReadOnlyList<SimulatedCommit> commits) => LostBatchCount += commits.Count;

    private StoreCopy? JudgeMark() => StoreMark.Judge(Mark, Image.MarkId, Image.SlotEpoch, Image.Has);

    /// <summary>The mark is written after the disk, and not at all when the process dies in between.</summary>
    private void Write(IReadOnlyList<SimulatedCommit> commits, int count, bool isMarked)
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

            if (commits[i].Batch.SlotEpoch is not null && (Image.MarkId is null || JudgeMark() is not null))
            {
                Mark = (Mark ?? StoreMark.None).Renew(new Guid(++_markCount, 0, 0, new byte[8]), JudgeMark() is not null);
                next = next with { MarkId = Mark.Id };
            }

            Image = next;
            Mark = isMarked && Image.MarkId is not null && Mark?.Id == Image.MarkId ? Mark.After(commits[i].Batch) : Mark;
            DurableBatchCount++;
        }
    }
}
