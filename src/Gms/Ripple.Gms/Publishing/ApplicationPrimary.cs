using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Orders the releases of one application and commits them: publishes that wait together become one batch, with one signature and one commit, while the batch
/// before is on its way to the disk. A release is delivered, and its publisher answered, when the commit predicate holds, not before. Core thread.
/// </summary>
public sealed class ApplicationPrimary
{
    private const int BatchMax = 64;
    private const int WaitingMax = 4_096;
    /// <summary>What a publish that waits takes besides its values: itself, its keys and its answer.</summary>
    private const int WaitingBytes = 2_048;
    private const long StoreRetryNs = 5_000_000;

    private readonly HostContext _context;
    private readonly IPrimaryHandler _handler;
    private readonly Queue<Waiting> _waiting = [];
    private readonly PublishLedger _ledger;
    private readonly CommitPredicate _commit;
    private readonly Alarm _storeRetry;
    private ReleaseState _ordered;
    private Batch? _inFlight;
    private bool _isBroken;

    /// <summary>Makes the primary of an application as the store holds it.</summary>
    public ApplicationPrimary(HostContext context, StoredApplication stored, IPrimaryHandler handler)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(stored);
        _context = context;
        _handler = handler;
        Name = stored.Name;
        Topic = stored.Topic;
        Generation = stored.Generation;
        Committed = Restore(stored);
        CommittedHeader = stored.Newest;
        CommittedSignature = ReleaseSignature.TryRead(stored.NewestSignature.Span);
        _ordered = Committed;
        _ledger = new PublishLedger(stored.RecentPublishes);
        _commit = new CommitPredicate(stored.Name, context.SlotEpoch, [LocalReplica.Member(context)]);
        Recent = new RecentReleases(Committed.Release + 1, context.Breaks(PlantedHostBugs.UnboundedRecent) ? long.MaxValue : context.Options.RecentBytesMax);
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
    public uint Generation { get; private set; }

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
    public TopicState State(uint slotEpoch) => new(Name, Topic, Committed.Release == 0 ? Generation : Committed.Generation, slotEpoch, Committed.Release, Committed.Id);

    /// <summary>Orders a publish. <paramref name="done"/> runs once: at once for what is refused or known, else when it is committed or came to nothing.</summary>
    public void Publish(PreparedPublish publish, string actor, Action<PublishAnswer> done)
    {
        ArgumentNullException.ThrowIfNull(publish);
        if (IsKnown(publish, actor, done))
        {
            return;
        }

        if (_isBroken)
        {
            done(Refuse(ErrorCode.StoreFailed, "The host's store failed; nothing is released until the host is started again. Its log says what the disk reported."));
            return;
        }

        if (_waiting.Count == WaitingMax)
        {
            done(Refuse(ErrorCode.Busy, $"More than {WaitingMax} publishes to '{Name}' wait. Try again with the same publish id."));
            return;
        }

        if (_handler.AreAllBehind(this))
        {
            done(Refuse(ErrorCode.Busy, $"All who take '{Name}' are far behind what was released, and more would not reach them sooner. Try again in a second with the same publish id."));
            return;
        }

        _waiting.Enqueue(new Waiting(publish, actor, _ledger.Begin(actor, publish.Input.PublishId, publish.BodyHash), done, null));
        Pump();
    }

    /// <summary>
    /// Begins a new generation: a node proved that this host's state is older than what it once committed, so its store was restored from an older copy.
    /// The release of it changes no key; everything after it is of the new generation.
    /// </summary>
    public void BeginGeneration(uint provedGeneration, string reason)
    {
        if (Generation > Committed.Generation && Generation > provedGeneration)
        {
            // Several nodes prove it at once; one new generation is enough, and it is on its way.
            return;
        }

        Generation = Math.Max(Generation, provedGeneration) + 1;
        _waiting.Enqueue(new Waiting(null, "host", null, null, reason));
        Pump();
    }

    private static ReleaseState Follow(ReleaseState state, ReleaseHeader header) =>
        state.Apply(header, out ReleaseState next) == ApplyStatus.Applied ? next : throw new InvalidOperationException($"{header} does not follow {state.Generation}/{state.Release}.");

    private static ReleaseState Restore(StoredApplication stored)
    {
        if (stored.Newest is null)
        {
            return ReleaseState.Empty(stored.Name);
        }

        return ReleaseState.TryFromSnapshot(stored.Newest, stored.Keys.Select(k => KeyValuePair.Create(k.Key, k.Entry)), out ReleaseState? state)
            ? state
            : throw new StoreException($"The keys of application '{stored.Name}' in the store are not those of its newest release {stored.Newest.Release}: the store is damaged. Restore it from a backup.");
    }

