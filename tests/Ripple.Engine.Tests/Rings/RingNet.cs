using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>
/// Ring members on one stepped core, and the packets between them in memory: per-link delay and loss, no socket, no sleep. Slot 0 is the
/// sender.
/// </summary>
internal sealed class RingNet
{
    public const ulong Origin = 77;
    private const int PacketsAtStart = 64;
    private readonly PriorityQueue<Packet, (long, long)> _packets = new(PacketsAtStart);
    private readonly Stack<Packet> _free = new(PacketsAtStart);
    private readonly byte[] _ack = new byte[64];
    private long _order;
    private ulong _viewCounter;

    public RingNet(
        int memberCount,
        RingOptions? options = null,
        ulong seed = 1,
        int framesBytesMax = WireLimits.FramesBytesMax,
        int partMembers = 0)
    {
        FramesBytesMax = framesBytesMax;
        PartMembers = partMembers;
        Core = new CoreLoop(new CoreOptions { AlarmsMax = 16 * (memberCount + 16) }, seed);
        Options = options ?? RingOptions.Default;
        for (int i = 0; i < PacketsAtStart; i++)
        {
            _free.Push(new Packet());
        }

        for (uint slot = 1; slot <= memberCount; slot++)
        {
            Add(slot);
        }

        View = NextView(Members.Keys);
    }

    public CoreLoop Core { get; }

    public RingOptions Options { get; }

    /// <summary>The fewest members of a part; 0 for one ring.</summary>
    public int PartMembers { get; }

    /// <summary>How many datagrams a round the sender asks for, where there are more parts; 0 for one a part.</summary>
    public int AggregateDatagramsMax { get; set; }

    /// <summary>The most bytes of frames in a packet of this region.</summary>
    public int FramesBytesMax { get; }

    public SortedDictionary<uint, Node> Members { get; } = [];

    public FakeSender Sender { get; } = new();

    public RegionView View { get; private set; }

    public ulong Floor { get; set; }

    public long NowNs { get; private set; } = 1;

    /// <summary>How long a packet takes; 0.1 ms unless a test says otherwise.</summary>
    public Func<uint, uint, FrameType, long> DelayNs { get; set; } = (_, _, _) => 100_000;

    /// <summary>Whether a packet is lost.</summary>
    public Func<uint, uint, FrameType, bool> IsLost { get; set; } = (_, _, _) => false;

    /// <summary>Sees each packet when it is sent.</summary>
    public Action<uint, uint, FrameType>? OnSent { get; set; }

    /// <summary>Sees each packet's destination and frames when it is sent.</summary>
    public BytesSent? OnBytes { get; set; }

    /// <summary>Keeps the last token frame's payload sent to each slot.</summary>
    public SortedDictionary<uint, byte[]>? Tokens { get; set; }

    public int TokensInFlight { get; private set; }

    /// <summary>The packets that came to the sender.</summary>
    public int SenderDatagrams { get; private set; }

    /// <summary>The aggregates that came to the sender through another leader.</summary>
    public int Gathered { get; private set; }

    public int TokensInFlightMax { get; private set; }

    public int TokensSent { get; private set; }

    public Node Leader => Members[View.Members[0].Slot];

    /// <summary>The leaders of the parts, in the order of positions.</summary>
    public IEnumerable<Node> Leaders => Enumerable.Range(0, View.PartCount).Select(i => Members[View.Members[View.PartAt(i).First].Slot]);

    public Node Add(uint slot)
    {
        var node = new Node(slot, this);
        Members[slot] = node;
        return node;
    }

    /// <summary>A view of some slots, given to nobody yet.</summary>
    public RegionView NextView(IEnumerable<uint> slots) =>
        new(
            9,
            new ViewNumber(1, (uint)++_viewCounter),
            slots.Select(s => new RegionMember(s, new NodeId(1, s), s, AddressOf(s), AddressOf(s))),
            PartMembers);

    /// <summary>Gives the view to the sender and to its members, as far as they have not crashed.</summary>
    public void Install(RegionView? view = null)
    {
        View = view ?? View;
        foreach (Node node in Members.Values.Where(n => !n.HasCrashed))
        {
            node.Ring.OnView(View, node.Slot, AddressOf(0));
        }
    }

    /// <summary>Runs for a time.</summary>
    public void Run(long forNs)
    {
        long endNs = NowNs + forNs;
        while (true)
        {
            long nextNs = Math.Min(Core.NextDueNs, _packets.TryPeek(out _, out (long DueNs, long) at) ? at.DueNs : long.MaxValue);
            if (nextNs > endNs)
            {
                NowNs = endNs;
                // What a test does next happens now, and not when something was due last.
                Core.DoWork(NowNs);
                return;
            }

            NowNs = Math.Max(NowNs, nextNs);
            Core.DoWork(NowNs);
            while (_packets.TryPeek(out Packet? packet, out at) && at.DueNs <= NowNs)
            {
                _packets.Dequeue();
                Deliver(packet);
                _free.Push(packet);
            }
        }
    }

    public void RunMs(long ms) => Run(ms * 1_000_000);

    /// <summary>Time passes and nothing is handled: what was due and what came meanwhile waits for the next run.</summary>
    public void StandStill(long forNs) => NowNs += forNs;

    public static NodeAddress AddressOf(uint slot) => NodeAddress.FromIPv4(slot, 1);

