using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Testing.Disks;

/// <summary>
/// A host's store on a simulated disk: the contract of <see cref="IHostStore"/>, stepped. Requests queued when the disk becomes free form
/// one flush, which ends at a later step; only then are they durable and answered. A crash loses everything before that, apart from the
/// batches a torn flush keeps.
/// </summary>
internal sealed class SimulatedHostStore : IHostStore
{
    private const long ProbeNs = 500_000_000;

    private readonly SimulatedDisk _disk;
    private readonly HostStoreOptions _options;
    private List<SimulatedWork> _waiting = [];
    private List<SimulatedWork> _running = [];
    private long _waitingBytes;
    private bool _isRunning;
    private bool _isGone;
    private StoreTrouble? _trouble;
    private List<SimulatedCommit> _unknown = [];

    internal SimulatedHostStore(SimulatedDisk disk, HostStoreOptions options)
    {
        _disk = disk;
        _options = options;
    }

    /// <inheritdoc/>
    public StoreTrouble? Trouble => _trouble;

    /// <inheritdoc/>
    public bool IsBroken => _trouble is { Status: StoreStatus.Failed };

    /// <inheritdoc/>
    public long TokensVersion => _disk.Image.TokensVersion;

    /// <inheritdoc/>
    public HostState Load() =>
        _options.IsHost ? _disk.Load(_options.PublishHorizonCount) : _disk.Image.Load(_options.PublishHorizonCount);

    /// <inheritdoc/>
    public bool Commit(CommitBatch batch, Action<CommitResult> done)
    {
        ArgumentNullException.ThrowIfNull(batch);
        return Add(new SimulatedCommit(batch, done));
    }

    /// <inheritdoc/>
    public bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        Add(new SimulatedRead<IReadOnlyList<ReleaseRecord>>(i => [.. i.Releases(topic, fromRelease, bytesMax).Select(AsRead)], done));

    /// <inheritdoc/>
    public bool ReadBody(uint topic, Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done) =>
        Add(new SimulatedRead<ReadOnlyMemory<byte>?>(
            i => i.Body(topic, digest) is { } body ? (ReadOnlyMemory<byte>?)_disk.Read(body) : null, done));

    /// <inheritdoc/>
    public bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        Add(new SimulatedRead<IReadOnlyList<ReleaseRecord>>(i => i.History(topic, beforeRelease, countMax), done));

    /// <inheritdoc/>
    public bool ReadState(uint topic, ulong release, Action<ReadResult<ReleaseState?>> done) =>
        Add(new SimulatedRead<ReleaseState?>(i => i.State(topic, release), done));

