using Ripple.Client.Diagnostics;
using Ripple.Client.Events;
using Ripple.Client.Snapshots;
using Ripple.Client.State;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Running;

/// <summary>
/// The part of a client that runs on the core thread: its node and the handler of the node's events. Never blocks or runs user code.
/// </summary>
internal sealed class ClientCore : INodeHandler
{
    private readonly ClientSettings _settings;
    private readonly CoreDispatcher _dispatcher;
    private readonly CurrentReleases _current;
    private readonly ConnectionSignal _connection;
    private readonly ClientOutlet _outlet;
    private readonly Freshness _confirmation;
    private readonly SnapshotStore _store;
    private readonly SortedDictionary<string, ApplicationState> _applied = new(StringComparer.Ordinal);
    private readonly RefusalPace _refusals = new();
    private readonly List<TaskCompletionSource<bool>> _settling = [];
    private IReadOnlyList<TopicState> _expectedTopics = [];
    private IReadOnlyList<HostEndpoint> _hosts = [];
    private int _callCount;
    private bool _isSynced;
    private bool _isStopped;

    /// <param name="settings">The client's settings.</param>
    /// <param name="dispatcher">Passes completions to this core.</param>
    /// <param name="current">The releases in effect.</param>
    /// <param name="connection">The connection's state.</param>
    /// <param name="outlet">The queue of events leaving the core.</param>
    /// <param name="confirmation">The time a host last confirmed that this client has the newest releases.</param>
    /// <param name="store">Saves snapshots.</param>
    public ClientCore(
        ClientSettings settings,
        CoreDispatcher dispatcher,
        CurrentReleases current,
        ConnectionSignal connection,
        ClientOutlet outlet,
        Freshness confirmation,
        SnapshotStore store)
    {
        _settings = settings;
        _dispatcher = dispatcher;
        _current = current;
        _connection = connection;
        _outlet = outlet;
        _confirmation = confirmation;
        _store = store;
        Uploads = new UploadQueue(dispatcher.Core);
    }

    /// <summary>A call that somebody waits for began (1) or ended (-1). Any thread.</summary>
    public void CountCall(int change) => Interlocked.Add(ref _callCount, change);

    /// <inheritdoc/>
    public bool HasCalls => Volatile.Read(ref _callCount) > 0;

    /// <summary>The node; null before start and after stop.</summary>
    public Node? Node { get; private set; }

    /// <summary>The publishes whose values are being uploaded.</summary>
    public UploadQueue Uploads { get; }

    /// <summary>Called with the application and header of each completely received release; the header is null if unknown.</summary>
    public Action<string, ReleaseHeader?>? OnReceivedWhole { get; set; }

    /// <summary>Takes what a host says of events; set before the start.</summary>
    public INodeEvents? Events { get; set; }

    /// <summary>Called with the host's incarnation each time it let the node in.</summary>
    public Action<ulong>? OnLetIn { get; set; }

    /// <summary>Called when the link accepts frames again.</summary>
    public Action? OnWritable { get; set; }

    /// <summary>Creates the node, with the states restored from disk.</summary>
    public void Start(NodeDependencies dependencies, IReadOnlyDictionary<string, ReplicaSnapshot> restored)
    {
        foreach ((string application, ReplicaSnapshot snapshot) in restored)
        {
            _applied[application] = snapshot.Applied;
        }

        Node = new Node(_dispatcher.Core, Options(), dependencies, restored);
        ClientTelemetry.Started(Node.Counters.Caching);
        foreach (ApplicationReplica replica in Node.Applications)
        {
            NoteStanding(replica);
            NoteReceived(replica, isDecided: false);
        }

        Node.Events = Events;
        Node.OnLinkWritable = () =>
        {
            Uploads.Pump();
            OnWritable?.Invoke();
        };
        Node.OnConfirmed = NoteConfirmed;
    }

