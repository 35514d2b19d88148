using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms;
using Ripple.Gms.Core;
using Ripple.Gms.Store;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A host and members of one region that have a few releases; and packets of whoever wants to harm them.</summary>
internal sealed class ForgeryWorld
{
    public const string Application = "shop";

    private const string TokenId = "simulated";
    private const long SecondNs = 1_000_000_000;
    private readonly SimulatedWorld _world = new(7);
    private readonly SimulatedAuthority _authority;
    private readonly SimulatedHost _host;
    private readonly SimulatedClient _publisher;
    private ulong _publishes;

    public ForgeryWorld(GmsOptions? options = null)
    {
        _authority = new SimulatedAuthority(_world.Random.Fork(13));
        SimulatedMachine machine = _world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _host = new SimulatedHost(_world, machine, _authority, options ?? new GmsOptions());
        Members = [Add("victim", "node", Application, 1), Add("traitor", "node", Application, 2)];
        _publisher = Add("publisher", "publisher", "ops", 3);
        Prepare();
        foreach (SimulatedMachine one in _world.Machines)
        {
            one.Start();
        }

        Run();
        Publish();
        Run();
    }

    /// <summary>The victim, and the member that was taken over.</summary>
    public IReadOnlyList<SimulatedClient> Members { get; }

    public Node Victim => Members[0].Node!;

    public JoinAccepted VictimAccepted => Members[0].Accepted!;

    public JoinAccepted TraitorAccepted => Members[1].Accepted!;

    public HostCore Host => _host.Gms!;

    public ApplicationReplica Replica => Victim.Find(Application)!;

    public ReleaseHeader Newest => Replica.Applied.Proof!.Header;

    public NodeId Traitor =>
        Host.Views.SelectMany(v => v.Members).Single(m => m.Incarnation == TraitorAccepted.Incarnation).Node;

    /// <summary>Lets a second go by.</summary>
    public void Run() => _world.RunUntil(_world.Scheduler.NowNs + SecondNs);

    /// <summary>A release of the host, the honest way.</summary>
    public void Publish() => _publisher.Machine.Post(() =>
    {
        byte[] body = BitConverter.GetBytes(++_publishes);
        Node node = _publisher.Node!;
        uint call = node.Calls.Register(_ => { });
        var begin = new PublishBegin(
            call,
            Application,
            new Guid((int)_publishes, 0, 0, new byte[8]),
            PublishBegin.AnyRelease,
            "honest",
            string.Empty,
            [new PublishKey("key", false, (uint)body.Length)]);
        ILink link = node.Link!;
        Assert.True(link.TrySend(begin));
        Assert.True(link.TrySend(new PublishPart(call, body)));
    });

    /// <summary>Puts a datagram before the victim's data port, and lets it be handled.</summary>
    public void SendToVictim(ReadOnlySpan<byte> datagram)
    {
        _world.Network.Inject(Members[0].DataAddress!.Value, datagram);
        Run();
    }

    /// <summary>Puts a datagram before the host's data port.</summary>
    public void SendToHost(ReadOnlySpan<byte> datagram)
    {
        _world.Network.Inject(Host.DataAddress, datagram);
        Run();
    }

    /// <summary>A packet of one frame: a message of the stream, sealed as somebody likes.</summary>
    public byte[] Seal(ulong region, uint keyEpoch, ReadOnlySpan<byte> key, uint slot, byte[] message)
    {
        using var regionKey = new RegionKey(keyEpoch, key);
        var sealer = new PacketSealer(region, regionKey, slot);
        byte[] datagram = new byte[WireLimits.DatagramBytesMax];
        var writer = new WireWriter(datagram.AsSpan(PacketHeader.Size, WireLimits.FramesBytesMax));
        int frame = FrameWriter.Begin(ref writer, FrameType.Position);
        writer.WriteU64(VictimAccepted.HostIncarnation);
        writer.WriteU64(Sequence);
        FrameWriter.End(ref writer, frame);
        frame = FrameWriter.Begin(ref writer, FrameType.Message);
        writer.WriteU32(Replica.Topic);
        writer.WriteU64(1UL << 40);
        writer.WriteU32(0);
        writer.WriteU32((uint)message.Length);
        writer.WriteBytes(message);
        Assert.True(FrameWriter.End(ref writer, frame));
        // Ahead of what the honest sealer of this slot has counted, or it would pass for a replay; the same buffer is sealed over and over.
        byte[] frames = datagram[..(PacketHeader.Size + writer.Position)];
        int length = 0;
        for (int i = 0; i < 20; i++)
        {
            frames.CopyTo(datagram, 0);
            length = sealer.Seal(datagram, writer.Position, PacketClass.Data);
        }

        return datagram[..length];
    }

    /// <summary>The sequence that the victim expects next: a forged packet takes the place of an honest one.</summary>
    private ulong Sequence => VictimAccepted.FirstSequence + 2;

    /// <summary>A release on top of the newest, with a root that fits and a signature that nobody made.</summary>
    public byte[] ForgedRelease()
    {
        byte[] value = "forged"u8.ToArray();
        KeyChange[] changes = [KeyChange.Set("key", KeyForm.Bytes, value)];
        var header = new ReleaseHeader
        {
            Kind = ReleaseKind.Changes,
            Application = Application,
            Generation = Newest.Generation,
            Release = Newest.Release + 1,
            SlotEpoch = Newest.SlotEpoch,
            PreviousId = Newest.Id,
            PublishId = Guid.Empty,
            Actor = "forger",
            TimeUnixMicros = 0,
            Note = "forged",
            Changes = [.. changes],
            StateRoot = Replica.Applied.Keys.Trie.Apply(changes).Root,
        };
        return ReleaseMessage.Encode(header, new ReleaseSignature(1, new byte[ReleaseSignature.SignatureBytes]), _ => value, 1_000);
    }

    private SimulatedClient Add(string name, string role, string application, ulong id)
    {
        var peer = new LinkPeer
        {
            Kind = LinkPeerKind.Node,
            Application = application,
            Role = role,
            Name = name,
            TokenId = TokenId,
            NodeIdHigh = 1,
            NodeIdLow = id,
        };
        return new SimulatedClient(_world, _world.AddMachine(name, "east", peer), _authority, new NodeOptions
        {
            Application = application,
            Zone = "east",
            Name = name,
        });
    }

    private void Prepare()
    {
        using SimulatedHostStore store = _host.Disk.Open();
        store.Commit(
            new CommitBatch
            {
                Applications = [new NewApplication(1, Application, 1), new NewApplication(2, "ops", 1)],
                Tokens = [AccessTokenChange.Create(
                    new AccessToken(TokenId, new byte[32], AccessTokenGrant.For(["*"], AccessRole.Publisher), 1, null, null),
                    "administrator")],
            },
            _ => { });
    }
}
