using Ripple.Engine.Core;
using Ripple.Engine.Interest;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

/// <summary>A node's request to join its region. Its identity comes from its certificate, not from this message.</summary>
/// <param name="ProtocolVersion">The version of the protocol; <see cref="CurrentVersion"/>.</param>
/// <param name="Zone">The node's data centre.</param>
/// <param name="Name">A display name.</param>
/// <param name="Labels">Labels for predicates.</param>
/// <param name="Interest">The applications it wants; its own is added.</param>
/// <param name="DataAddress">Where it receives data.</param>
/// <param name="ControlAddress">Where it receives control packets; on the same host as the data address.</param>
/// <param name="Held">The states it already holds.</param>
/// <param name="SlotEpoch">The highest slot epoch it has seen.</param>
/// <param name="HostIncarnation">The incarnation of the host that gave it that epoch; 0 if it does not know.</param>
internal sealed record Join(
    ushort ProtocolVersion,
    string Zone,
    string Name,
    IReadOnlyList<KeyValuePair<string, string>> Labels,
    IReadOnlyList<string> Interest,
    NodeAddress DataAddress,
    NodeAddress ControlAddress,
    IReadOnlyList<HeldState> Held,
    uint SlotEpoch,
    ulong HostIncarnation = 0) : IMessage<Join>
{
    /// <summary>
    /// The version this build speaks. Nodes from version 3 on prove their aggregates by a key of their own; those from version 4 on take
    /// certificates of signers as frames, are told the size of datagrams, and enter the view once they are reached; a wait and an expected
    /// release carry their generation. Those from version 5 on know views of several parts, those from version 6 on repair each other,
    /// those from version 7 on are told where the hosts are, ask for monitors and report levels; those from version 9 on take releases
    /// whose values follow them in the stream; those from version 10 on stay connected when a view lacks them and join again on the
    /// connection they have, and may tell their part's rounds through another leader; those from version 11 on take all short forms of
    /// values: a host takes no newer node than itself.
    /// </summary>
    public const ushort CurrentVersion = 11;

    /// <summary>The first version that knows views of several parts.</summary>
    public const ushort PartsVersion = 5;

    /// <summary>The first version whose members keep packets for others and repair them.</summary>
    public const ushort CachingVersion = 6;

    /// <summary>The first version that is told where the hosts of the cluster are.</summary>
    public const ushort HostsVersion = 7;

    /// <summary>
    /// The first version that takes releases whose values travel in short forms, deltas, compressed or both, or follow in the stream. From
    /// version 8 on some of this was known; who does not know all of it gets none.
    /// </summary>
    public const ushort ShortFormsVersion = 11;

    /// <summary>The first version that tells aggregates through another leader, where the sender asks for that.</summary>
    public const ushort GatheringVersion = 10;

    /// <summary>The first version whose members stay connected when a view lacks them.</summary>
    public const ushort LeavesVersion = 10;

    /// <summary>The fewest bytes of a held state: a name's length, generation, release and id.</summary>
    private const int HeldBytesMin = 1 + sizeof(uint) + sizeof(ulong) + Digest160.Size;

    /// <summary>The oldest node version that a host of this build admits.</summary>
    public const ushort OldestVersion = 4;

    /// <inheritdoc/>
    public static MessageType Type => MessageType.Join;

    /// <inheritdoc/>
    public static Join Read(ref WireReader reader)
    {
        ushort protocolVersion = reader.ReadU16();
        string zone = reader.ReadText8();
        string name = reader.ReadText8();
        IReadOnlyList<KeyValuePair<string, string>> labels = WireParts.ReadLabels(ref reader, 32);
        IReadOnlyList<string> interest = WireParts.ReadTexts(ref reader, RegionIdentity.InterestMax);
        NodeAddress dataAddress = reader.ReadAddress();
        NodeAddress controlAddress = reader.ReadAddress();
        var held = new HeldState[reader.ReadCount16(HeldBytesMin, RegionIdentity.InterestMax)];
        for (int i = 0; i < held.Length; i++)
        {
            held[i] = HeldState.Read(ref reader);
        }

        uint slotEpoch = reader.ReadU32();
        ulong hostIncarnation = reader.ReadU64();
        return new Join(
            protocolVersion, zone, name, labels, interest, dataAddress, controlAddress, held, slotEpoch, hostIncarnation);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU16(ProtocolVersion);
        writer.WriteText8(Zone);
        writer.WriteText8(Name);
        WireParts.WriteLabels(ref writer, Labels);
        WireParts.WriteTexts(ref writer, Interest);
        writer.WriteAddress(DataAddress);
        writer.WriteAddress(ControlAddress);
        writer.WriteU16((ushort)Held.Count);
        foreach (HeldState held in Held)
        {
            held.Write(ref writer);
        }

        writer.WriteU32(SlotEpoch);
        writer.WriteU64(HostIncarnation);
    }
}

