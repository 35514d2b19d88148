using System.Buffers.Binary;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Store;

/// <summary>Writes who is a member of an application, inside an open transaction, and reads it.</summary>
internal sealed class SqliteMemberWriter(SqliteDatabase database)
{
    private const int NodeBytes = 16;

    public void Write(MembershipChange change)
    {
        foreach ((NodeId node, ulong last) in change.Left)
        {
            Leave(change.Topic, node, last);
        }

        foreach (StoredMember member in change.Joined)
        {
            Join(change.Topic, member);
        }

        if (change.KnownFrom > 0)
        {
            Forget(change.Topic, change.KnownFrom);
        }
    }

    /// <summary>The members of an application that are in the store, by node, then first release.</summary>
    public static IReadOnlyList<StoredMember> Read(SqliteDatabase database, uint topic)
    {
        var members = new List<StoredMember>();
        using SqliteStatement next = database.Prepare(
            "SELECT node, first_release, last_release, about FROM members WHERE topic = ? ORDER BY node, first_release");
        next.Bind(1, topic);
        while (next.Step())
        {
            members.Add(StoredMember.Decode(NodeOf(next.Blob(0)), next.Blob(3), next.UInt64(1), next.IsNull(2) ? null : next.UInt64(2)));
        }

        return members;
    }

    /// <summary>The id in the form it is stored as.</summary>
    public static NodeId NodeOf(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]));

    /// <summary>The form in which an id is stored.</summary>
    public static byte[] Bytes(NodeId node)
    {
        byte[] bytes = new byte[NodeBytes];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, node.High);
        BinaryPrimitives.WriteUInt64BigEndian(bytes.AsSpan(8), node.Low);
        return bytes;
    }

    private void Leave(uint topic, NodeId node, ulong last)
    {
        byte[] id = Bytes(node);
        using (SqliteStatement find = database.Prepare(
            "SELECT 1 FROM members WHERE topic = ? AND node = ? AND last_release IS NULL AND first_release <= ? + 1"))
        {
            if (!find.Bind(1, topic).Bind(2, id).Bind(3, last).Step())
            {
                throw StoreRefusedException.Of($"The node {node} is no member of the application with topic {topic} at release {last}.");
            }
        }

        using SqliteStatement leave = database.Prepare(
            "UPDATE members SET last_release = ? WHERE topic = ? AND node = ? AND last_release IS NULL");
        leave.Bind(1, last).Bind(2, topic).Bind(3, id).Run();
        // No release came while it was one.
        using SqliteStatement drop = database.Prepare("DELETE FROM members WHERE topic = ? AND node = ? AND last_release < first_release");
        drop.Bind(1, topic).Bind(2, id).Run();
    }

    private void Join(uint topic, StoredMember member)
    {
        byte[] id = Bytes(member.Node);
        using (SqliteStatement find = database.Prepare(
            "SELECT 1 FROM members WHERE topic = ? AND node = ? AND (last_release IS NULL OR last_release >= ?)"))
        {
            if (find.Bind(1, topic).Bind(2, id).Bind(3, member.FirstRelease).Step())
            {
                throw StoreRefusedException.Of(
                    $"The node {member.Node} is a member of the application with topic {topic} already at release {member.FirstRelease}.");
            }
        }

        using SqliteStatement join = database.Prepare("INSERT INTO members VALUES (?, ?, ?, NULL, ?)");
        join.Bind(1, topic).Bind(2, id).Bind(3, member.FirstRelease).Bind(4, member.EncodeAbout()).Run();
    }

    private void Forget(uint topic, ulong knownFrom)
    {
        using (SqliteStatement from = database.Prepare("UPDATE applications SET members_from = ? WHERE topic = ? AND members_from <= ?"))
        {
            from.Bind(1, knownFrom).Bind(2, topic).Bind(3, knownFrom).Run();
        }

        using SqliteStatement forget = database.Prepare("DELETE FROM members WHERE topic = ? AND last_release < ?");
        forget.Bind(1, topic).Bind(2, knownFrom).Run();
    }
}
