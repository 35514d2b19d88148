using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Core;
using Ripple.Engine.Tests.Streams;
using Ripple.Engine.Tests.Wire;
using Ripple.Engine.Wire;
using Ripple.Simulator.Links;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>One node, with the test in the place of everything around it: host, members, network, clock, signatures, and the
/// layer above.</summary>
internal sealed class NodeRig : INodeHandler, IDisposable
{
    public const string Application = "shop";
    public const uint Topic = 9;
    public const uint OwnSlot = 7;
    public const ulong FirstSequence = 100;
    public const long MsNs = 1_000_000;
    public const long SecondNs = 1_000_000_000;
    private InMemoryLinkPair? _links;

    /// <param name="options">Null: a node of "shop" with the defaults.</param>
    /// <param name="endpoints">Where hosts are; one when none is named.</param>
    public NodeRig(NodeOptions? options = null, params string[] endpoints)
        : this(null, options, endpoints)
    {
    }

    /// <param name="restored">What it has on its disk; null for nothing.</param>
    /// <param name="options">Null: a node of "shop" with the defaults.</param>
    /// <param name="endpoints">Where hosts are; one when none is named.</param>
    public NodeRig(ReplicaSnapshot? restored, NodeOptions? options = null, params string[] endpoints)
    {
        Core = Cores.Make();
        Core.DoWork(SecondNs);
        Connector = new FakeConnector(Core);
        var doors = new NodeDependencies(Connector, endpoints.Length > 0 ? endpoints : ["one:1"], DataPort, ControlPort, Verifier, this);
        SortedDictionary<string, ReplicaSnapshot> saved = restored is null ? [] : new() { [Application] = restored };
        Node = new Node(Core, options ?? new NodeOptions { Application = Application }, doors, saved);
        Core.DoWork(Core.NowNs);
    }

    public CoreLoop Core { get; }

    public Node Node { get; }

    public FakeConnector Connector { get; }

    public FakePort DataPort { get; } = new(NodeAddress.FromIPv4(0x0A000007, 7001));

    public FakePort ControlPort { get; } = new(NodeAddress.FromIPv4(0x0A000007, 7002));

    public FakeVerifier Verifier { get; } = new();

    public HostEnd Host { get; } = new();

    /// <summary>What the host says it sends next: more than any test sends.</summary>
    public const ulong NextSequence = 1_000_000;

    public RegionSeals Seals { get; } = new();

    public ApplicationReplica Replica => Node.Find(Application)!;

    /// <summary>What the host answers the next join with.</summary>
    public JoinAccepted Answer { get; set; } = new(
        1_000 + OwnSlot,
        StreamHost.Origin,
        HostData,
        HostControl,
        OwnSlot,
        new RegionView(Sealing.RegionId, new ViewNumber(1, 10), [Member(3), Member(5), Member(OwnSlot)]),
        1,
        Sealing.KeyBytes(1),
        new byte[MemberKey.KeyBytes],
        FirstSequence,
        [new TopicState(Application, Topic, 1, 1, 0, default)],
        [],
        1_000);

    public static NodeAddress HostData { get; } = NodeAddress.FromIPv4(0x0A000001, 1);

    public static NodeAddress HostControl { get; } = NodeAddress.FromIPv4(0x0A000001, 2);

    /// <summary>How often the node was told that it joined.</summary>
    public int Joins { get; private set; }

    public List<(string Reason, bool IsRefusal)> Disconnects { get; } = [];

    /// <summary>What was offered and not decided yet, while <see cref="HoldsDecisions"/>.</summary>
    public List<(ApplicationState State, Action<string?> Decide)> Candidates { get; } = [];

    /// <summary>What the host told of where hosts are.</summary>
    public List<string> Told { get; } = [];

    public bool HoldsDecisions { get; set; }

    /// <summary>What a decision says; null accepts.</summary>
    public string? Rejection { get; set; }

    public List<ApplicationState> Applied { get; } = [];

    /// <summary>How often no past state was left to look at.</summary>
    public int SearchesEnded { get; private set; }

    /// <summary>What was told as refused.</summary>
    public List<IntakeRefusal> Refusals { get; } = [];

    /// <summary>What is to be saved, while <see cref="Saves"/>; the test ends each.</summary>
    public List<(ReplicaSnapshot Snapshot, Action<bool> Done)> Saving { get; } = [];

    public bool Saves { get; set; }

    /// <summary>A member of the region, by its slot.</summary>
    public static RegionMember Member(uint slot) => new(
        slot,
        new NodeId(1, slot),
        1_000 + slot,
        NodeAddress.FromIPv4(0x0A000000 + slot, 7001),
        NodeAddress.FromIPv4(0x0A000000 + slot, 7002));

