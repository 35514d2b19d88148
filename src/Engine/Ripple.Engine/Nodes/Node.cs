using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
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
    // Below the distance of a host's own probes.
    private const long PathAnswerNsMin = 5_000_000;
    private const long KeyAskNs = 1_000_000_000;
    private readonly CoreLoop _core;
    private readonly NodeOptions _options;
    private readonly NodeDependencies _dependencies;
    private readonly PortSink _dataSink;
    private readonly PortSink _controlSink;
    private readonly NodeSession _session;
    private readonly BodyFetcher _fetcher;
    private readonly PendingDatagrams _pending = new();
    private readonly SortedDictionary<string, ApplicationReplica> _byName = new(StringComparer.Ordinal);
    private readonly SortedDictionary<uint, ApplicationReplica> _byTopic = [];
    private readonly InterestDigest _digest;
    private readonly CatchUpSchedule _catchUps;
    private readonly SaveRetry _saves;
    private readonly FetchRetry _fetches;
    private readonly FetchRetry _pasts;
    private readonly DecisionRecheck _decisionRecheck;
    private readonly SortedDictionary<string, SnapshotIntake> _snapshots = new(StringComparer.Ordinal);
    private readonly DirectDemands _directDemands = new();
    private readonly GroupMember _group;
    private readonly NodeShare? _share;
    private long _pathAnsweredNs = long.MinValue / 2;
    private RegionMembership? _region;
    private ApplicationReplica[] _topics = [];
    private uint _askedKeyEpoch;
    private long _askedKeyNs;
    private bool _mustReport;
    private bool _isDisposed;

    /// <summary>Creates a node; it starts connecting from an alarm, after the constructor returns.</summary>
    /// <param name="core">Its core.</param>
    /// <param name="options">Its identity and session settings.</param>
    /// <param name="dependencies">Its connections to the outside.</param>
    /// <param name="restored">State saved and verified earlier, by application; in effect immediately.</param>
    public Node(
        CoreLoop core, NodeOptions options, NodeDependencies dependencies, IReadOnlyDictionary<string, ReplicaSnapshot>? restored = null)
    {
        _core = core;
        _options = options;
        Calls = new CallTable(options.Limits.CallsMax);
        _dependencies = dependencies;
        dependencies.DataPort.Handler = this;
        dependencies.ControlPort.Handler = this;
        _dataSink = new PortSink(core, dependencies.DataPort);
        _controlSink = new PortSink(core, dependencies.ControlPort);
        _catchUps = new CatchUpSchedule(core, TrySend);
        _saves = new SaveRetry(core, SaveAgain);
        _fetches = new FetchRetry(core, FetchAgain);
        _pasts = new FetchRetry(core, SearchAgain);
        _leafReport = new Alarm(Report);
        _decisionRecheck = new DecisionRecheck(core);
        _share = dependencies.Share;
        _share?.Join();
        _fetcher = new BodyFetcher(core, _share?.Values ?? new ValueAssemblies(), Counters);
        string[] interest = [.. options.Interest.Append(options.Application).Distinct(StringComparer.Ordinal)];
        _digest = new InterestDigest(interest);
        foreach (string application in interest)
        {
            ReplicaSnapshot? state = restored?.GetValueOrDefault(application);
            Func<string, bool>? isWanted = options.IsWanted is { } filter ? key => filter(application, key) : null;
            bool isHeld = options.HoldsDecisions && application == options.Application;
            var replica = new ApplicationReplica(
                application, state, isWanted, dependencies.Verifier, this, options.Limits.StagedMax, isHeld);
            _byName.Add(application, replica);
            ReleaseState received = replica.Received.Keys;
            _digest.Set(application, received.Generation, received.Release, received.Id);
            _catchUps.Add(new CatchUp(replica, options.CatchUpDelayNs));
            _snapshots.Add(
                application,
                new SnapshotIntake(replica, dependencies.Verifier, refusal => OnRefused(replica, refusal), () => Counters.Snapshots++));
        }

        _group = new GroupMember(core, this, dependencies.Groups, report => _session!.JoinedLink?.TrySend(report) ?? true);
        _session = new NodeSession(this, core, options, dependencies);
        _session.Start();
        foreach (ApplicationReplica replica in _byName.Values)
        {
            replica.Start();
            _decisionRecheck.Watch(replica);
        }
    }

    /// <summary>Counts of refusals and repairs.</summary>
    public NodeCounters Counters { get; } = new();

    /// <summary>API calls that await answers.</summary>
    public CallTable Calls { get; }

    /// <summary>Its applications, by name.</summary>
    public IReadOnlyCollection<ApplicationReplica> Applications => _byName.Values;

    /// <summary>True while the node is a member of its region, whether the view includes it or not.</summary>
    public bool IsJoined => _region is not null || IsLeaf;

    /// <summary>The connection to the host once joined, for calls; null otherwise.</summary>
    public ILink? Link => _session.JoinedLink;

    /// <summary>The current view of its region; null while in none.</summary>
    public Regions.RegionView? View => _region?.View;

    /// <summary>The replica of an application; null when it is not in the interest.</summary>
    public ApplicationReplica? Find(string application) => _byName.GetValueOrDefault(application);

    /// <summary>Called when the link accepts frames again after it refused one; for bulk senders.</summary>
    public Action? OnLinkWritable { get; set; }

    /// <summary>What takes the events that a host delivers, and what it says of those that were emitted; null to leave them out.</summary>
    public INodeEvents? Events { get; set; }

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
        EndLeaf();
        _catchUps.Dispose();
        _saves.Dispose();
        _fetches.Dispose();
        _fetcher.Dispose();
        _pasts.Dispose();
        _decisionRecheck.Dispose();
        _dataSink.Dispose();
        _controlSink.Dispose();
        _core.Forget(this);
        _dependencies.DataPort.Dispose();
        _dependencies.ControlPort.Dispose();
        Calls.FailAll();
    }

    /// <summary>Its region, for instruments and checkers; null while the node is in none.</summary>
    internal RegionMembership? Region => _region;

    /// <summary>The digest of what it has received.</summary>
    internal Digest160 VectorDigest => _digest.Digest;

    /// <summary>Datagrams held until the node has its key.</summary>
    internal int HeldDatagrams => _pending.Count;

    internal void OnJoined(LinkPeer self, JoinAccepted accepted)
    {
        foreach (SignerCertificate signer in accepted.Signers)
        {
            _dependencies.Verifier.TryAddSigner(signer.Der);
        }

        TakeSeat(accepted);
        Counters.Joins++;
        _fetcher.SetLink(_session.JoinedLink);
        _dependencies.Handler.OnJoined(self, accepted);
        LearnAll(accepted.Topics);
        foreach (ApplicationReplica replica in _topics)
        {
            replica.Retry();
            _decisionRecheck.Watch(replica);
        }

        OnHostHeard();
        if (_rejecting.Exists(r => r.RejectedRelease != 0))
        {
            // Rejections from before the join were not reported yet.
            Report();
        }

        TakePending();
    }

    /// <summary>The region as the answer to a join gives it, with the seat in it.</summary>
    private void TakeSeat(JoinAccepted accepted)
    {
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
        TellAnew();
        _region?.Dispose();
        _region = new RegionMembership(_core, Counters, accepted, _dataSink, _controlSink, this, this, _share?.Packets, _options.Limits);
    }

    private void LearnAll(IReadOnlyList<TopicState> topics)
    {
        foreach (TopicState topic in topics)
        {
            _catchUps.Learn(topic);
        }
    }

    private void TakePending()
    {
        foreach (byte[] datagram in _pending.TakeAll())
        {
            _region?.OnDatagram(datagram);
        }
    }

    /// <summary>The host has nothing newer than this node.</summary>
    internal void Confirm()
    {
        _catchUps.OnConfirmed();
        OnConfirmed?.Invoke();
    }

    /// <summary>Whether an application decides nothing until a host has said what is newest.</summary>
    internal bool IsAwaitingHost => _decisionRecheck.IsAwaitingHost;

    /// <summary>A host has said what is newest, or none can be reached: what is here may be decided.</summary>
    internal void OnHostHeard() => _decisionRecheck.OnHostHeard();

    internal void OnDisconnected(string reason, bool isRefusal)
    {
        _group.Leave();
        _region?.Dispose();
        _region = null;
        EndLeaf();
        _directDemands.Clear();
        _fetcher.SetLink(null);
        _fetches.Clear();
        _pasts.Clear();
        _catchUps.Clear();
        foreach (ApplicationReplica replica in _byName.Values)
        {
            replica.OnHostLost();
        }

        Calls.FailAll();
        _dependencies.Handler.OnDisconnected(reason, isRefusal);
    }

    bool IRegionMembershipHandler.OnHostPacket(PacketClass packetClass) => _group.OnHostPacket(packetClass);

    void IRegionMembershipHandler.OnPathProbe(PathAnswer answer)
    {
        // A member that forges probes gets an answer now and then, not each time.
        if (_core.NowNs - _pathAnsweredNs >= PathAnswerNsMin && _session.JoinedLink?.TrySend(answer) == true)
        {
            _pathAnsweredNs = _core.NowNs;
        }
    }

    void IRegionMembershipHandler.OnMessage(uint topic, ReadOnlySpan<byte> message) => Offer(topic, message, isFromHost: false);

    void IRegionMembershipHandler.OnSkipped() => _session.AskForVector();

    void IRegionMembershipHandler.OnKeyFault(KeyRequest request)
    {
        // At most once a second: the host changes the key for all who ask.
        if (request.KeyEpoch == _askedKeyEpoch && _core.NowNs - _askedKeyNs < KeyAskNs)
        {
            return;
        }

        if (_session.JoinedLink?.TrySend(request) == true)
        {
            (_askedKeyEpoch, _askedKeyNs) = (request.KeyEpoch, _core.NowNs);
            Counters.KeysAsked++;
        }
    }

    private void Offer(uint topic, ReadOnlySpan<byte> message, bool isFromHost)
    {
        if (!_byTopic.TryGetValue(topic, out ApplicationReplica? replica))
        {
            return;
        }

        if (!isFromHost && StreamedValue.IsPart(message))
        {
            if (!StreamedValue.TryRead(message, out ValuePart part) || !_fetcher.OnPart(topic, part))
            {
                OnRefused(replica, new IntakeRefusal("a part of a value that is not what its digest says"));
            }

            return;
        }

        ReleaseMessage? release;
        DecodeStatus status = _share?.Releases.TryRead(message, out release) ?? ReleaseMessage.TryRead(message, out release);
        if (status != DecodeStatus.Ok)
        {
            OnRefused(replica, new IntakeRefusal("a release message that is malformed"));
            return;
        }

        if (_session.IsHostSilent)
        {
            // This process was stopped, or cut off: what it finds in its buffers may have been taken back since.
            replica.AwaitHost();
            _decisionRecheck.Watch(replica);
        }

        replica.Offer(release!, isFromHost, isFromHost ? null : _region?.Sealer);
    }

    private void Report()
    {
        _mustReport = _session.JoinedLink is { } link
            && !TryTellHost(rows => link.TrySend(new Report(rows, [.. _rejecting.SelectMany(r => r.Rejections.TakeLast(8)).Take(64)])));
    }
}
