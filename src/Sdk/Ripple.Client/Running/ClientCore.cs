using Ripple.Client.Events;
using Ripple.Client.Snapshots;
using Ripple.Client.State;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;

namespace Ripple.Client.Running;

/// <summary>
/// The part of a client that runs on the core thread: its node and the handler of the node's events. Never blocks or runs user code.
/// </summary>
internal sealed class ClientCore : INodeHandler
{
    private readonly ClientSettings _settings;
    private readonly CoreDispatcher _door;
    private readonly CurrentReleases _current;
    private readonly ConnectionSignal _gate;
    private readonly ClientOutlet _outlet;
    private readonly Freshness _confirmation;
    private readonly SnapshotStore _store;
    private readonly SortedDictionary<string, ApplicationState> _applied = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _deciding = new(StringComparer.Ordinal);
    private IReadOnlyList<TopicState> _owed = [];
    private bool _isSynced;
    private bool _isStopped;

    /// <param name="settings">The client's settings.</param>
    /// <param name="door">Passes completions to this core.</param>
    /// <param name="current">The releases in effect.</param>
    /// <param name="gate">The connection's state.</param>
    /// <param name="outlet">The queue of events leaving the core.</param>
    /// <param name="confirmation">The time a host last confirmed that this client has the newest releases.</param>
    /// <param name="store">Saves snapshots.</param>
    public ClientCore(
        ClientSettings settings,
        CoreDispatcher door,
        CurrentReleases current,
        ConnectionSignal gate,
        ClientOutlet outlet,
        Freshness confirmation,
        SnapshotStore store)
    {
        _settings = settings;
        _door = door;
        _current = current;
        _gate = gate;
        _outlet = outlet;
        _confirmation = confirmation;
        _store = store;
        Uploads = new UploadQueue(door.Core);
    }

    /// <summary>The node; null before start and after stop.</summary>
    public Node? Node { get; private set; }

    /// <summary>The publishes whose values are being uploaded.</summary>
    public UploadQueue Uploads { get; }

    /// <summary>Creates the node, with the states restored from disk.</summary>
    public void Start(NodeDependencies doors, IReadOnlyDictionary<string, ReplicaSnapshot> restored)
    {
        foreach ((string application, ReplicaSnapshot snapshot) in restored)
        {
            _applied[application] = snapshot.Applied;
        }

        Node = new Node(_door.Core, Options(), doors, restored);
        Node.OnLinkWritable = Uploads.Pump;
        Node.OnConfirmed = NoteConfirmed;
    }

    /// <summary>Leaves the host and disposes the node. Completions that arrive later have no effect.</summary>
    public void Stop()
    {
        _isStopped = true;
        Uploads.Clear();
        Node?.Leave("the client stops");
        Node?.Dispose();
        Node = null;
    }

    /// <summary>See <see cref="ClientOutlet.Flush"/>.</summary>
    public void Flush() => _outlet.Flush();

    /// <inheritdoc/>
    public void OnJoined(LinkPeer self, JoinAccepted accepted)
    {
        _owed = _isSynced ? [] : accepted.Topics;
        _gate.Connected();
        _outlet.Post(new ConnectionStateChange(ConnectionState.Connected, string.Empty));
        NoteSync();
    }

    /// <inheritdoc/>
    public void OnDisconnected(string reason, bool isRefusal)
    {
        if (_isStopped)
        {
            return;
        }

        Uploads.Clear();
        _gate.Failed(reason, isRefusal);
        _outlet.Post(new ConnectionStateChange(isRefusal ? ConnectionState.Refused : ConnectionState.Disconnected, reason));
    }

    /// <inheritdoc/>
    public void OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide)
    {
        if (_settings.AcceptRelease is null)
        {
            decide(null);
            NoteSync();
            return;
        }

        _deciding.Add(replica.Name);
        _outlet.Post(new ClientEvent.Candidate(RippleRelease.From(candidate, replica.Applied), reason => _door.Complete(() =>
        {
            if (!_isStopped)
            {
                _deciding.Remove(replica.Name);
                decide(reason);
                NoteSync();
            }
        })));
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
    public bool TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done) =>
        _store.TrySave(replica.Name, snapshot, isSaved => _door.Complete(() =>
        {
            if (!_isStopped)
            {
                done(isSaved);
            }
        }));

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
    };

    /// <summary>Lets the start complete once the releases the host had at the join have been received and decided on.</summary>
    private void NoteSync()
    {
        if (_isSynced || Node is null || !Node.IsJoined || _deciding.Count > 0)
        {
            return;
        }

        foreach (TopicState topic in _owed)
        {
            if (topic.Release > 0 && Node.Find(topic.Application)?.Received.Keys is { } held
                && (held.Generation < topic.Generation || (held.Generation == topic.Generation && held.Release < topic.Release)))
            {
                return;
            }
        }

        _isSynced = true;
        NoteConfirmed();
        _gate.Synced();
    }
}