    /// <summary>Leaves the host and disposes the node. Completions that arrive later have no effect.</summary>
    public void Stop()
    {
        _isStopped = true;
        NoteSettled();
        Uploads.Clear();
        if (Node is { } node)
        {
            node.Leave("the client stops");
            node.Dispose();
            ClientTelemetry.Ended(node.Counters.Caching);
            Node = null;
        }
    }

    /// <summary>The newest state of the own application that was received completely, in effect or not.</summary>
    public RippleRelease Received() => RippleRelease.From(Own?.Received ?? ApplicationState.Empty(_settings.Application), null);

    /// <summary>
    /// Takes the validators' decision on the restored state of the own application. If they reject it, with a reason, it is no longer in
    /// effect.
    /// </summary>
    public void JudgeRestored(string? reason)
    {
        if (Own is not { } replica)
        {
            return;
        }

        replica.JudgeRestored(reason);
        if (replica.Applied.Keys.Release == 0)
        {
            _applied.Remove(replica.Name);
            _current[replica.Name] = RippleRelease.From(replica.Applied, null);
        }

        NoteStanding(replica);
    }

    /// <summary>
    /// Begins deciding, now that the validators exist. Completes when there is nothing left to decide on in the own application, which may
    /// be at once.
    /// </summary>
    public Task<bool> BeginDeciding()
    {
        var settled = new TaskCompletionSource<bool>(_dispatcher.Scheduler.Completions);
        _settling.Add(settled);
        if (Own is { } replica)
        {
            replica.BeginDeciding();
            NoteReceived(replica, isDecided: false);
        }

        NoteDecided();
        return settled.Task;
    }

    /// <summary>See <see cref="ClientOutlet.Flush"/>.</summary>
    public void Flush() => _outlet.Flush();

    /// <inheritdoc/>
    public void OnJoined(LinkPeer self, JoinAccepted accepted)
    {
        _expectedTopics = _isSynced ? [] : accepted.Topics;
        _connection.Connected();
        _outlet.Post(new ConnectionStateChange(ConnectionState.Connected, string.Empty));
        OnLetIn?.Invoke(accepted.HostIncarnation);
        NoteSync();
    }

    /// <inheritdoc/>
    public void OnHosts(IReadOnlyList<string> endpoints)
    {
        IReadOnlyList<HostEndpoint> hosts = HostsFile.Parse(endpoints);
        if (hosts.Count > 0 && !hosts.SequenceEqual(_hosts))
        {
            _hosts = hosts;
            _store.Keep(hosts);
        }
    }

    /// <inheritdoc/>
    public void OnDisconnected(string reason, bool isRefusal)
    {
        if (_isStopped)
        {
            return;
        }

        Uploads.Clear();
        if (Own is not { IsUndecided: true })
        {
            // Without a host, no past state is searched for.
            NoteSettled();
        }

        _connection.Failed(reason, isRefusal);
        _outlet.Post(new ConnectionStateChange(isRefusal ? ConnectionState.Refused : ConnectionState.Disconnected, reason));
    }

    /// <inheritdoc/>
    public void OnRefused(string application, IntakeRefusal refusal)
    {
        if (!_isStopped && _refusals.TryReport(application, refusal, _dispatcher.Core.NowNs, out long omitted))
        {
            _outlet.Post(new ClientEvent.Refused(application, refusal, omitted));
        }
    }

    /// <inheritdoc/>
    public void OnReceived(ApplicationReplica replica, ApplicationState state)
    {
        NoteReceived(replica, isDecided: false);
        OnReceivedWhole?.Invoke(replica.Name, state.Proof?.Header);
        // While decisions are held, nothing else notices that a start has everything it waits for.
        NoteSync();
    }

