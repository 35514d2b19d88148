using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Attacks.Nodes;

/// <summary>The layouts of messages that an attacker needs, by version of the protocol where they differ.</summary>
internal static class Layouts
{
    /// <summary>
    /// The first version whose members have a key of their own and prove their aggregates by it, and say in a join whose epoch they claim.
    /// </summary>
    private const int MemberKeyVersion = 3;

    /// <summary>The first version whose publishes say the generation of the release that they expect.</summary>
    private const int ExpectedGenerationVersion = 4;

    /// <summary>The first version whose members are told the size of datagrams.</summary>
    private const int DatagramBytesVersion = 4;

    /// <summary>The versions that this program speaks, the newest first.</summary>
    public static IReadOnlyList<int> Versions { get; } = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];

    private const int MemberKeyBytes = 32;
    private const int NonceBytes = 16;
    private const int ProbeBytesMin = FrameReader.HeaderBytes + NonceBytes;

    public static byte[] Join(int version, JoinClaim claim)
    {
        WireBytes wire = new WireBytes().U16(version).Text8(claim.Zone).Text8(claim.Name).U16(0).U16(claim.Interest.Count);
        foreach (string application in claim.Interest)
        {
            wire.Text8(application);
        }

        Address(wire, claim.Data);
        Address(wire, claim.Control);
        wire.U16(0).U32(claim.SlotEpoch);
        return (version >= MemberKeyVersion ? wire.U64(0) : wire).ToArray();
    }

    public static Seat JoinAccepted(int version, byte[] body)
    {
        var reader = new WireReader(body);
        ulong incarnation = reader.ReadU64();
        ulong hostIncarnation = reader.ReadU64();
        reader.ReadAddress();
        NodeAddress hostControl = reader.ReadAddress();
        uint slot = reader.ReadU32();
        ulong regionId = reader.ReadU64();
        ulong view = reader.ReadU64();
        Member[] members = Members(ref reader);
        uint keyEpoch = reader.ReadU32();
        byte[] key = reader.ReadBytes(RegionKey.KeyBytes).ToArray();
        byte[] memberKey = version >= MemberKeyVersion ? reader.ReadBytes(MemberKeyBytes).ToArray() : [];
        ulong firstSequence = reader.ReadU64();
        var topics = new Topic[reader.ReadU16()];
        for (int i = 0; i < topics.Length; i++)
        {
            string application = reader.ReadText8();
            (uint number, uint generation, _) = (reader.ReadU32(), reader.ReadU32(), reader.ReadU32());
            topics[i] = new Topic(application, number, generation, reader.ReadU64(), reader.ReadBytes(20).ToArray());
        }

        int signers = reader.ReadU16();
        for (int i = 0; i < signers; i++)
        {
            reader.ReadBlock16();
        }

        uint heartbeatMs = reader.ReadU32();
        reader.ReadBytes(version >= DatagramBytesVersion ? sizeof(ushort) : 0);
        if (reader.End() != DecodeStatus.Ok)
        {
            throw new AttackException($"A join was accepted by a message that version {version} does not have.");
        }

        var seat = new Seat
        {
            Incarnation = incarnation,
            HostIncarnation = hostIncarnation,
            HostControl = hostControl,
            Slot = slot,
            RegionId = regionId,
            MemberKey = memberKey,
            FirstSequence = firstSequence,
            Topics = topics,
            HeartbeatMs = heartbeatMs,
        };
        seat.Take(view, [], members);
        seat.Take(keyEpoch, key);
        return seat;
    }

    public static void ViewChange(byte[] body, Seat seat)
    {
        var reader = new WireReader(body);
        ulong regionId = reader.ReadU64();
        reader.ReadU64();
        ulong view = reader.ReadU64();
        uint[] removed = new uint[reader.ReadU16()];
        for (int i = 0; i < removed.Length; i++)
        {
            removed[i] = reader.ReadU32();
        }

        Member[] added = Members(ref reader);
        if (reader.IsOk && regionId == seat.RegionId)
        {
            seat.Take(view, removed, added);
        }
    }

    public static void Rekey(byte[] body, Seat seat)
    {
        var reader = new WireReader(body);
        ulong regionId = reader.ReadU64();
        uint epoch = reader.ReadU32();
        byte[] key = reader.ReadBytes(RegionKey.KeyBytes).ToArray();
        if (reader.IsOk && regionId == seat.RegionId)
        {
            seat.Take(epoch, key);
        }
    }

    /// <summary>The answer to a probe of an address; null for any other packet.</summary>
    public static byte[]? TryAnswerProbe(Seat seat, byte[] packet)
    {
        byte[] frames = seat.Open(packet, out _);
        if (frames.Length < ProbeBytesMin || frames[0] != (byte)FrameType.PathProbe)
        {
            return null;
        }

        return PathAnswer(seat.RegionId, frames.AsSpan(FrameReader.HeaderBytes, NonceBytes));
    }

    public static byte[] Heartbeat(ulong sequence, ulong view) => new WireBytes().U64(sequence).U64(view).U16(0).ToArray();

    public static byte[] Report(uint topic, uint generation, ulong release) =>
        new WireBytes().U16(1).U32(topic).U32(generation).U64(release).U64(release).U64(release).U16(0).ToArray();

    /// <summary>A report of a rejection alone.</summary>
    public static byte[] Rejection(uint topic, uint generation, ulong release, string reason) =>
        new WireBytes().U16(0).U16(1).U32(topic).U32(generation).U64(release).Text16(reason).ToArray();

    public static byte[] Status(uint call, string application) => new WireBytes().U32(call).Text8(application).ToArray();

    public static byte[] ReadKey(uint call, string application, ulong release, string key) =>
        new WireBytes().U32(call).Text8(application).U64(release).Text16(key).ToArray();

    public static byte[] Wait(uint call, string application, ulong release, string predicate, uint timeoutMs) =>
        new WireBytes().U32(call).Text8(application).U32(0).U64(release).Text16(predicate).U32(timeoutMs).U8(0).ToArray();

    public static byte[] BodyRequest(uint topic, byte[] digest) => new WireBytes().U32(topic).Raw(digest).ToArray();

    public static byte[] CatchUpRequest(uint topic, uint generation, ulong release) =>
        new WireBytes().U32(topic).U32(generation).U64(release).Raw(new byte[20]).U64(0).U8(0).ToArray();

    /// <summary>The signed header at the beginning of a snapshot.</summary>
    public static (byte[] Header, byte[] Signature) SnapshotBegin(byte[] body)
    {
        var reader = new WireReader(body);
        reader.ReadU32();
        return (reader.ReadBlock32(body.Length).ToArray(), reader.ReadBlock16().ToArray());
    }

    public static byte[] Proof(uint topic, byte[] header, byte[] signature) => new WireBytes().U32(topic)
        .U32((uint)header.Length).Raw(header).U16(signature.Length).Raw(signature).U16(0).ToArray();

    /// <summary>The answer to a probe: its nonce as it came.</summary>
    public static byte[] PathAnswer(ulong regionId, ReadOnlySpan<byte> nonce) => new WireBytes().U64(regionId).Raw(nonce).ToArray();

    public static byte[] PublishBegin(int version, uint call, string application, IEnumerable<(string Key, uint Length)> keys)
    {
        (string Key, uint Length)[] all = [.. keys];
        WireBytes wire = new WireBytes().U32(call).Text8(application).Raw(Guid.NewGuid().ToByteArray());
        wire = (version >= ExpectedGenerationVersion ? wire.U32(0) : wire).U64(ulong.MaxValue).Text16("").Text8("").U16(all.Length);
        foreach ((string key, uint length) in all)
        {
            wire.Text16(key).U8(0).U32(length);
        }

        return wire.ToArray();
    }

    public static byte[] PublishPart(uint call, byte[] bytes) => new WireBytes().U32(call).U32((uint)bytes.Length).Raw(bytes).ToArray();

    public static void Address(WireBytes wire, NodeAddress address) => wire.U64(address.High).U64(address.Low).U16(address.Port);

    private static Member[] Members(ref WireReader reader)
    {
        var members = new Member[reader.ReadU16()];
        for (int i = 0; i < members.Length; i++)
        {
            uint slot = reader.ReadU32();
            reader.ReadBytes(16 + 8);
            NodeAddress data = reader.ReadAddress();
            members[i] = new Member(slot, data, data with { Port = reader.ReadU16() });
        }

        return members;
    }
}
