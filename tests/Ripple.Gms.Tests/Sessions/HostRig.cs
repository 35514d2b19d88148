using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Gms.Regions;
using Ripple.Gms.Store;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Links;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>
/// One host on a simulated machine and disk, and connections to it by hand. Time moves only in <see cref="Run"/> and <see cref="Deliver"/>.
/// The tests that use it know frames, datagrams and time, and no class of the host: this is the one place that names them.
/// </summary>
internal sealed class HostRig
{
    public const string Shop = "shop";
    public const string Cart = "cart";
    public const uint ShopTopic = 1;
    public const uint CartTopic = 2;

    /// <summary>The token of most nodes: good for every application.</summary>
    public const string NodesToken = "nodes";
    public const string ShopToken = "shop-only";
    public const string RevokedToken = "revoked";
    public const string ExpiredToken = "expired";
    public const string PublishersToken = "publishers";

    public const long MillisecondNs = 1_000_000;
    public const long SecondNs = 1_000_000_000;

    /// <summary>The epoch of the first start: the second in which the simulated clock begins.</summary>
    public const uint FirstEpoch = 1_700_000_000;

    private const long DeliverNs = 50_000;
    private const int PublisherNumber = 60_000;
    private const int ObserverNumber = 60_001;
    private const int PartBytes = 64 * 1_024;
    private readonly SimulatedWorld _world = new(7);
    private readonly SimulatedAuthority _authority;
    private readonly SimulatedHost _host;
    private readonly List<NodeRig> _nodes = [];
    private int _publishCount;

    /// <param name="options">The host's options; null for the defaults.</param>
    /// <param name="furtherApplications">So many applications besides the two: <see cref="Further"/>.</param>
    public HostRig(GmsOptions? options = null, int furtherApplications = 0)
    {
        _authority = new SimulatedAuthority(_world.Random.Fork(13));
        SimulatedMachine machine = _world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _host = new SimulatedHost(_world, machine, _authority, options ?? new GmsOptions());
        Commit(new CommitBatch
        {
            Applications = [new NewApplication(ShopTopic, Shop, 1), new NewApplication(CartTopic, Cart, 1)],
            Tokens =
            [
                Create(NodesToken, ["*"], AccessRole.Node),
                Create(ShopToken, [Shop], AccessRole.Node),
                Create(RevokedToken, ["*"], AccessRole.Node),
                AccessTokenChange.Revoke(RevokedToken, 2, "administrator"),
                Create(ExpiredToken, ["*"], AccessRole.Node, expiresUnixMicros: 3),
                Create(PublishersToken, ["*"], AccessRole.Publisher),
            ],
        });
        if (furtherApplications > 0)
        {
            Commit(new CommitBatch
            {
                Applications =
                    [.. Enumerable.Range(0, furtherApplications).Select(i => new NewApplication(CartTopic + 1 + (uint)i, Further(i), 1))],
            });
        }

        BeforeFirstStart = _host.Disk.Copy();
        _world.Network.Tap = (_, to, datagram) =>
        {
            foreach (NodeRig node in _nodes)
            {
                node.OnDatagram(to, datagram);
            }
        };
        machine.Start();
        Run(20 * MillisecondNs);
    }

    /// <summary>The disk as it was before the host's first start: applications and tokens, and no epoch.</summary>
    public SimulatedDiskCopy BeforeFirstStart { get; }

    /// <summary>The key epoch of the only region.</summary>
    public uint KeyEpoch => Assert.Single(_host.Gms!.KeyEpochs).Value;

    public GmsCounters Counters => _host.Gms!.Counters;

    /// <summary>What the stream of the only region did.</summary>
    public StreamCounters StreamCounters => Assert.Single(_host.Gms!.Streams).Counters;

    /// <summary>What administrators see of the only region.</summary>
    public RegionStatus Region => Assert.Single(Regions.After(null, countMax: 2)).Status();

    public RegionTable Regions => _host.Gms!.Regions;

    /// <summary>How many values of rows its waits over an application have read: what they cost.</summary>
    public long ValuesRead(string application = Shop) => _host.Gms!.FrontierOf(application)!.Table.ValuesRead;

    /// <summary>The core time that a token has left for its frames.</summary>
    public long FrameNsLeft(string tokenId) => _host.Gms!.Calls.Budget.FrameNsLeft(tokenId);

    /// <summary>Reads under way, over all connections.</summary>
    public int ReadCount => _host.Gms!.Calls.Budget.ReadCount;

    /// <summary>The host is told where the hosts of its cluster are.</summary>
    public void TellHosts(params string[] endpoints)
    {
        _host.Gms!.TellHosts(endpoints);
        Deliver();
    }