    /// <inheritdoc/>
    public void OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide)
    {
        if (_settings.AcceptRelease is null)
        {
            decide(null);
            NoteDecided(replica);
            return;
        }

        var item = new ClientEvent.Candidate(RippleRelease.From(candidate, replica.Applied), reason => _dispatcher.Complete(() =>
        {
            if (!_isStopped)
            {
                decide(reason);
                NoteDecided(replica);
            }
        }));
        ReleaseState newest = replica.Received.Keys;
        bool isPast = candidate.Keys.Generation == newest.Generation && candidate.Keys.Release < newest.Release;
        _outlet.Post(isPast ? item with { RejectedNewer = newest.Release } : item);
    }

    /// <inheritdoc/>
    public void OnApplied(ApplicationReplica replica, ApplicationState state)
    {
        var release = RippleRelease.From(state, _applied.GetValueOrDefault(replica.Name));
        _applied[replica.Name] = state;
        _current[replica.Name] = release;
        _outlet.Post(release);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Within the decision that rejects, where there is nothing to search: a start that is told of it must find what was rejected.
    /// </remarks>
    public void OnSearchEnded(ApplicationReplica replica) => NoteDecided(replica);

    /// <inheritdoc/>
    public bool TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done) =>
        _store.TrySave(replica.Name, snapshot, isSaved => _dispatcher.Complete(() =>
        {
            if (!_isStopped)
            {
                done(isSaved);
            }
        }));

    private ApplicationReplica? Own => Node?.Find(_settings.Application);

    private void NoteStanding(ApplicationReplica replica) => _current.SetRejection(
        replica.Name,
        replica.Standing is { } row
            ? new StandingRejection(row.Release, row.Reason)
            {
                Others = [.. replica.Tried.Where(r => r.Release != row.Release).Select(r => new StandingRejection(r.Release, r.Reason))],
            }
            : null);

    /// <param name="replica">The application.</param>
    /// <param name="isDecided">Whether a release was decided just now: another that waits began to wait now.</param>
    private void NoteReceived(ApplicationReplica replica, bool isDecided)
    {
        long? since = isDecided ? null : _current.ReceivedOf(replica.Name).UndecidedSince;
        _current.SetReceived(replica.Name, new ReceivedRelease(
            replica.Received.Keys.Release, replica.IsUndecided ? since ?? _dispatcher.Scheduler.Clock.GetTimestamp() : null)
        {
            IsSearching = replica.IsSearching,
        });
    }

    private void NoteDecided(ApplicationReplica replica)
    {
        NoteStanding(replica);
        NoteReceived(replica, isDecided: true);
        NoteDecided();
    }

    private void NoteDecided()
    {
        NoteSync();
        if (!_isSynced)
        {
            _connection.Decided();
        }

        if (Own is not { } own || !(own.IsUndecided || IsSearching(own)))
        {
            NoteSettled();
        }
    }

    /// <summary>Whether a host is being asked for a past state to start from, so that the state in effect may change soon.</summary>
    private bool IsSearching(ApplicationReplica replica) => replica.IsSearching && Node!.IsJoined;

    private void NoteSettled()
    {
        TaskCompletionSource<bool>[] settling = [.. _settling];
        _settling.Clear();
        foreach (TaskCompletionSource<bool> settled in settling)
        {
            settled.TrySetResult(true);
        }
    }

    private void NoteConfirmed()
    {
        if (_confirmation.Note())
        {
            _store.Keep(_confirmation.At);
        }
    }

    private NodeOptions Options() => new()
    {
        Application = _settings.Application,
        Zone = _settings.Zone,
        Name = _settings.Name,
        Interest = _settings.Interest,
        Labels = _settings.Labels,
        HoldsDecisions = _settings.HoldsDecisions,
    };

    /// <summary>Lets the start complete once the releases the host had at the join have been received and decided on.</summary>
    private void NoteSync()
    {
        if (_isSynced || Node is null || !Node.IsJoined || Node.Applications.Any(a => a.IsUndecided || IsSearching(a)))
        {
            return;
        }

        foreach (TopicState topic in _expectedTopics)
        {
            if (topic.Release > 0 && Node.Find(topic.Application)?.Received.Keys is { } held
                && (held.Generation < topic.Generation || (held.Generation == topic.Generation && held.Release < topic.Release)))
            {
                return;
            }
        }

        _isSynced = true;
        NoteConfirmed();
        _connection.Synced();
    }
}