    /// <summary>Sends the frames of one packet on somebody's behalf.</summary>
    public void Send(uint from, in NodeAddress to, ReadOnlySpan<byte> frames)
    {
        uint toSlot = (uint)to.Low;
        var type = (FrameType)frames[0];
        OnSent?.Invoke(from, toSlot, type);
        OnBytes?.Invoke(toSlot, frames);
        if (type == FrameType.Token && Tokens is { } tokens)
        {
            tokens[toSlot] = frames[FrameReader.HeaderBytes..].ToArray();
        }

        TokensSent += type == FrameType.Token ? 1 : 0;
        if (IsLost(from, toSlot, type))
        {
            return;
        }

        Packet packet = _free.TryPop(out Packet? used) ? used : new Packet();
        packet.From = from;
        packet.To = toSlot;
        packet.Length = frames.Length;
        frames.CopyTo(packet.Bytes);
        TokensInFlight += type == FrameType.Token ? 1 : 0;
        TokensInFlightMax = Math.Max(TokensInFlightMax, TokensInFlight);
        _packets.Enqueue(packet, (NowNs + DelayNs(from, toSlot, type), ++_order));
    }

    private void Deliver(Packet packet)
    {
        TokensInFlight -= packet.Bytes[0] == (byte)FrameType.Token ? 1 : 0;
        if (packet.To == 0)
        {
            DeliverToSender(packet);
            return;
        }

        var reader = new FrameReader(packet.Bytes.AsSpan(0, packet.Length));
        Assert.True(reader.TryNext());

        Node node = Members[packet.To];
        if (!node.IsAlive)
        {
            return;
        }

        switch (reader.Type)
        {
            case FrameType.Token:
                node.Ring.OnTokenFrame(reader.Payload, packet.From);
                break;
            case FrameType.TokenAck:
                node.Ring.OnTokenAckFrame(reader.Payload, packet.From);
                break;
            case FrameType.Aggregate:
                node.Ring.OnAggregateFrame(reader.Payload, packet.From);
                break;
            default:
                node.Ring.OnAggregateAckFrame(reader.Payload);
                break;
        }
    }

    private void DeliverToSender(Packet packet)
    {
        SenderDatagrams++;
        var reader = new FrameReader(packet.Bytes.AsSpan(0, packet.Length));
        while (reader.TryNext())
        {
            ReadOnlySpan<byte> payload = reader.Payload;
            uint leader = packet.From;
            if (reader.Type == FrameType.Gathered)
            {
                leader = BinaryPrimitives.ReadUInt32LittleEndian(payload);
                payload = payload[sizeof(uint)..];
                Gathered++;
            }

            int length = Members[leader].IsOwn(payload)
                ? Sender.Take(payload, View, leader, _ack, Origin, Floor, RouteOf(View.PositionOf(leader)))
                : 0;
            if (length > 0)
            {
                Send(0, AddressOf(leader), _ack.AsSpan(0, length));
            }
        }

        Assert.Equal(DecodeStatus.Ok, reader.Status);
    }

    private AggregateRoute RouteOf(int position)
    {
        int gathered = AggregateRoute.PartsTogether(View.PartCount, AggregateDatagramsMax);
        if (gathered == 0 || position != View.PartOf(position).First)
        {
            return default;
        }

        int first = View.PartOf(position).Index / gathered * gathered;
        return new AggregateRoute(View.Members[View.PartAt(first).First].Slot, (byte)Math.Min(gathered, View.PartCount - first));
    }

    internal delegate void BytesSent(uint to, ReadOnlySpan<byte> frames);

    private sealed class Packet
    {
        public byte[] Bytes { get; } = new byte[WireLimits.FramesBytesMax];

        public int Length { get; set; }

        public uint From { get; set; }

        public uint To { get; set; }
    }

    internal sealed class Node : IFrameSender
    {
        private readonly RingNet _net;

        public Node(uint slot, RingNet net)
        {
            Slot = slot;
            _net = net;
            Key = new MemberKey(9, slot, new byte[MemberKey.KeyBytes]);
            Ring = new RingMember(net.Core, this, Has, Key, net.Options);
        }

        public uint Slot { get; }

        public MemberKey Key { get; }

        public FakeContribution Has { get; } = new();

        public RingMember Ring { get; }

        public bool IsAlive { get; private set; } = true;

        public bool HasCrashed { get; private set; }

        /// <summary>Whether this member made an aggregate.</summary>
        public bool IsOwn(ReadOnlySpan<byte> aggregate) => AggregateProof.TryVerify(aggregate, Key, out _);

        /// <summary>While true the queue of this member is full.</summary>
        public bool IsBlocked { get; set; }

        public int FramesBytesMax => _net.FramesBytesMax;

        public bool TrySend(in NodeAddress to, PacketClass packetClass, ReadOnlySpan<byte> frames)
        {
            if (!IsBlocked && IsAlive)
            {
                Assert.True(frames.Length <= FramesBytesMax);
                _net.Send(Slot, to, frames);
            }

            return !IsBlocked;
        }

        /// <summary>Ends the member: it neither answers nor sends.</summary>
        public void Crash()
        {
            (IsAlive, HasCrashed) = (false, true);
            Ring.Dispose();
        }

        /// <summary>Stops it from hearing and sending, with its alarms running.</summary>
        public void Mute() => IsAlive = false;

        public void Unmute() => IsAlive = !HasCrashed;
    }
}