    /// <summary>The host answers the connect that is under way; the join comes in.</summary>
    public void Connect(int sendBufferBytesMax = 262_144)
    {
        var host = new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" };
        var node = new LinkPeer { Kind = LinkPeerKind.Node, Application = Application, Name = "node" };
        _links = new InMemoryLinkPair(host, node, sendBufferBytesMax);
        _links.Right.Handler = Host;
        Connector.Succeed(_links.Left);
        _links.PumpAll();
    }

    /// <summary>Connects, and the host accepts the join. What came until then is forgotten.</summary>
    public NodeRig Join(int sendBufferBytesMax = 262_144)
    {
        Connect(sendBufferBytesMax);
        Host.Only<Join>();
        Host.Forget();
        Send(Answer);
        return this;
    }

    /// <summary>The host sends a message, and what it causes comes in.</summary>
    public void Send<T>(T message)
        where T : class, IMessage<T> => SendRaw((ushort)T.Type, MessageCodec.Encode(message));

    /// <summary>The host answers a heartbeat: there is nothing newer than what the node holds.</summary>
    public void Confirm(ulong sequence = 1)
    {
        ReleaseState held = Replica.Received.Keys;
        Send(new HeartbeatReply(sequence, Answer.View.Number, NextSequence, DigestOf(held.Generation, held.Release, held.Id)));
    }

    /// <summary>The digest of what a node with the one application holds.</summary>
    public static Digest160 DigestOf(uint generation, ulong release, Digest160 id)
    {
        var vector = new InterestDigest([Application]);
        vector.Set(Application, generation, release, id);
        return vector.Digest;
    }

    /// <summary>The host answers a heartbeat: there is something newer than what the node holds.</summary>
    public void Refute() => Send(new HeartbeatReply(1, Answer.View.Number, NextSequence, default));

    public void SendRaw(ushort type, byte[] body)
    {
        Assert.True(_links!.Right.TrySend(type, body));
        _links.PumpAll();
    }

    /// <summary>The connection breaks without a word.</summary>
    public void Break(string reason)
    {
        _links!.Break(reason);
        _links.PumpAll();
    }

    /// <summary>What the node queued comes in at the host.</summary>
    public void Pump() => _links!.PumpAll();

    /// <summary>Lets time go by, from one thing to do to the next.</summary>
    public void Run(long durationNs)
    {
        long endNs = Core.NowNs + durationNs;
        while (Core.NextDueNs <= endNs)
        {
            Core.DoWork(Core.NextDueNs);
            _links?.PumpAll();
        }

        Core.DoWork(endNs);
        _links?.PumpAll();
    }

    /// <summary>A packet arrives that a slot sealed under the key of an epoch.</summary>
    public void Receive(uint slot, PacketClass packetClass, byte[] frames, uint epoch = 1)
    {
        DataPort.Receive(Seals.Seal(slot, epoch, packetClass, frames));
        _links?.PumpAll();
    }

    /// <summary>A packet of the host's stream arrives, with one message.</summary>
    public void ReceiveMessage(ulong sequence, byte[] message, uint epoch = 1) =>
        Receive(0, PacketClass.Data, RegionSeals.Message(sequence, Topic, message), epoch);

    /// <summary>The requests for repair so far.</summary>
    public IReadOnlyList<(NodeAddress To, uint Epoch, ulong[] Sequences)> Naks() => RegionSeals.Naks(OwnSlot, ControlPort.Sent);

    public void Dispose()
    {
        Node.Dispose();
        Seals.Dispose();
    }

    /// <summary>Whether somebody waits for the answer to a call.</summary>
    public bool HasCalls { get; set; }

    void INodeHandler.OnJoined(LinkPeer self, JoinAccepted accepted) => Joins++;

    void INodeHandler.OnHosts(IReadOnlyList<string> endpoints) => Told.AddRange(endpoints);

    void INodeHandler.OnDisconnected(string reason, bool isRefusal) => Disconnects.Add((reason, isRefusal));

    void INodeHandler.OnRefused(string application, IntakeRefusal refusal) => Refusals.Add(refusal);

    void INodeHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide)
    {
        if (HoldsDecisions)
        {
            Candidates.Add((candidate, decide));
        }
        else
        {
            decide(Rejection);
        }
    }

    void INodeHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => Applied.Add(state);

    void INodeHandler.OnSearchEnded(ApplicationReplica replica) => SearchesEnded++;

    bool INodeHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done)
    {
        if (Saves)
        {
            Saving.Add((snapshot, done));
        }

        return Saves;
    }
}