    /// <summary>The memory that what is read for connections holds.</summary>
    public long TransientBytes => _host.Gms!.TransientBytes;

    public NodeAddress DataAddress => _host.Gms!.DataAddress;

    public NodeAddress ControlAddress => _host.Gms!.ControlAddress;

    /// <summary>The certificate of the key that signs the host's releases.</summary>
    public ReadOnlyMemory<byte> Certificate => _authority.CreateSigner("host").Certificate;

    /// <summary>The oldest release on the disk.</summary>
    public ulong HistoryFrom(uint topic = ShopTopic) => _host.Disk.Image.Applications[topic].HistoryFrom;

    /// <summary>The newest epoch on the disk.</summary>
    public uint StoredEpoch
    {
        get
        {
            using SimulatedHostStore store = _host.Disk.Open(new HostStoreOptions { IsHost = false });
            return store.Load().SlotEpoch;
        }
    }

    /// <summary>The name of a further application.</summary>
    public static string Further(int index) => $"app-{index}";

    /// <summary>The identity that a node of this number proves.</summary>
    public static NodeId NodeOf(int number) => new(1, (ulong)number);

    /// <summary>A connection that has not said anything.</summary>
    public NodeRig Connect(int number, string application = Shop, string tokenId = NodesToken)
    {
        var peer = new LinkPeer
        {
            Kind = LinkPeerKind.Node,
            Application = application,
            Role = "node",
            Name = $"node-{number}",
            TokenId = tokenId,
            NodeIdHigh = NodeOf(number).High,
            NodeIdLow = NodeOf(number).Low,
        };
        var link = new InMemoryLinkPair(peer, new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        var node = new NodeRig(number, peer, link, datagram => _world.Network.Inject(ControlAddress, datagram));
        _nodes.Add(node);
        _host.Gms!.OnLink(link.Left);
        return node;
    }

    /// <summary>A connection whose join was answered with yes, and which is in the view if it answers probes.</summary>
    public NodeRig Join(int number, Func<Join, Join>? change = null, string application = Shop, string tokenId = NodesToken)
    {
        NodeRig node = Connect(number, application, tokenId);
        node.Send(change?.Invoke(node.JoinMessage) ?? node.JoinMessage);
        Run(30 * MillisecondNs);
        Assert.NotNull(node.Accepted);
        return node;
    }

    /// <summary>What waits on the connections is delivered in one turn. Less time passes than a flush of the disk takes.</summary>
    public void Deliver()
    {
        Pump();
        _world.RunUntil(_world.Scheduler.NowNs + DeliverNs);
    }

    /// <summary>Time passes, and what is sent on the connections arrives within a millisecond.</summary>
    public void Run(long ns)
    {
        long untilNs = _world.Scheduler.NowNs + ns;
        while (_world.Scheduler.NowNs < untilNs)
        {
            Pump();
            _world.RunUntil(Math.Min(untilNs, _world.Scheduler.NowNs + MillisecondNs));
        }

        Pump();
        _world.RunUntil(_world.Scheduler.NowNs + DeliverNs);
    }

    /// <summary>Time passes, and those of these nodes that are connected say each half second that they are alive.</summary>
    public void RunAlive(long ns, params NodeRig[] nodes)
    {
        for (long leftNs = ns; leftNs > 0; leftNs -= SecondNs / 2)
        {
            Array.ForEach([.. nodes.Where(n => n.ClosedReason is null)], n => n.Heartbeat());
            Run(Math.Min(leftNs, SecondNs / 2));
        }
    }

    /// <summary>Publishes values of this application, on a connection that does not join, until it is committed.</summary>
    public PublishResult Publish(string application, params (string Key, byte[] Value)[] values)
    {
        NodeRig publisher = Connect(PublisherNumber, tokenId: PublishersToken);
        var id = new Guid(++_publishCount, 0, 0, new byte[8]);
        PublishKey[] keys = [.. values.Select(v => new PublishKey(v.Key, IsRemove: false, (uint)v.Value.Length))];
        publisher.Send(new PublishBegin(1, application, id, PublishBegin.AnyRelease, "a note", string.Empty, keys));
        foreach (byte[] part in values.SelectMany(v => v.Value).Chunk(PartBytes))
        {
            publisher.Send(new PublishPart(1, part));
            Deliver();
        }

        for (int i = 0; i < 20 && !publisher.All<PublishResult>().Any(); i++)
        {
            Run(MillisecondNs);
        }

        PublishResult result = publisher.Only<PublishResult>();
        Assert.Equal(ErrorCode.None, result.Code);
        Drop(publisher);
        return result;
    }

    /// <summary>Publishes a few bytes to <see cref="Shop"/>, other ones each time.</summary>
    public PublishResult Publish() => Publish(Shop, ("a.bin", BitConverter.GetBytes(_publishCount + 1)));

    /// <summary>Who has what, as the host tells it on a connection that does not join: the pages, one after the other.</summary>
    public List<StatusResult> StatusPages(string application = Shop)
    {
        NodeRig observer = Connect(ObserverNumber);
        observer.Send(new Status(1, application));
        Run(3 * MillisecondNs);
        List<StatusResult> pages = [.. observer.All<StatusResult>()];
        Drop(observer);
        return pages;
    }

    public List<StatusRow> StatusRows(string application = Shop) => [.. StatusPages(application).SelectMany(p => p.Rows)];

    /// <summary>The row of the newest incarnation of a node.</summary>
    public StatusRow RowOf(int number, string application = Shop) => StatusRows(application).Last(r => r.Node == NodeOf(number));

    /// <summary>What the newest commit changed of who is a member; null for nothing.</summary>
    public MembershipChange? NewestChangeOfMembers => _host.Disk.Image.Batches[^1].Members.SingleOrDefault();

    /// <summary>The members of the application in the store.</summary>
    public IEnumerable<StoredMember> StoredMembers => _host.Disk.Image.Applications[ShopTopic].Members.Values;

    /// <summary>The commits that the disk has.</summary>
    public int CommitCount => _host.Disk.Image.Batches.Count;

    public SimulatedDiskCopy CopyDisk() => _host.Disk.Copy();

    /// <summary>
    /// The host dies, another disk is put under it, and it starts again; the connections of before are gone. If the whole directory is a
    /// copy, with the mark beside the store, nothing but the nodes tells the host.
    /// </summary>
    public void Restart(SimulatedDiskCopy copy, MarkFate mark = MarkFate.Copied)
    {
        _host.Machine.Crash();
        _nodes.Clear();
        _host.Restore(copy, mark);
        _host.Machine.Start();
        Run(20 * MillisecondNs);
    }

    /// <summary>The host dies and starts again on its disk; the connections of before are gone.</summary>
    public void Restart()
    {
        _host.Machine.Crash();
        _nodes.Clear();
        _host.Machine.Start();
        Run(20 * MillisecondNs);
    }

    /// <summary>The host stops by its own will; what it says last is delivered.</summary>
    public void Stop(string reason)
    {
        _host.Machine.Post(() => _host.Gms!.Stop(reason));
        Run(MillisecondNs);
    }

    /// <summary>The next flush of the disk fails, and what is on its way there is lost.</summary>
    public void FailNextFlush() => _host.Disk.FailNextSync = "the disk is broken";

    /// <summary>As an administrator at the store; the host reads it at one of its next ticks.</summary>
    public void RevokeNode(int number) => Commit(new CommitBatch
    {
        RevokedNodes = [new RevokedNode(NodeOf(number), "", null, 4, "administrator", "stolen")],
    });

    /// <summary>The same for a token.</summary>
    public void Revoke(string tokenId) => Commit(new CommitBatch { Tokens = [AccessTokenChange.Revoke(tokenId, 4, "administrator")] });

    /// <summary>The token is good for this application no more.</summary>
    public void Withdraw(string tokenId, string application) =>
        Commit(new CommitBatch { Tokens = [AccessTokenChange.Withdraw(tokenId, application, 4, "administrator")] });

    public void Grant(string tokenId, string application) =>
        Commit(new CommitBatch
        {
            Tokens = [AccessTokenChange.Grant(tokenId, new AccessTokenGrant(application, AccessRole.Node), 4, "administrator")],
        });

    private static AccessTokenChange Create(string id, string[] applications, AccessRole role, long? expiresUnixMicros = null) =>
        AccessTokenChange.Create(
            new AccessToken(id, new byte[32], AccessTokenGrant.For(applications, role), 1, expiresUnixMicros, null),
            "administrator");

    private void Commit(CommitBatch batch)
    {
        using SimulatedHostStore store = _host.Disk.Open(new HostStoreOptions { IsHost = false });
        store.Commit(batch, r => Assert.True(r.IsDone, r.Reason));
    }

    private void Drop(NodeRig node)
    {
        node.Break("no longer needed");
        Deliver();
        _nodes.Remove(node);
    }

    private void Pump() => _host.Machine.Post(() =>
    {
        foreach (NodeRig node in _nodes.ToArray())
        {
            node.Pump();
        }
    });
}
