using Ripple.Client.Calls;
using Ripple.Client.Snapshots;
using Ripple.Engine.Control;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;

namespace Ripple.Client.Running;

/// <summary>A client's part on the core: its node, and what the node tells. Core thread; nothing here waits or runs user code.</summary>
internal sealed class ClientCore : INodeHandler
{
    private readonly ClientSettings _settings;
    private readonly CoreDoor _door;
    private readonly CurrentReleases _current;
    private readonly ConnectionGate _gate;
    private readonly ClientOutlet _outlet;
    private readonly Confirmation _confirmation;
    private readonly SnapshotStore _store;
    private readonly SortedDictionary<string, ApplicationState> _applied = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _deciding = new(StringComparer.Ordinal);
    private IReadOnlyList<TopicState> _owed = [];
    private bool _isSynced;
    private bool _isStopped;

    /// <param name="settings">What the client is.</param>
    /// <param name="door">The way back to this core.</param>
    /// <param name="current">What is in effect.</param>
    /// <param name="gate">Who waits for a connection.</param>
    /// <param name="outlet">The way out.</param>
    /// <param name="confirmation">Told when a host confirms what is here.</param>
    /// <param name="store">Saves states.</param>
    public ClientCore(
        ClientSettings settings,
        CoreDoor door,
        CurrentReleases current,
        ConnectionGate gate,
        ClientOutlet outlet,
        Confirmation confirmation,
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

    /// <summary>The node; null before the start and after the stop.</summary>
    public Node? Node { get; private set; }

    /// <summary>Publishes whose values are on their way.</summary>
    public UploadQueue Uploads { get; }

    public void Start(NodeDoors doors, IReadOnlyDictionary<string, ReplicaSnapshot> restored)
    {
        foreach ((string application, ReplicaSnapshot snapshot) in restored)
        {
            _applied[application] = snapshot.Applied;
        }

        Node = new Node(_door.Core, Options(), doors, restored);
        Node.OnLinkWritable = Uploads.Pump;
        Node.OnConfirmed = NoteConfirmed;
    }

    public void Stop()
    {
        _isStopped = true;
        Uploads.Clear();
        Node?.Leave("the client stops");
        Node?.Dispose();
        Node = null;
    }

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
        if (_settings.Options.AcceptRelease is null)
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
    public bool TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done) => _store.TrySave(replica.Name, snapshot, isSaved => _door.Complete(() =>
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
