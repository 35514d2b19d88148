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
internal sealed partial class ApplicationPrimary
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
    private bool _isStoringMembers;

    /// <summary>Creates the primary of an application from the store's state.</summary>
    /// <exception cref="StoreException">The stored keys do not match the newest release: the store is damaged.</exception>
    public ApplicationPrimary(HostContext context, StoredApplication stored, IPrimaryHandler handler)
    {
        _context = context;
        _handler = handler;
        Name = stored.Name;
        Topic = stored.Topic;
        Committed = Restore(stored);
        CommittedHeader = stored.Newest;
        CommittedSignature = ReleaseSignature.TryRead(stored.NewestSignature.Span);
        _sequencer = new ReleaseSequencer(context, stored.Topic, Committed, stored.Generation, RefusePast, handler.Judge, handler.Values);
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
        if (_ledger.TryAnswer(publish, actor, Answer, done))
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
        _pruning = (keptFrom, done);
        Pump();
    }

    /// <summary>
    /// Has it stored how the members changed since the last commit, if no batch is under way, which brings them along. One commit at a time
    /// changes members, since each is made of what the one before left in the store: publishes wait for it, as for a batch. If the store
    /// does not take it, they are still changed, and the next batch or call has them stored.
    /// </summary>
    public void StoreMembers()
    {
        if (PendingCount > 0 || _isStoringMembers || IsStopped)
        {
            return;
        }

        ulong newest = Committed.Release;
        if (_handler.OnOrdered(this, newest + 1, newest) is not { } change)
        {
            _handler.OnMembersStored(this);
            return;
        }

        _isStoringMembers = _context.Store.Commit(
            new CommitBatch { Members = [change] },
            _context.OnCore<CommitResult>(result =>
            {
                _isStoringMembers = false;
                if (result.IsDone)
                {
                    _handler.OnMembersStored(this);
                }

                Pump();
            }));
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
                "The host's store failed; nothing is released until it works again. The host's log says what was reported.");
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

    private PublishAnswer Answer(Refusal refusal) => new(refusal.Code, refusal.Text, Committed.Generation, Committed.Release, Committed.Id);
}

/// <summary>Callbacks from a primary to its host. Core thread.</summary>
internal interface IPrimaryHandler
{
    /// <summary>
    /// Releases were ordered and go to the store; none, if the last is before the first. Returns how the members of the application changed
    /// since the last commit, to be stored with them; null for not at all.
    /// </summary>
    MembershipChange? OnOrdered(ApplicationPrimary primary, ulong first, ulong last);

    /// <summary>What <see cref="OnOrdered"/> returned for no release is in the store.</summary>
    void OnMembersStored(ApplicationPrimary primary);

    /// <summary>
    /// The refusal of changes by rules of their application that only the order decides; null if they are fine.
    /// </summary>
    Refusal? Judge(ReleaseState state, IEnumerable<KeyChange> changes);

    /// <summary>Releases were committed, oldest first, and may be delivered. Publishers are answered afterwards.</summary>
    void OnCommitted(ApplicationPrimary primary, IReadOnlyList<ReleaseHeader> headers);

    /// <summary>
    /// True while every region with members is too far behind the application's releases, so that more would not arrive sooner.
    /// </summary>
    bool AreAllBehind(ApplicationPrimary primary);

    /// <summary>The newest values of all applications, of which edits are made.</summary>
    RecentValues Values { get; }

    /// <summary>The newest values that streams send.</summary>
    StreamedValues StreamedValues { get; }

    /// <summary>True while a region that takes the application has a member that does not know short forms.</summary>
    bool MustBeWhole(ApplicationPrimary primary);

    /// <summary>The application entered a new generation.</summary>
    void OnGeneration(ApplicationPrimary primary);

    /// <summary>The store refused or failed; the publishers were answered.</summary>
    void OnStoreFailed(ApplicationPrimary primary, string reason);
}

/// <summary>The outcome of a publish.</summary>
/// <param name="Code">None if it was committed.</param>
/// <param name="Text">The problem and the remedy; empty if it was committed.</param>
/// <param name="Generation">The generation of <paramref name="Release"/>.</param>
/// <param name="Release">The committed release; if refused, the newest one, or 0 when it was refused before ordering.</param>
/// <param name="Id">Its id.</param>
internal sealed record PublishAnswer(ErrorCode Code, string Text, uint Generation, ulong Release, Digest160 Id);