/// <summary>The state of one application that a node holds when it joins.</summary>
/// <param name="Application">The application.</param>
/// <param name="Generation">Its generation; 0 when the node holds nothing.</param>
/// <param name="Release">The newest release of its chain.</param>
/// <param name="Id">That release's id.</param>
internal sealed record HeldState(string Application, uint Generation, ulong Release, Digest160 Id)
{
    internal static HeldState Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        return new HeldState(application, reader.ReadU32(), reader.ReadU64(), WireParts.ReadDigest(ref reader));
    }

    internal void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        WireParts.WriteDigest(ref writer, Id);
    }
}

/// <summary>
/// Admits a node to its region, with all it needs to take part from there on. It enters the ring's view once it is reached at its address.
/// </summary>
/// <param name="Incarnation">Its incarnation.</param>
/// <param name="HostIncarnation">The host's incarnation: the origin of the host's stream.</param>
/// <param name="HostDataAddress">Where the host sends from.</param>
/// <param name="HostControlAddress">Where the host receives repair requests and aggregates.</param>
/// <param name="Slot">The node's member slot.</param>
/// <param name="View">The region's newest view, which does not include the node yet.</param>
/// <param name="KeyEpoch">The region's key epoch.</param>
/// <param name="Key">The region's key.</param>
/// <param name="MemberKey">A key of this incarnation that no other member is given.</param>
/// <param name="FirstSequence">The first sequence of the host's stream that the node is owed.</param>
/// <param name="Topics">The applications of its interest, each with its newest committed release at that moment.</param>
/// <param name="Signers">The certificates of the release signers.</param>
/// <param name="HeartbeatMs">The heartbeat interval, in milliseconds.</param>
/// <param name="DatagramBytes">The most bytes of a datagram in the region, for who sends there.</param>
internal sealed record JoinAccepted(
    ulong Incarnation,
    ulong HostIncarnation,
    NodeAddress HostDataAddress,
    NodeAddress HostControlAddress,
    uint Slot,
    RegionView View,
    uint KeyEpoch,
    ReadOnlyMemory<byte> Key,
    ReadOnlyMemory<byte> MemberKey,
    ulong FirstSequence,
    IReadOnlyList<TopicState> Topics,
    IReadOnlyList<SignerCertificate> Signers,
    uint HeartbeatMs,
    ushort DatagramBytes = WireLimits.DatagramBytesMax) : IMessage<JoinAccepted>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.JoinAccepted;

    /// <inheritdoc/>
    public static JoinAccepted Read(ref WireReader reader)
    {
        ulong incarnation = reader.ReadU64();
        ulong hostIncarnation = reader.ReadU64();
        NodeAddress hostDataAddress = reader.ReadAddress();
        NodeAddress hostControlAddress = reader.ReadAddress();
        uint slot = reader.ReadU32();
        RegionView view = WireParts.ReadView(ref reader);
        uint keyEpoch = reader.ReadU32();
        ReadOnlyMemory<byte> key = reader.ReadBytes(RegionKey.KeyBytes).ToArray();
        ReadOnlyMemory<byte> memberKey = reader.ReadBytes(Wire.MemberKey.KeyBytes).ToArray();
        ulong firstSequence = reader.ReadU64();
        IReadOnlyList<TopicState> topics = WireParts.ReadTopics(ref reader);
        var signers = new SignerCertificate[reader.ReadCount16(2, 8)];
        for (int i = 0; i < signers.Length; i++)
        {
            signers[i] = SignerCertificate.Read(ref reader);
        }

        uint heartbeatMs = reader.ReadU32();
        return new JoinAccepted(
            incarnation,
            hostIncarnation,
            hostDataAddress,
            hostControlAddress,
            slot,
            view,
            keyEpoch,
            key,
            memberKey,
            firstSequence,
            topics,
            signers,
            heartbeatMs,
            reader.ReadU16());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(Incarnation);
        writer.WriteU64(HostIncarnation);
        writer.WriteAddress(HostDataAddress);
        writer.WriteAddress(HostControlAddress);
        writer.WriteU32(Slot);
        WireParts.WriteView(ref writer, View);
        writer.WriteU32(KeyEpoch);
        writer.WriteBytes(Key.Span);
        writer.WriteBytes(MemberKey.Span);
        writer.WriteU64(FirstSequence);
        WireParts.WriteTopics(ref writer, Topics);
        writer.WriteU16((ushort)Signers.Count);
        foreach (SignerCertificate signer in Signers)
        {
            signer.Write(ref writer);
        }

        writer.WriteU32(HeartbeatMs);
        writer.WriteU16(DatagramBytes);
    }
}

/// <summary>The newest committed release of one application.</summary>
/// <param name="Application">The application.</param>
/// <param name="Topic">Its number.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="SlotEpoch">The slot epoch of its primary.</param>
/// <param name="Release">The newest committed release; 0 for none.</param>
/// <param name="Id">That release's id.</param>
internal sealed record TopicState(string Application, uint Topic, uint Generation, uint SlotEpoch, ulong Release, Releases.Digest160 Id);

/// <summary>The node is not admitted.</summary>
/// <param name="Code">Why.</param>
/// <param name="Text">What to do.</param>
internal sealed record JoinRefused(ErrorCode Code, string Text) : IMessage<JoinRefused>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.JoinRefused;

    /// <inheritdoc/>
    public static JoinRefused Read(ref WireReader reader)
    {
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        return new JoinRefused(code, text);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
    }
}