    /// <inheritdoc/>
    public bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done) =>
        Add(new SimulatedRead<IReadOnlyList<AuditRecord>>(i => i.AuditBefore(application, beforeNumber, countMax), done));

    /// <inheritdoc/>
    public bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done) =>
        Add(new SimulatedRead<IReadOnlyList<AccessToken>>(i => i.AccessTokenList(), done));

    /// <inheritdoc/>
    public bool ReadRevokedNodes(Action<ReadResult<IReadOnlyList<RevokedNode>>> done) =>
        Add(new SimulatedRead<IReadOnlyList<RevokedNode>>(i => [.. i.RevokedNodes.Values], done));

    /// <summary>
    /// The host dies: no more callbacks are called. Queued requests are lost; of a flush in progress, the first few batches may survive.
    /// </summary>
    public void Crash()
    {
        if (_isGone)
        {
            return;
        }

        if (_unknown.Count > 0)
        {
            _disk.Tear(_unknown);
        }
        else if (_isRunning)
        {
            _disk.Tear(Pending());
        }

        Leave();
    }

    /// <summary>Opens the disk again with the same options. Call after a crash or dispose.</summary>
    public SimulatedHostStore Reopen() => _disk.Open(_options);

    /// <summary>Completes the accepted requests immediately and closes.</summary>
    public void Dispose()
    {
        while (!_isGone && _isRunning)
        {
            Finish();
        }

        Leave();
    }

    /// <summary>Sees now and then whether the disk takes something, as <see cref="SqliteHostStore"/> does.</summary>
    private void ProbeLater() => _disk.ScheduleIn(ProbeNs, () =>
    {
        if (_isGone || _trouble is null)
        {
            return;
        }

        if (_disk.Befalls(isSync: true) != DiskFault.None)
        {
            ProbeLater();
            return;
        }

        _disk.Lose(_unknown);
        _unknown = [];
        _trouble = null;
    });

    private void OnTrouble(StoreTrouble trouble)
    {
        if (_trouble is null)
        {
            ProbeLater();
        }

        _trouble = trouble;
    }

    private void Leave()
    {
        _isGone = true;
        if (ReferenceEquals(_disk.Host, this))
        {
            _disk.Host = null;
        }
    }

    private bool Add(SimulatedWork work)
    {
        if (_isGone
            || _waiting.Count >= _options.QueueCountMax
            || (_waiting.Count > 0 && _waitingBytes + work.Bytes > _options.QueueBytesMax))
        {
            return false;
        }

        _waiting.Add(work);
        _waitingBytes += work.Bytes;
        if (!_isRunning)
        {
            Start();
        }

        return true;
    }

    private ReleaseRecord AsRead(ReleaseRecord release) =>
        release with { Bodies = [.. release.Bodies.Select(b => b with { Bytes = _disk.Read(b.Bytes) })] };

    private void Start()
    {
        (_running, _waiting) = (_waiting, []);
        _waitingBytes = 0;
        _isRunning = true;
        List<SimulatedWork> mine = _running;
        _disk.Schedule(Pending().Count > 0, () =>
        {
            // After a crash or dispose, the event belongs to an earlier life.
            if (!_isGone && ReferenceEquals(mine, _running) && _isRunning)
            {
                Finish();
            }
        });
    }

    /// <summary>Writes a group; null if it is durable, except for what is refused.</summary>
    private StoreTrouble? Write(List<SimulatedCommit> commits, DiskFault fault)
    {
        if (IsBroken)
        {
            return _trouble;
        }

        if (fault == DiskFault.Full && !commits.Exists(c => c.Batch.SlotEpoch is not null))
        {
            OnTrouble(new StoreTrouble(
                StoreStatus.Full, "The disk of the store is full. Nothing was written; try again when there is room."));
            return _trouble;
        }

        if (_disk.TakeFailure(fault) is { } reason)
        {
            _unknown = commits;
            OnTrouble(new StoreTrouble(
                StoreStatus.Failed, $"The simulated store failed and takes no commits until its disk works again: {reason}."));
            return _trouble;
        }

        _disk.Sync(commits);
        _trouble = null;
        return null;
    }

    private List<SimulatedCommit> Pending() => [.. _running.OfType<SimulatedCommit>().Where(c => c.IsPending)];

    private void Finish()
    {
        List<SimulatedCommit> commits = Pending();
        DiskFault fault = _disk.Befalls(isSync: commits.Count > 0);
        StoreTrouble? trouble = commits.Count > 0 && (IsBroken || fault != DiskFault.Busy) ? Write(commits, fault) : null;
        foreach (SimulatedWork work in _running)
        {
            if (trouble is not null && work is SimulatedCommit { IsPending: true })
            {
                work.Fail(trouble.Status, trouble.Reason);
            }
            else if (fault == DiskFault.Busy && work is not SimulatedCommit { IsPending: false })
            {
                work.Fail(StoreStatus.Busy, "The simulated store is locked by somebody else. Try again.");
            }

            work.Tell(_disk.Image);
            if (_isGone)
            {
                return;
            }
        }

        _isRunning = false;
        if (_waiting.Count > 0)
        {
            Start();
        }
    }
}
