namespace Ripple.Gms.Store;

/// <summary>Writes and reads revoked nodes, inside an open transaction.</summary>
internal sealed class SqliteNodeWriter(SqliteDatabase database)
{
    /// <summary>Adds a node unless it is there, and forgets those whose certificates have ended.</summary>
    public void Write(RevokedNode node, SqliteBatchWriter batch)
    {
        using (SqliteStatement forget = database.Prepare("DELETE FROM revoked_nodes WHERE time < ?"))
        {
            forget.Bind(1, node.TimeUnixMicros - RevokedNode.KeptMicros).Run();
        }

        if (database.Number("SELECT count(*) FROM revoked_nodes") >= StoreLimits.RevokedNodesMax)
        {
            throw SqliteBatchWriter.Refuse(
                $"{StoreLimits.RevokedNodesMax} nodes are revoked whose certificates may be good. Revoke the token that they have.");
        }

        using SqliteStatement add = database.Prepare(
            "INSERT OR IGNORE INTO revoked_nodes (node, name, application, time, actor, reason) VALUES (?, ?, ?, ?, ?, ?)");
        add.Bind(1, SqliteMemberWriter.Bytes(node.Node)).Bind(2, node.Name).Bind(3, node.Application).Bind(4, node.TimeUnixMicros);
        add.Bind(5, node.Actor).Bind(6, node.Reason).Run();
        batch.AddAudit(node.ToAudit());
    }

    /// <summary>All revoked nodes, by node.</summary>
    public static IReadOnlyList<RevokedNode> Read(SqliteDatabase database)
    {
        var nodes = new List<RevokedNode>();
        using SqliteStatement next = database.Prepare(
            "SELECT node, name, application, time, actor, reason FROM revoked_nodes ORDER BY node");
        while (next.Step())
        {
            nodes.Add(new(
                SqliteMemberWriter.NodeOf(next.Blob(0)),
                next.Text(1),
                next.IsNull(2) ? null : next.Text(2),
                next.Int64(3),
                next.Text(4),
                next.Text(5)));
        }

        return nodes;
    }
}
