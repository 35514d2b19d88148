using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Orders and commits the releases of one application. Publishes that wait together form one batch, with one signature and one commit,
/// while the previous batch is being written to disk. A release is delivered, and its publisher answered, only once the store has it on
/// disk. Core thread.
/// </summary>
internal sealed class ApplicationPrimary
{
    /// <summary>Approximate memory of a waiting publish besides its values: the object, its keys and its answer.</summary>
    private const int WaitingBytes = 2_048;

    /// <summary>
    /// The delay before a batch is retried when the store's queue was full: about the time the disk takes for the batch before it.
    /// </summary>
    private const long StoreRetryNs = 5_000_000;

    /// <summary>The delay before a generation is begun again that the store did not take.</summary>
    private const long GenerationRetryNs = 1_000_000_000;

    private readonly HostContext _context;
    private readonly IPrimaryHandler _handler;
    private readonly Queue<WaitingPublish> _waiting = [];
    private readonly PublishLedger _ledger;
    private readonly ReleaseSequencer _sequencer;
    private readonly CommitFence _fence = new();
    private readonly Alarm _storeRetry;
    private ReleaseBatch? _inFlight;
    private WaitingPublish? _beginning;
    private (ulong KeptFrom, Action<CommitResult?> Done)? _pruning;
    private bool _isStoreFull;
    private bool _isFenced;

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
        _sequencer = new ReleaseSequencer(context, stored.Topic, Committed, stored.Generation, RefusePast);
        _ledger = new PublishLedger(stored.RecentPublishes);
        HistoryFrom = stored.HistoryFrom;
        Recent = new RecentReleases(Committed.Release + 1, context.Options.RecentBytesMax);
        _storeRetry = new Alarm(OnRetry);
        if (Committed.Release > 0 && stored.Generation > Committed.Generation)
        {
            const string Reason = "the store is a copy, and others may have gone on from it";
            _beginning = new WaitingPublish(null, "host", null, null, Reason, stored.Generation);
        }
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

    /// <summary>Begins the generation that the store has for it and its releases do not. Nothing is released before.</summary>
    public void Start() => Pump();

    /// <summary>The application's name.</summary>
    public string Name { get; }

    /// <summary>Its topic number.</summary>
    public uint Topic { get; }

    /// <summary>The generation that the newest committed state belongs to.</summary>
    public uint Generation => _sequencer.GenerationOf(Committed);

    /// <summary>The newest committed state.</summary>
    public ReleaseState Committed { get; private set; }

    /// <summary>The newest committed header; null before the first.</summary>
    public ReleaseHeader? CommittedHeader { get; private set; }

    /// <summary>The signature over the newest committed header; null before the first.</summary>
    public ReleaseSignature? CommittedSignature { get; private set; }

    /// <summary>The oldest release that is kept, or about to be the oldest.</summary>
    public ulong HistoryFrom { get; private set; }

    /// <summary>The newest releases, encoded for streams.</summary>
    public RecentReleases Recent { get; }

    /// <summary>Publishes waiting to be ordered or being written to disk.</summary>
    public int PendingCount => _waiting.Count + (_beginning is null ? 0 : 1) + (_inFlight?.Publishes.Count ?? 0);

    /// <summary>The state that nodes compare with their own.</summary>
    public TopicState State(uint slotEpoch) => new(Name, Topic, Generation, slotEpoch, Committed.Release, Committed.Id);

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
    /// an older copy. The release that begins it changes no key; every later release belongs to the new generation. If the store does not
    /// take it, it is tried again until it does.
    /// </summary>
    public void BeginGeneration(uint provedGeneration, string reason)
    {
        uint newest = Math.Max(_sequencer.Generation, _beginning?.Generation ?? 0);
        if ((newest > Generation && newest > provedGeneration) || Math.Max(newest, provedGeneration) == uint.MaxValue)
        {
            // Several nodes prove the same restore at once; the first began a generation that is above what each of them holds.
            return;
        }

        // One that waits is overtaken: nothing was released in it.
        _beginning = new WaitingPublish(null, "host", null, null, reason, Math.Max(newest, provedGeneration) + 1);
        Pump();
    }

    /// <summary>
    /// Shortens the history, between two batches: what is ordered later does not go back behind it. <paramref name="done"/> runs once, with
    /// null if the store did not take it.
    /// </summary>
    /// <param name="keptFrom">The oldest release to keep.</param>
    /// <param name="done">What became of it.</param>
    public void Prune(ulong keptFrom, Action<CommitResult?> done)
    {
        ArgumentNullException.ThrowIfNull(done);
        _pruning = (keptFrom, done);
        Pump();
    }

    /// <summary>Whether an actor's publish with this id was done, or is under way.</summary>
    public bool IsKnown(string actor, Guid publishId) => _ledger.IsKnown(actor, publishId);

