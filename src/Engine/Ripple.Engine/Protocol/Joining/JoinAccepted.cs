using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

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
