using Ripple.Engine.Core;
using Ripple.Engine.Interest;
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
    /// release carry their generation. Those from version 5 on know views of several parts.
    /// </summary>
    public const ushort CurrentVersion = 5;

    /// <summary>The first version that knows views of several parts.</summary>
    public const ushort PartsVersion = 5;

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
        var held = new HeldState[reader.ReadCount16(34, 64)];
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
