using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol;

/// <summary>The parts that several control messages share.</summary>
internal static class WireParts
{
    private const int GuidBytes = 16;

    // Minimum bytes of one item: a count that the remaining bytes cannot hold is refused before anything is allocated.
    private const int MemberBytesMin = 4 + 16 + 8 + 18 + 2;
    private const int TopicBytesMin = 1 + (3 * 4) + 8 + Digest160.Size;
    private const int RowBytes = (2 * 4) + (3 * 8);
    private const int TextBytesMin = 1;
    private const int LabelBytesMin = 2 * TextBytesMin;

    /// <summary>Minimum bytes of a rejection: topic, generation, release and the length of the reason.</summary>
    public const int RejectionBytesMin = 4 + 4 + 8 + 2;

    public static void WriteDigest(ref WireWriter writer, in Digest160 digest)
    {
        Span<byte> bytes = writer.Take(Digest160.Size);
        if (!bytes.IsEmpty)
        {
            digest.Write(bytes);
        }
    }

    public static Digest160 ReadDigest(ref WireReader reader)
    {
        ReadOnlySpan<byte> bytes = reader.ReadBytes(Digest160.Size);
        return bytes.IsEmpty ? default : Digest160.Read(bytes);
    }

    public static void WriteNode(ref WireWriter writer, NodeId id)
    {
        writer.WriteU64(id.High);
        writer.WriteU64(id.Low);
    }

    public static NodeId ReadNode(ref WireReader reader)
    {
        ulong high = reader.ReadU64();
        return new NodeId(high, reader.ReadU64());
    }

    public static void WriteMember(ref WireWriter writer, RegionMember member)
    {
        writer.WriteU32(member.Slot);
        WriteNode(ref writer, member.Node);
        writer.WriteU64(member.Incarnation);
        writer.WriteAddress(member.DataAddress);
        writer.WriteU16(member.ControlAddress.Port);
    }

    /// <summary>Only the port of the control address is encoded: its host is that of the data address.</summary>
    public static RegionMember ReadMember(ref WireReader reader)
    {
        uint slot = reader.ReadU32();
        NodeId node = ReadNode(ref reader);
        ulong incarnation = reader.ReadU64();
        Core.NodeAddress data = reader.ReadAddress();
        return new RegionMember(slot, node, incarnation, data, data with { Port = reader.ReadU16() });
    }

    public static void WriteMembers(ref WireWriter writer, IReadOnlyCollection<RegionMember> members)
    {
        writer.WriteU16((ushort)members.Count);
        foreach (RegionMember member in members)
        {
            WriteMember(ref writer, member);
        }
    }

    public static RegionMember[] ReadMembers(ref WireReader reader)
    {
        var members = new RegionMember[reader.ReadCount16(MemberBytesMin, WireLimits.RegionMembersMax)];
        for (int i = 0; i < members.Length; i++)
        {
            members[i] = ReadMember(ref reader);
        }

        return members;
    }

    public static void WriteView(ref WireWriter writer, RegionView view)
    {
        writer.WriteU64(view.RegionId);
        writer.WriteU64(view.Number.Value);
        WriteMembers(ref writer, view.Members);
    }

    public static RegionView ReadView(ref WireReader reader)
    {
        ulong region = reader.ReadU64();
        var number = new ViewNumber(reader.ReadU64());
        return new RegionView(region, number, ReadMembers(ref reader));
    }

    public static void WriteTopics(ref WireWriter writer, IReadOnlyCollection<TopicState> topics)
    {
        writer.WriteU16((ushort)topics.Count);
        foreach (TopicState topic in topics)
        {
            writer.WriteText8(topic.Application);
            writer.WriteU32(topic.Topic);
            writer.WriteU32(topic.Generation);
            writer.WriteU32(topic.SlotEpoch);
            writer.WriteU64(topic.Release);
            WriteDigest(ref writer, topic.Id);
        }
    }

    public static TopicState[] ReadTopics(ref WireReader reader)
    {
        var topics = new TopicState[reader.ReadCount16(TopicBytesMin, Interest.RegionIdentity.InterestMax)];
        for (int i = 0; i < topics.Length; i++)
        {
            string application = reader.ReadText8();
            (uint topic, uint generation, uint slotEpoch) = (reader.ReadU32(), reader.ReadU32(), reader.ReadU32());
            topics[i] = new TopicState(application, topic, generation, slotEpoch, reader.ReadU64(), ReadDigest(ref reader));
        }

        return topics;
    }

    public static void WriteRows(ref WireWriter writer, IReadOnlyList<LevelRow> rows)
    {
        writer.WriteU16((ushort)rows.Count);
        // By index: an enumerator would be allocated for every heartbeat.
        for (int i = 0; i < rows.Count; i++)
        {
            LevelRow row = rows[i];
            writer.WriteU32(row.Topic);
            writer.WriteU32(row.Generation);
            writer.WriteU64(row.Received);
            writer.WriteU64(row.Persisted);
            writer.WriteU64(row.Applied);
        }
    }

    public static LevelRow[] ReadRows(ref WireReader reader)
    {
        var rows = new LevelRow[reader.ReadCount16(RowBytes, Interest.RegionIdentity.InterestMax)];
        for (int i = 0; i < rows.Length; i++)
        {
            rows[i] = new LevelRow(reader.ReadU32(), reader.ReadU32(), reader.ReadU64(), reader.ReadU64(), reader.ReadU64());
        }

        return rows;
    }

    public static void WriteRejection(ref WireWriter writer, RejectionRow row)
    {
        writer.WriteU32(row.Topic);
        writer.WriteU32(row.Generation);
        writer.WriteU64(row.Release);
        writer.WriteText16(row.Reason);
    }

    public static RejectionRow ReadRejection(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        return new RejectionRow(topic, reader.ReadU32(), reader.ReadU64(), reader.ReadText16(RejectionRow.ReasonBytesMax));
    }

    public static void WriteTexts(ref WireWriter writer, IReadOnlyCollection<string> texts)
    {
        writer.WriteU16((ushort)texts.Count);
        foreach (string text in texts)
        {
            writer.WriteText8(text);
        }
    }

    public static string[] ReadTexts(ref WireReader reader, int countMax)
    {
        var texts = new string[reader.ReadCount16(TextBytesMin, countMax)];
        for (int i = 0; i < texts.Length; i++)
        {
            texts[i] = reader.ReadText8();
        }

        return texts;
    }

    public static void WriteLabels(ref WireWriter writer, IReadOnlyCollection<KeyValuePair<string, string>> labels)
    {
        writer.WriteU16((ushort)labels.Count);
        foreach ((string key, string value) in labels)
        {
            writer.WriteText8(key);
            writer.WriteText8(value);
        }
    }

    public static KeyValuePair<string, string>[] ReadLabels(ref WireReader reader, int countMax)
    {
        var labels = new KeyValuePair<string, string>[reader.ReadCount16(LabelBytesMin, countMax)];
        for (int i = 0; i < labels.Length; i++)
        {
            string key = reader.ReadText8();
            labels[i] = new(key, reader.ReadText8());
        }

        return labels;
    }

    public static Guid ReadGuid(ref WireReader reader)
    {
        ReadOnlySpan<byte> bytes = reader.ReadBytes(GuidBytes);
        return bytes.IsEmpty ? default : new Guid(bytes, bigEndian: true);
    }

    public static void WriteGuid(ref WireWriter writer, Guid value)
    {
        Span<byte> bytes = writer.Take(GuidBytes);
        if (!bytes.IsEmpty)
        {
            value.TryWriteBytes(bytes, bigEndian: true, out _);
        }
    }
}
