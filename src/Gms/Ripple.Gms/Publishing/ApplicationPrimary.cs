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
/// Orders the releases of one application and commits them: publishes that wait together become one batch, with one signature and one
/// commit, while the batch before is on its way to the disk. A release is delivered, and its publisher answered, when the commit predicate
/// holds, not before. Core thread.
/// </summary>
internal sealed class ApplicationPrimary
{
    /// <summary>The most publishes that wait: at a batch of 64 a flush, some seconds of a slow disk. More are refused as busy.</summary>
    private const int WaitingMax = 4_096;

    /// <summary>What a publish that waits takes besides its values: itself, its keys and its answer.</summary>
    private const int WaitingBytes = 2_048;

    /// <summary>How long a batch waits when the store's queue was full: about what the disk takes for the batch before it.</summary>
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

    /// <summary>Makes the primary of an application as the store holds it.</summary>
    /// <exception cref="StoreException">The stored keys are not those of the newest release: the store is damaged.</exception>
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
        long recentBytesMax = context.Breaks(PlantedHostBugs.UnboundedRecent) ? long.MaxValue : context.Options.RecentBytesMax;
        Recent = new RecentReleases(Committed.Release + 1, recentBytesMax);
        _storeRetry = new Alarm(() =>
        {
            if (!TryStore(_inFlight!))
            {
                RetryStore();
            }
        });
    }

    /// <summary>Adds what one application holds besides its key table, which is as large as what is published.</summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(options);
        RecentReleases.AddMemory(budget, options);
        PublishLedger.AddMemory(budget);
        budget.Add(MemoryScope.Application, MemoryKind.Transient, "publishes that wait, without values", WaitingMax, WaitingBytes);
    }

    /// <summary>The application's name.</summary>
    public string Name { get; }

    /// <summary>Its number.</summary>
    public uint Topic { get; }

    /// <summary>The generation of the next release.</summary>
    public uint Generation => _sequencer.Generation;

    /// <summary>The newest committed state.</summary>
    public ReleaseState Committed { get; private set; }

    /// <summary>The newest committed header; null before the first.</summary>
    public ReleaseHeader? CommittedHeader { get; private set; }

    /// <summary>The signature over it.</summary>
    public ReleaseSignature? CommittedSignature { get; private set; }

    /// <summary>The newest releases as the streams send them.</summary>
    public RecentReleases Recent { get; }

    /// <summary>Publishes that wait to be ordered or are on their way to the disk.</summary>
    public int PendingCount => _waiting.Count + (_inFlight?.Publishes.Count ?? 0);

    /// <summary>What nodes compare with what they hold.</summary>
    public TopicState State(uint slotEpoch)
    {
        uint generation = Committed.Release == 0 ? Generation : Committed.Generation;
        return new TopicState(Name, Topic, generation, slotEpoch, Committed.Release, Committed.Id);
    }

    /// <summary>
    /// Orders a publish. <paramref name="done"/> runs once: at once for what is refused or known, else when it is committed or came to
    /// nothing.
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
    /// an older copy. The release of it changes no key; everything after it is of the new generation.
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

    /// <summary>Why no publish is taken now; null when one is.</summary>
    private Refusal? Refuse()
    {
        if (_isBroken)
        {
            return new Refusal(
                ErrorCode.StoreFailed,
                "The host's store failed; nothing is released until the host is started again. Its log says what the disk reported.");
        }

        if (_waiting.Count == WaitingMax)
        {
            return new Refusal(ErrorCode.Busy, $"More than {WaitingMax} publishes to '{Name}' wait. Try again with the same publish id.");
        }

        return !_handler.AreAllBehind(this)
            ? null
            : new Refusal(
                ErrorCode.Busy,
                $"All who take '{Name}' are far behind what was released, and more would not reach them sooner. "
                + "Try again in a second with the same publish id.");
    }

    /// <summary>Answers a publish that was asked for before; false when it is a new one.</summary>
    private bool IsKnown(PreparedPublish publish, string actor, Action<PublishAnswer> done)
    {
        if (_context.Breaks(PlantedHostBugs.ForgetPublishIds)
            || !_ledger.TryGet(actor, publish.Input.PublishId, out PublishLedger.Entry? known))
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

    /// <summary>Orders what waits, unless a batch is on its way: what waits meanwhile is the next.</summary>
    private void Pump()
    {
        if (_inFlight is not null || _waiting.Count == 0 || _isBroken || _sequencer.Order(_waiting, Abandon) is not { } batch)
        {
            return;
        }

        _inFlight = batch;
        batch.IsDeliveredEarly = _context.Breaks(PlantedHostBugs.DeliverBeforePersisted);
        _context.Signer.Sign(batch.Headers[^1].Id, signature => OnSigned(batch, signature));
    }

    /// <summary>Signer's thread: the batch goes on to the disk without a turn of the core between.</summary>
    private void OnSigned(ReleaseBatch batch, ReleaseSignature signature)
    {
        batch.Signature = signature;
        batch.Releases[^1] = batch.Releases[^1] with { Signature = signature.Encode() };
        if (batch.IsDeliveredEarly)
        {
            _context.Completions.Complete(() => Deliver(batch));
        }

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

        // This replica has it on its disk; with one replica the commit predicate then holds.
        if (_commit.OnPersisted(LocalReplica.Node, _commit.SlotEpoch, batch.Headers[^1].Release) && !batch.IsDeliveredEarly)
        {
            Deliver(batch);
        }

        // What waited meanwhile is the next batch.
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
        // A full queue or a lock passes; a failed disk does not, and what it holds is known only after a start.
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