    /// <summary>The refusal of a past release that is not there; null if it is.</summary>
    public Refusal? RefusePast(ulong release) =>
        release >= HistoryFrom && release <= Committed.Release ? null
        : new Refusal(ErrorCode.NotFound, release > 0 && release < HistoryFrom
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"Release {release} of '{Name}' is kept no more; the oldest one is {HistoryFrom}. The host's options say how many.")
            : string.Create(CultureInfo.InvariantCulture, $"'{Name}' has no release {release}; the newest is {Committed.Release}."));

    /// <summary>The refusal of a past release that was not found in the store: it went meanwhile, or the store is damaged.</summary>
    public Refusal RefuseMissing(ulong release) => RefusePast(release) ?? new Refusal(
        ErrorCode.StoreDamaged,
        string.Create(
            CultureInfo.InvariantCulture,
            $"Release {release} of '{Name}' is missing from the store. The store is damaged: restore a backup."));

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

    /// <summary>
    /// True while nobody knows what of the last commits is in the store. When the store has found out, it is nothing of them; where a fence
    /// let nobody have what is there, only a start can go on from it.
    /// </summary>
    private bool IsStopped => _isFenced || _context.Store.IsBroken;

    /// <summary>The refusal while no publish is accepted; null when one is.</summary>
    private Refusal? Refuse()
    {
        if (IsStopped)
        {
            return new Refusal(
                ErrorCode.StoreFailed,
                "The host's store failed; nothing is released until its disk works again. The host's log says what the disk reported.");
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
        if (!_ledger.TryGet(actor, publish.Input.PublishId, publish.BodyHash, out PublishLedger.Entry? known))
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
        if (_inFlight is not null)
        {
            return;
        }

        PruneNow();
        if (_waiting.Count == 0 && _beginning is null)
        {
            return;
        }

        if (IsStopped)
        {
            // Publishes are refused meanwhile; a generation must begin whenever that is.
            if (!_isFenced)
            {
                _context.Core.ScheduleIn(_storeRetry, GenerationRetryNs);
            }

            return;
        }

        // One epoch for the batch: nothing else runs between its headers.
        _fence.Enter(_context.Epoch.Value);
        _inFlight = _sequencer.Order(_beginning, _waiting, Abandon);
        _beginning = null;
        if (_inFlight is not { } batch)
        {
            return;
        }

        batch.Members = _handler.OnOrdered(this, batch.Headers);
        _context.Signer.Sign(batch.Headers[^1].Id, signature => OnSigned(batch, signature));
    }

    private void PruneNow()
    {
        if (_pruning is not { } pruning)
        {
            return;
        }

        _pruning = null;
        ulong before = HistoryFrom;
        HistoryFrom = pruning.KeptFrom;
        bool isTaken = !IsStopped && _context.Store.Commit(
            new CommitBatch { Prunings = [new HistoryPruning(Topic, pruning.KeptFrom)] },
            _context.OnCore<CommitResult>(result => End(result)));
        if (!isTaken)
        {
            End(null);
        }

        void End(CommitResult? result)
        {
            HistoryFrom = result is { IsDone: true } ? HistoryFrom : before;
            pruning.Done(result);
        }
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

    private void RetryStore()
    {
        _isStoreFull = true;
        _context.Core.ScheduleIn(_storeRetry, StoreRetryNs);
    }

    private void OnRetry()
    {
        if (!_isStoreFull)
        {
            Pump();
            return;
        }

        _isStoreFull = !TryStore(_inFlight!);
        if (_isStoreFull)
        {
            RetryStore();
        }
    }

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

        // It is on disk: committed, if it was asked for in this epoch.
        if (!_fence.OnPersisted(batch.SlotEpoch, batch.Headers[^1].Release))
        {
            string fenced = string.Create(
                CultureInfo.InvariantCulture, $"it was asked for in epoch {batch.SlotEpoch}, and epoch {_fence.SlotEpoch} has begun.");
            _isFenced = true;
            Fail(batch, new CommitResult(StoreStatus.Failed, fenced));
            return;
        }

        Deliver(batch);

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
        // A full queue, a lock, a full disk: nothing was written, and asking again may succeed.
        bool isUnknown = result.Status == StoreStatus.Failed;
        var nothing = new Refusal(isUnknown ? ErrorCode.StoreFailed : ErrorCode.Busy, $"Nothing was released: {result.Reason}");
        var unknown = new Refusal(
            ErrorCode.StoreFailed,
            $"Whether it was released is not known: {result.Reason} Ask again with the same publish id when the host's disk works again.");
        foreach (WaitingPublish waiting in batch.Publishes.Where(w => w.Publish is not null))
        {
            Abandon(waiting, Answer(isUnknown ? unknown : nothing));
        }

        while (_waiting.TryDequeue(out WaitingPublish? waiting))
        {
            Abandon(waiting, Answer(nothing));
        }

        // Whoever proved that a generation must begin does not prove it twice on one connection.
        _beginning ??= batch.Publishes.FirstOrDefault(w => w.Publish is null);
        if (_beginning is not null)
        {
            _context.Core.ScheduleIn(_storeRetry, GenerationRetryNs);
        }

        // Nothing else may come that would end it.
        PruneNow();
        _handler.OnStoreFailed(this, result.Reason ?? result.Status.ToString());
    }

    private PublishAnswer Answer(Refusal refusal) => new(refusal.Code, refusal.Text, Committed.Generation, Committed.Release, Committed.Id);
}
