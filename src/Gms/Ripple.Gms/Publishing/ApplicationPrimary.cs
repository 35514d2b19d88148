using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Orders and commits the releases of one application. Publishes that wait together form one batch, with one signature and one commit,
/// while the previous batch is being written to disk. A release is delivered, and its publisher answered, only once the commit predicate
/// holds. Core thread.
/// </summary>
internal sealed class ApplicationPrimary
{
    /// <summary>Approximate memory of a waiting publish besides its values: the object, its keys and its answer.</summary>
    private const int WaitingBytes = 2_048;

    /// <summary>
    /// The delay before a batch is retried when the store's queue was full: about the time the disk takes for the batch before it.
    /// </summary>
    private const long StoreRetryNs = 5_000_000;

    private readonly HostContext _context;
    private readonly IPrimaryHandler _handler;
    private readonly Queue<WaitingPublish> _waiting = [];
    private readonly PublishLedger _ledger;
    private readonly ReleaseSequencer _sequencer;
    private readonly CommitPredicate _commit;
    private readonly Alarm _storeRetry;
    private ReleaseBatch? _inFlight;
    private bool _isBroken;

    /// <summary>Creates the primary of an application from the store's state.</summary>
    /// <exception cref="StoreException">The stored keys do not match the newest release: the store is damaged.</exception>
    public ApplicationPrimary(HostContext context, StoredApplication stored, IPrimaryHandler handler)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(stored);
        _context = context;
        _handler = handler;
        Name = stored.Name;
        Topic = stored.Topic;
        Committed = Restore(stored);
        CommittedHeader = stored.Newest;
        CommittedSignature = ReleaseSignature.TryRead(stored.NewestSignature.Span);
        _sequencer = new ReleaseSequencer(context, stored.Topic, Committed, stored.Generation);
        _ledger = new PublishLedger(stored.RecentPublishes);
        uint slotEpoch = context.Epoch.Value;
        _commit = new CommitPredicate(stored.Name, slotEpoch, [LocalReplica.Member(context.Options.Name, context.Options.Zone, slotEpoch)]);
        Recent = new RecentReleases(Committed.Release + 1, context.Options.RecentBytesMax);
        _storeRetry = new Alarm(() =>
        {
            if (!TryStore(_inFlight!))
            {
                RetryStore();
            }
        });
    }

    /// <summary>Adds the memory of one application besides its key table, which is as large as the published state.</summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(options);
        RecentReleases.AddMemory(budget, options);
        PublishLedger.AddMemory(budget);
        int waitingMax = HostLimits.Default.PublishesWaitingMax;
        budget.Add(MemoryScope.Application, MemoryKind.Transient, "publishes that wait, without values", waitingMax, WaitingBytes);
    }

    /// <summary>The application's name.</summary>
    public string Name { get; }

    /// <summary>Its topic number.</summary>
    public uint Topic { get; }

    /// <summary>The generation of the next release.</summary>
    public uint Generation => _sequencer.Generation;

    /// <summary>The newest committed state.</summary>
    public ReleaseState Committed { get; private set; }

    /// <summary>The newest committed header; null before the first.</summary>
    public ReleaseHeader? CommittedHeader { get; private set; }

    /// <summary>The signature over the newest committed header; null before the first.</summary>
    public ReleaseSignature? CommittedSignature { get; private set; }

    /// <summary>The newest releases, encoded for streams.</summary>
    public RecentReleases Recent { get; }

    /// <summary>Publishes waiting to be ordered or being written to disk.</summary>
    public int PendingCount => _waiting.Count + (_inFlight?.Publishes.Count ?? 0);

    /// <summary>The state that nodes compare with their own.</summary>
    public TopicState State(uint slotEpoch)
    {
        uint generation = Committed.Release == 0 ? Generation : Committed.Generation;
        return new TopicState(Name, Topic, generation, slotEpoch, Committed.Release, Committed.Id);
    }

    /// <summary>
    /// Orders a publish. <paramref name="done"/> runs once: immediately if the publish is refused or already committed, else when it has
    /// committed or failed.
    /// </summary>
    public void Publish(PreparedPublish publish, string actor, Action<PublishAnswer> done)
    {
        ArgumentNullException.ThrowIfNull(publish);
        ArgumentNullException.ThrowIfNull(done);
        if (IsKnown(publish, actor, done))
        {
            return;
        }

        if (Refuse() is { } refusal)
        {
            done(Answer(refusal));
            return;
        }

        PublishLedger.Entry entry = _ledger.Begin(actor, publish.Input.PublishId, publish.BodyHash);
        _waiting.Enqueue(new WaitingPublish(publish, actor, entry, done, null));
        Pump();
    }

    /// <summary>
    /// Begins a new generation: a node proved that this host's state is older than what it once committed, so its store was restored from
    /// an older copy. The release that begins it changes no key; every later release belongs to the new generation.
    /// </summary>
    public void BeginGeneration(uint provedGeneration, string reason)
    {
        if (_sequencer.TryBeginGeneration(Committed, provedGeneration))
        {
            _waiting.Enqueue(new WaitingPublish(null, "host", null, null, reason));
            Pump();
        }
    }

    private static ReleaseState Restore(StoredApplication stored)
    {
        if (stored.Newest is null)
        {
            return ReleaseState.Empty(stored.Name);
        }

        return ReleaseState.TryFromSnapshot(
            stored.Newest, stored.Keys.Select(k => KeyValuePair.Create(k.Key, k.Entry)), out ReleaseState? state)
            ? state
            : throw new StoreException(
                $"The keys of application '{stored.Name}' in the store are not those of its newest release {stored.Newest.Release}: "
                + "the store is damaged. Restore it from a backup.");
    }

    /// <summary>The refusal while no publish is accepted; null when one is.</summary>
    private Refusal? Refuse()
    {
        if (_isBroken)
        {
            return new Refusal(
                ErrorCode.StoreFailed,
                "The host's store failed; nothing is released until the host is started again. Its log says what the disk reported.");
        }

        int waitingMax = _context.Options.Limits.PublishesWaitingMax;
        if (_waiting.Count == waitingMax)
        {
            return new Refusal(ErrorCode.Busy, $"More than {waitingMax} publishes to '{Name}' wait. Try again with the same publish id.");
        }

        return !_handler.AreAllBehind(this)
            ? null
            : new Refusal(
                ErrorCode.Busy,
                $"All who take '{Name}' are far behind what was released, and more would not reach them sooner. "
                + "Try again in a second with the same publish id.");
    }

    /// <summary>Answers a repeated publish; false for a new one.</summary>
    private bool IsKnown(PreparedPublish publish, string actor, Action<PublishAnswer> done)
    {
        if (!_ledger.TryGet(actor, publish.Input.PublishId, out PublishLedger.Entry? known))
        {
            return false;
        }

        if (known!.BodyHash != publish.BodyHash)
        {
            done(Answer(new Refusal(
                ErrorCode.PublishIdReused,
                $"The publish id {publish.Input.PublishId} was used before for other content. Use a new id for new content.")));
        }
        else if (known.Release == 0 && known.Joined.Count == PublishLedger.JoinedMax)
        {
            done(Answer(new Refusal(
                ErrorCode.Busy, $"The publish {publish.Input.PublishId} is under way, and too many wait for it. Ask again in a moment.")));
        }
        else if (known.Release == 0)
        {
            known.Joined.Add(done);
        }
        else
        {
            done(new PublishAnswer(ErrorCode.None, string.Empty, known.Generation, known.Release, known.Id));
        }

        return true;
    }

    /// <summary>Orders the waiting publishes, unless a batch is in flight: publishes that arrive meanwhile form the next batch.</summary>
    private void Pump()
    {
        if (_inFlight is not null || _waiting.Count == 0 || _isBroken || _sequencer.Order(_waiting, Abandon) is not { } batch)
        {
            return;
        }

        _inFlight = batch;
        _context.Signer.Sign(batch.Headers[^1].Id, signature => OnSigned(batch, signature));
    }

    /// <summary>Runs on the signer's thread: the batch goes on to the store without a turn of the core in between.</summary>
    private void OnSigned(ReleaseBatch batch, ReleaseSignature signature)
    {
        batch.Signature = signature;
        batch.Releases[^1] = batch.Releases[^1] with { Signature = signature.Encode() };
        if (!TryStore(batch))
        {
            _context.Completions.Complete(RetryStore);
        }
    }

    private void RetryStore() => _context.Core.ScheduleIn(_storeRetry, StoreRetryNs);

    private bool TryStore(ReleaseBatch batch) =>
        _context.Store.Commit(batch.ToCommit(Name), _context.OnCore<CommitResult>(result => OnStored(batch, result)));

    private void OnStored(ReleaseBatch batch, CommitResult result)
    {
        _inFlight = null;
        if (!result.IsDone)
        {
            Fail(batch, result);
            return;
        }

        // This replica has it on disk; with a single replica the commit predicate then holds.
        if (_commit.OnPersisted(LocalReplica.Node, _commit.SlotEpoch, batch.Headers[^1].Release))
        {
            Deliver(batch);
        }

        // Publishes that arrived meanwhile form the next batch.
        Pump();
    }

    private void Deliver(ReleaseBatch batch)
    {
        for (int i = 0; i < batch.Headers.Count; i++)
        {
            ReleaseHeader header = batch.Headers[i];
            Committed = ReleaseSequencer.Follow(Committed, header);
            CommittedHeader = header;
            CommittedSignature = batch.SignatureOf(i) ?? CommittedSignature;
            Recent.Add(header, batch.Encode(i, _context.Options.InlineBytesMax));
            if (header.Kind == ReleaseKind.Creation)
            {
                _handler.OnGeneration(this);
            }
        }

        _handler.OnCommitted(this, batch.Headers);
        for (int i = 0; i < batch.Headers.Count; i++)
        {
            TellCommitted(batch.Publishes[i], batch.Headers[i]);
        }
    }

    private void TellCommitted(WaitingPublish waiting, ReleaseHeader header)
    {
        if (waiting.Entry is { } entry)
        {
            _ledger.Commit(waiting.Actor, waiting.Publish!.Input.PublishId, entry, header);
            Tell(waiting, new PublishAnswer(ErrorCode.None, string.Empty, header.Generation, header.Release, header.Id));
        }
    }

    private void Abandon(WaitingPublish waiting, PublishAnswer answer)
    {
        _ledger.Abandon(waiting.Actor, waiting.Publish!.Input.PublishId);
        Tell(waiting, answer);
    }

    private static void Tell(WaitingPublish waiting, PublishAnswer answer)
    {
        waiting.Done!(answer);
        foreach (Action<PublishAnswer> joined in waiting.Entry!.Joined)
        {
            joined(answer);
        }

        waiting.Entry.Joined.Clear();
    }

    private void Fail(ReleaseBatch batch, CommitResult result)
    {
        _sequencer.GoBackTo(Committed);
        // A full queue or a lock is temporary; a failed disk is not, and its content is known only after a restart.
        _isBroken = result.Status == StoreStatus.Failed;
        var refusal = new Refusal(_isBroken ? ErrorCode.StoreFailed : ErrorCode.Busy, $"Nothing was released: {result.Reason}");
        foreach (WaitingPublish waiting in batch.Publishes.Concat(_waiting.ToArray()).Where(w => w.Publish is not null))
        {
            Abandon(waiting, Answer(refusal));
        }

        _waiting.Clear();
        _handler.OnStoreFailed(this, result.Reason ?? result.Status.ToString());
    }

    private PublishAnswer Answer(Refusal refusal) => new(refusal.Code, refusal.Text, Committed.Generation, Committed.Release, Committed.Id);
}
