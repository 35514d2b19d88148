using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>
/// A client node: its session with a host, its membership in its region, and its replicas. Joins and rejoins by itself, and keeps its state
/// while no host can be reached. Core thread, from the constructor to <see cref="Dispose"/>, which is safe from inside any callback.
/// </summary>
internal sealed partial class Node : IDatagramHandler, IReplicaHandler, IRegionMembershipHandler, IRingContribution, IDisposable
{
    private readonly CoreLoop _core;
    private readonly NodeOptions _options;
    private readonly NodeDependencies _doors;
    private readonly PortSink _dataSink;
    private readonly PortSink _controlSink;
    private readonly NodeSession _session;
    private readonly BodyFetcher _fetcher = new();
    private readonly PendingDatagrams _pending = new();
    private readonly SortedDictionary<string, ApplicationReplica> _byName = new(StringComparer.Ordinal);
    private readonly SortedDictionary<uint, ApplicationReplica> _byTopic = [];
    private readonly CatchUpSchedule _catchUps;
    private readonly SaveRetry _saves;
    private readonly SortedDictionary<string, SnapshotIntake> _snapshots = new(StringComparer.Ordinal);
    private readonly SortedDictionary<uint, ulong> _directDemands = [];
    private readonly GroupMember _group;
    private readonly NodeShare? _share;
    private RegionMembership? _region;
    private ApplicationReplica[] _topics = [];
    private bool _mustReport;
    private bool _isDisposed;

    /// <summary>Creates a node; it starts connecting from an alarm, after the constructor returns.</summary>
    /// <param name="core">Its core.</param>
    /// <param name="options">Its identity and session settings.</param>
    /// <param name="doors">Its connections to the outside.</param>
    /// <param name="restored">State saved and verified earlier, by application; in effect immediately.</param>
    public Node(CoreLoop core, NodeOptions options, NodeDependencies doors, IReadOnlyDictionary<string, ReplicaSnapshot>? restored = null)
    {
        ArgumentNullException.ThrowIfNull(core);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(doors);
        _core = core;
        _options = options;
        Calls = new CallTable(options.Limits.CallsMax);
        _doors = doors;
        doors.DataPort.Handler = this;
        doors.ControlPort.Handler = this;
        _dataSink = new PortSink(core, doors.DataPort);
        _controlSink = new PortSink(core, doors.ControlPort);
        _catchUps = new CatchUpSchedule(core, TrySend);
        _saves = new SaveRetry(core, SaveAgain);
        _share = doors.Share;
        _share?.Join();
        foreach (string application in options.Interest.Append(options.Application).Distinct(StringComparer.Ordinal))
        {
            ReplicaSnapshot? state = restored?.GetValueOrDefault(application);
            Func<string, bool>? isWanted = options.IsWanted is { } filter ? key => filter(application, key) : null;
            var replica = new ApplicationReplica(application, state, isWanted, doors.Verifier, this, options.Limits.StagedMax);
            _byName.Add(application, replica);
            _catchUps.Add(new CatchUp(replica, options.CatchUpDelayNs));
            _snapshots.Add(
                application, new SnapshotIntake(replica, doors.Verifier, what => OnForged(replica, what), () => Counters.Snapshots++));
        }

        _group = new GroupMember(core, this, doors.Groups, report => _session!.JoinedLink?.TrySend(report) ?? true);
        _session = new NodeSession(this, core, options, doors);
        _session.Start();
        foreach (ApplicationReplica replica in _byName.Values)
        {
            replica.Start();
        }
    }

    /// <summary>Counts of refusals and repairs.</summary>
    public NodeCounters Counters { get; } = new();

    /// <summary>API calls that await answers.</summary>
    public CallTable Calls { get; }

    /// <summary>Its applications, by name.</summary>
    public IReadOnlyCollection<ApplicationReplica> Applications => _byName.Values;

    /// <summary>True while the node is in a view of its region.</summary>
    public bool IsJoined => _region is not null;

    /// <summary>The connection to the host once joined, for calls; null otherwise.</summary>
    public ILink? Link => _session.JoinedLink;

    /// <summary>The current view; null while in none.</summary>
    public Regions.RegionView? View => _region?.View;

    /// <summary>The replica of an application; null when it is not in the interest.</summary>
    public ApplicationReplica? Find(string application) => _byName.GetValueOrDefault(application);

    /// <summary>Called when the link accepts frames again after it refused one; for bulk senders.</summary>
    public Action? OnLinkWritable { get; set; }

    /// <summary>Called when a host confirmed that this node has received the newest releases of its interest.</summary>
    public Action? OnConfirmed { get; set; }

    /// <inheritdoc/>
    public void OnDatagram(Span<byte> datagram)
    {
        if (_region is null)
        {
            _pending.Hold(datagram);
            return;
        }

        _region.OnDatagram(datagram);
    }