    private bool IsKnown(PreparedPublish publish, string actor, Action<PublishAnswer> done)
    {
        if (_context.Breaks(PlantedHostBugs.ForgetPublishIds) || !_ledger.TryGet(actor, publish.Input.PublishId, out PublishLedger.Entry? known))
        {
            return false;
        }

        if (known!.BodyHash != publish.BodyHash)
        {
            done(Refuse(ErrorCode.PublishIdReused, $"The publish id {publish.Input.PublishId} was used before for other content. Use a new id for new content."));
        }
        else if (known.Release == 0 && known.Joined.Count == PublishLedger.JoinedMax)
        {
            done(Refuse(ErrorCode.Busy, $"The publish {publish.Input.PublishId} is under way, and too many wait for it. Ask again in a moment."));
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

    private void Pump()
    {
        if (_inFlight is not null || _waiting.Count == 0 || _isBroken)
        {
            return;
        }

        var batch = new Batch();
        long bytes = 0;
        while (_waiting.Count > 0 && batch.Releases.Count < BatchMax && bytes < ReleaseLimits.PublishBytesMax)
        {
            Waiting waiting = _waiting.Dequeue();
            if (Order(waiting) is { } header)
            {
                _ordered = Follow(_ordered, header);
                IReadOnlyList<StoredBody> bodies = waiting.Publish?.Bodies ?? [];
                batch.Publishes.Add(waiting);
                batch.Headers.Add(header);
                batch.Releases.Add(new StoredRelease(Topic, header, default, waiting.Publish?.BodyHash ?? default, bodies));
                bytes += header.BodyBytes;
            }
        }

        if (batch.Releases.Count == 0)
        {
            return;
        }

        _inFlight = batch;
        batch.IsDeliveredEarly = _context.Breaks(PlantedHostBugs.DeliverBeforePersisted);
        _context.Signer.Sign(batch.Headers[^1].Id, signature => OnSigned(batch, signature));
    }

    private ReleaseHeader? Order(Waiting waiting)
    {
        if (waiting.Publish is not { } publish)
        {
            return Next(ReleaseKind.Creation, waiting.Reason!, "host", Guid.Empty, []);
        }

        ulong expected = publish.Input.ExpectedRelease;
        if (expected != PublishBegin.AnyRelease && expected != _ordered.Release && !_context.Breaks(PlantedHostBugs.IgnoreExpectedRelease))
        {
            Abandon(waiting, new PublishAnswer(
                ErrorCode.WrongExpectedRelease,
                string.Create(CultureInfo.InvariantCulture, $"The newest release of '{Name}' is {_ordered.Release}, not {expected}. Read it, and publish again on top of it."),
                _ordered.Generation,
                _ordered.Release,
                _ordered.Id));
            return null;
        }

        KeyChange[] changes = [.. (publish.ChangesOn?.Invoke(_ordered) ?? publish.Changes).Where(c => c.Operation == KeyOperation.Set || _ordered.Keys.ContainsKey(c.Key))];
        if (changes.Length == 0)
        {
            Abandon(waiting, Refuse(ErrorCode.NothingChanged, "The publish changes nothing: the newest release already has the state asked for."));
            return null;
        }

        ReleaseHeader header = Next(ReleaseKind.Changes, publish.Input.Note, waiting.Actor, publish.Input.PublishId, changes);
        if (header.Check() is { } wrong)
        {
            Abandon(waiting, Refuse(ErrorCode.InvalidRequest, wrong));
            return null;
        }

        return header;
    }

    private ReleaseHeader Next(ReleaseKind kind, string note, string actor, Guid publishId, KeyChange[] changes) =>
        new()
        {
            Kind = kind,
            Application = Name,
            // A publish that was waiting before a new generation stands before its record, and so in the generation that is ending.
            Generation = kind == ReleaseKind.Creation || _ordered.Release == 0 ? Generation : _ordered.Generation,
            Release = _ordered.Release + 1,
            SlotEpoch = _context.SlotEpoch,
            PreviousId = _ordered.Id,
            PublishId = publishId,
            Actor = actor,
            TimeUnixMicros = _context.Clock.UnixMicros,
            Note = note,
            Changes = [.. changes],
            StateRoot = _ordered.RootAfter(changes),
        };

    /// <summary>Where the signer works: the batch goes on to the disk without a turn of the core between. Until its answer comes nobody else touches it.</summary>
    private void OnSigned(Batch batch, ReleaseSignature signature)
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

    private bool TryStore(Batch batch)
    {
        var commit = new CommitBatch
        {
            Releases = batch.Releases,
            Audit = [.. batch.Headers.Select(h => new AuditEntry(h.TimeUnixMicros, h.Actor, h.Kind == ReleaseKind.Creation ? "application.restore" : "release.publish", Name, h.Release, h.Note))],
        };
        return _context.Store.Commit(commit, _context.OnCore<CommitResult>(result => OnStored(batch, result)));
    }

    private void OnStored(Batch batch, CommitResult result)
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

    private void Deliver(Batch batch)
    {
        var bodies = new SortedDictionary<Digest160, ReadOnlyMemory<byte>>();
        for (int i = 0; i < batch.Headers.Count; i++)
        {
            ReleaseHeader header = batch.Headers[i];
            ReleaseSignature? signature = i == batch.Headers.Count - 1 ? batch.Signature : null;
            bodies.Clear();
            foreach (StoredBody body in batch.Releases[i].Bodies)
            {
                bodies[body.Digest] = body.Bytes;
            }

            Committed = Follow(Committed, header);
            CommittedHeader = header;
            CommittedSignature = signature ?? CommittedSignature;
            Recent.Add(header, ReleaseMessage.Encode(header, signature, d => bodies.TryGetValue(d, out ReadOnlyMemory<byte> body) ? body : (ReadOnlyMemory<byte>?)null, _context.Options.InlineBytesMax, batch.Publishes[i].Publish?.Input.Trace));
            if (header.Kind == ReleaseKind.Creation)
            {
                _handler.OnGeneration(this);
            }
        }

        _handler.OnCommitted(this, batch.Headers);
        for (int i = 0; i < batch.Headers.Count; i++)
        {
            Answer(batch.Publishes[i], batch.Headers[i]);
        }
    }

    private void Answer(Waiting waiting, ReleaseHeader header)
    {
        if (waiting.Entry is not { } entry)
        {
            return;
        }

        _ledger.Commit(waiting.Actor, waiting.Publish!.Input.PublishId, entry, header);
        var answer = new PublishAnswer(ErrorCode.None, string.Empty, header.Generation, header.Release, header.Id);
        Tell(waiting, answer);
    }

    private void Abandon(Waiting waiting, PublishAnswer answer)
    {
        _ledger.Abandon(waiting.Actor, waiting.Publish!.Input.PublishId);
        Tell(waiting, answer);
    }

    private static void Tell(Waiting waiting, PublishAnswer answer)
    {
        waiting.Done!(answer);
        foreach (Action<PublishAnswer> joined in waiting.Entry!.Joined)
        {
            joined(answer);
        }

        waiting.Entry.Joined.Clear();
    }

    private void Fail(Batch batch, CommitResult result)
    {
        _ordered = Committed;
        // A generation that was to begin did not begin; whoever proved that it must will prove it again.
        Generation = Committed.Release == 0 ? Generation : Committed.Generation;
        // A full queue or a lock is passing; a disk that failed is not, and what it holds is only known after a start.
        _isBroken = result.Status == StoreStatus.Failed;
        ErrorCode code = _isBroken ? ErrorCode.StoreFailed : ErrorCode.Busy;
        foreach (Waiting waiting in batch.Publishes.Concat(_waiting.ToArray()).Where(w => w.Publish is not null))
        {
            Abandon(waiting, Refuse(code, $"Nothing was released: {result.Reason}"));
        }

        _waiting.Clear();
        _handler.OnStoreFailed(this, result.Reason ?? result.Status.ToString());
    }

    private PublishAnswer Refuse(ErrorCode code, string text) => new(code, text, Committed.Generation, Committed.Release, Committed.Id);

    private sealed record Waiting(PreparedPublish? Publish, string Actor, PublishLedger.Entry? Entry, Action<PublishAnswer>? Done, string? Reason);

    private sealed class Batch
    {
        public List<Waiting> Publishes { get; } = [];

        public List<ReleaseHeader> Headers { get; } = [];

        public List<StoredRelease> Releases { get; } = [];

        public ReleaseSignature? Signature { get; set; }

        public bool IsDeliveredEarly { get; set; }
    }
}
