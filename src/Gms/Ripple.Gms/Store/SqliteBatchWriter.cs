namespace Ripple.Gms.Store;

/// <summary>
/// Writes one batch inside an open transaction. Throws <see cref="StoreRefusedException"/> if the stored state forbids it; the caller rolls
/// back.
/// </summary>
/// <param name="database">The store's file.</param>
/// <param name="mark">The store's mark; null where a store is opened beside its host.</param>
/// <param name="publishHorizonCount">The number of newest publishes of an application that are remembered.</param>
internal sealed class SqliteBatchWriter(SqliteDatabase database, StoreMarkKeeper? mark, int publishHorizonCount)
{
    public void Write(CommitBatch batch)
    {
        if (batch.Check() is { } wrong)
        {
            throw new StoreRefusedException(wrong);
        }

        WriteSettings(batch);
        foreach (NewApplication application in batch.Applications)
        {
            AddApplication(application);
        }

        foreach (StoredRelease release in batch.Releases)
        {
            new SqliteReleaseWriter(database).Write(release, this);
        }

        foreach (MembershipChange change in batch.Members)
        {
            new SqliteMemberWriter(database).Write(change);
        }

        foreach (HistoryPruning pruning in batch.Prunings)
        {
            new SqliteHistoryPruner(database, publishHorizonCount).Write(pruning);
        }

        foreach (AuditEntry entry in batch.Audit)
        {
            AddAudit(entry);
        }

        foreach (AccessTokenChange change in batch.Tokens)
        {
            new SqliteTokenWriter(database).Write(change, this);
        }

        foreach (RevokedNode node in batch.RevokedNodes)
        {
            new SqliteNodeWriter(database).Write(node, this);
        }

        if (batch.Tokens.Count + batch.RevokedNodes.Count > 0)
        {
            SetNumber("tokens_version", SqliteReader.Setting(database, "tokens_version") + 1);
        }
    }

    /// <summary>The generation of an application; throws if there is none with that topic.</summary>
    public uint Generation(uint topic)
    {
        using SqliteStatement find = database.Prepare("SELECT generation FROM applications WHERE topic = ?").Bind(1, topic);
        return find.Step()
            ? (uint)find.Int64(0)
            : throw StoreRefusedException.Of($"There is no application with topic {topic}. Create it first.");
    }

    /// <summary>Sets the generation of an application, which is above the stored one.</summary>
    public void RaiseGeneration(uint topic, uint generation)
    {
        using SqliteStatement update = database.Prepare("UPDATE applications SET generation = ? WHERE topic = ?");
        update.Bind(1, generation).Bind(2, topic).Run();
    }

    public void AddAudit(AuditEntry entry)
    {
        using SqliteStatement add = database.Prepare(
            "INSERT INTO audit (time, actor, action, application, release, detail) VALUES (?, ?, ?, ?, ?, ?)");
        add.Bind(1, entry.TimeUnixMicros).Bind(2, entry.Actor).Bind(3, entry.Action).Bind(4, entry.Application).Bind(6, entry.Detail);
        if (entry.Release is { } release)
        {
            add.Bind(5, release);
        }

        add.Run();
    }

    private void WriteSettings(CommitBatch batch)
    {
        if (batch.ClusterId is { } id)
        {
            if (SqliteReader.ClusterId(database) is { } stored && stored != id)
            {
                throw StoreRefusedException.Of(
                    $"The store belongs to cluster {stored:N}; it cannot become one of {id:N}. Give another store.");
            }

            using SqliteStatement set = database.Prepare("INSERT OR REPLACE INTO settings VALUES ('cluster_id', ?)");
            set.Bind(1, id.ToByteArray(bigEndian: true)).Run();
        }

        if (batch.SlotEpoch is { } epoch)
        {
            Grow("slot_epoch", epoch);
            if (mark?.Renew() is { } markId)
            {
                using SqliteStatement set = database.Prepare("INSERT OR REPLACE INTO settings VALUES ('mark_id', ?)");
                set.Bind(1, markId.ToByteArray(bigEndian: true)).Run();
            }
        }

        if (batch.GenerationMin is { } generation)
        {
            Grow("generation_min", generation);
            using SqliteStatement raise = database.Prepare("UPDATE applications SET generation = ?1 WHERE generation < ?1");
            raise.Bind(1, generation).Run();
        }
    }

    private void Grow(string name, long value)
    {
        long stored = SqliteReader.Setting(database, name);
        if (value <= stored)
        {
            throw StoreRefusedException.Of($"The setting {name} is {stored}; {value} is not above it. It only grows.");
        }

        SetNumber(name, value);
    }

    private void SetNumber(string name, long value)
    {
        using SqliteStatement set = database.Prepare("INSERT OR REPLACE INTO settings VALUES (?, ?)");
        set.Bind(1, name).Bind(2, value).Run();
    }

    private void AddApplication(NewApplication application)
    {
        using (SqliteStatement find = database.Prepare("SELECT topic, name FROM applications WHERE topic = ? OR name = ?"))
        {
            if (find.Bind(1, application.Topic).Bind(2, application.Name).Step())
            {
                throw StoreRefusedException.Of(
                    $"There is an application '{find.Text(1)}' with topic {find.Int64(0)} already. Choose another name and topic.");
            }
        }

        using SqliteStatement add = database.Prepare("INSERT INTO applications (topic, name, generation) VALUES (?, ?, ?)");
        add.Bind(1, application.Topic).Bind(2, application.Name).Bind(3, application.Generation).Run();
    }
}

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
            throw StoreRefusedException.Of(
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