    /// <summary>Says goodbye to the host, so that it need not detect the departure. The caller disposes of the node next.</summary>
    public void Leave(string reason) => _session.Leave(reason);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        _share?.Leave();
        _session.Dispose();
        _group.Dispose();
        _region?.Dispose();
        _region = null;
        _catchUps.Dispose();
        _saves.Dispose();
        _dataSink.Dispose();
        _controlSink.Dispose();
        _core.Forget(this);
        _doors.DataPort.Dispose();
        _doors.ControlPort.Dispose();
        Calls.FailAll();
    }

    /// <summary>Its region, for instruments and checkers; null while the node is in no view.</summary>
    internal RegionMembership? Region => _region;

    /// <summary>Datagrams held until the node has its key.</summary>
    internal int HeldDatagrams => _pending.Count;

    internal LevelRow[] Rows() => [.. _topics.Select(r => r.Levels)];

    internal void OnJoined(LinkPeer self, JoinAccepted accepted)
    {
        foreach (SignerCertificate signer in accepted.Signers)
        {
            _doors.Verifier.TryAddSigner(signer.Der);
        }

        _byTopic.Clear();
        foreach (TopicState topic in accepted.Topics)
        {
            if (_byName.TryGetValue(topic.Application, out ApplicationReplica? replica))
            {
                replica.Topic = topic.Topic;
                _byTopic[topic.Topic] = replica;
            }
        }

        _topics = [.. _byTopic.Values];
        _region?.Dispose();
        _region = new RegionMembership(_core, Counters, accepted, _dataSink, _controlSink, this, this, _share?.Packets, _options.Limits);
        Counters.Joins++;
        _fetcher.SetLink(_session.JoinedLink);
        _doors.Handler.OnJoined(self, accepted);
        foreach (TopicState topic in accepted.Topics)
        {
            _catchUps.Learn(topic);
        }

        foreach (ApplicationReplica replica in _topics)
        {
            replica.Retry();
        }

        foreach (byte[] datagram in _pending.TakeAll())
        {
            _region?.OnDatagram(datagram);
        }
    }

    internal void OnDisconnected(string reason, bool isRefusal)
    {
        _group.Leave();
        _region?.Dispose();
        _region = null;
        _directDemands.Clear();
        _fetcher.SetLink(null);
        _catchUps.Clear();
        Calls.FailAll();
        _doors.Handler.OnDisconnected(reason, isRefusal);
    }

    void IReplicaHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide) =>
        _doors.Handler.OnCandidate(replica, candidate, decide);

    void IReplicaHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => _doors.Handler.OnApplied(replica, state);

    void IReplicaHandler.OnLevelsChanged(ApplicationReplica replica)
    {
        _region?.OnChanged();
        bool isRejected = replica.RejectedRelease != 0 && replica.RejectedRelease == replica.Levels.Received;
        if (isRejected || (_directDemands.TryGetValue(replica.Topic, out ulong release) && replica.Levels.Received >= release))
        {
            Report();
        }
    }

    void IReplicaHandler.OnBehind(ApplicationReplica replica) => _catchUps.Mark(replica.Name);

    void IReplicaHandler.OnForged(ApplicationReplica replica, string what) => OnForged(replica, what);

    void IReplicaHandler.Fetch(
        ApplicationReplica replica,
        Digest160 digest,
        int length,
        ReadOnlyMemory<byte> previous,
        Action<ReadOnlyMemory<byte>?> done)
    {
        if (_session.JoinedLink is null)
        {
            // No host to ask: the replica keeps its position and retries after the next join.
            return;
        }

        _fetcher.Fetch(replica.Topic, digest, length, previous, done);
    }

    bool IReplicaHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done) =>
        _doors.Handler.TryPersist(replica, snapshot, isSaved =>
        {
            done(isSaved);
            if (!_isDisposed)
            {
                _saves.OnEnded(isSaved);
            }
        });

    void IRegionMembershipHandler.OnHostPacket(PacketClass packetClass) => _group.OnHostPacket(packetClass);

    void IRegionMembershipHandler.OnMessage(uint topic, ReadOnlySpan<byte> message) => Offer(topic, message);

    void IRegionMembershipHandler.OnSkipped() => _session.AskForVector();

    void IRegionMembershipHandler.OnExcluded() => _session.Restart("the newest view does not include this node");

    private void Offer(uint topic, ReadOnlySpan<byte> message)
    {
        if (!_byTopic.TryGetValue(topic, out ApplicationReplica? replica))
        {
            return;
        }

        ReleaseMessage? release;
        DecodeStatus status = _share?.Releases.TryRead(message, out release) ?? ReleaseMessage.TryRead(message, out release);
        if (status != DecodeStatus.Ok)
        {
            OnForged(replica, "a release message that is malformed");
            return;
        }

        replica.Offer(release!);
    }

    private void OnForged(ApplicationReplica replica, string what)
    {
        _ = what;
        Counters.Forged++;
        // Data displaced by a forgery is fetched again from a host.
        _catchUps.Mark(replica.Name);
    }

    private bool TrySend(CatchUpRequest request)
    {
        bool isSent = _session.JoinedLink?.TrySend(request) == true;
        Counters.CatchUps += isSent ? 1 : 0;
        return isSent;
    }

    private void SaveAgain()
    {
        foreach (ApplicationReplica replica in _byName.Values)
        {
            replica.SaveAgain();
        }
    }

    private void Report()
    {
        _mustReport = _session.JoinedLink is { } link
            && !link.TrySend(new Report(Rows(), [.. _topics.SelectMany(r => r.Rejections.TakeLast(8)).Take(64)]));
    }
}
