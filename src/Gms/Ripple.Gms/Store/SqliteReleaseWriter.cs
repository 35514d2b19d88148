using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>Appends one release inside an open transaction: its row, bodies and changes, and the updated key table.</summary>
internal sealed class SqliteReleaseWriter(SqliteDatabase database)
{
    public void Write(StoredRelease release, SqliteBatchWriter batch)
    {
        ReleaseHeader header = release.Header;
        CheckFollows(release, batch);
        AddRelease(release);
        foreach (StoredBody body in release.Bodies)
        {
            using SqliteStatement add = database.Prepare("INSERT OR IGNORE INTO content VALUES (?, ?)");
            add.Bind(1, body.Digest.ToArray()).Bind(2, body.Bytes.Span).Run();
        }

        foreach (KeyChange change in header.Changes)
        {
            if (change.Operation == KeyOperation.Set)
            {
                Set(release.Topic, header, change);
            }
            else
            {
                Remove(release.Topic, header.Release, change.Key);
            }
        }
    }

    private void CheckFollows(StoredRelease release, SqliteBatchWriter batch)
    {
        ReleaseHeader header = release.Header;
        ulong newest = 0;
        Digest160 id = default;
        using (SqliteStatement find = database.Prepare("SELECT release, id FROM releases WHERE topic = ? ORDER BY release DESC LIMIT 1"))
        {
            if (find.Bind(1, release.Topic).Step())
            {
                newest = find.UInt64(0);
                id = Digest160.Read(find.Blob(1));
            }
        }

        if (header.Release != newest + 1 || header.PreviousId != id)
        {
            throw StoreRefusedException.Of(
                $"{header} does not follow release {newest} of the store. Append releases in order, each on the one before.");
        }

        uint generation = batch.Generation(release.Topic);
        if (header.Generation < generation)
        {
            throw StoreRefusedException.Of(
                $"{header} is of generation {header.Generation}; the application is at {generation}. Generations only grow.");
        }

        if (header.Generation > generation)
        {
            batch.RaiseGeneration(release.Topic, header.Generation);
        }
    }

    private void AddRelease(StoredRelease release)
    {
        ReleaseHeader header = release.Header;
        using SqliteStatement add = database.Prepare("INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        add.Bind(1, release.Topic).Bind(2, header.Release).Bind(3, header.Generation).Bind(4, header.Id.ToArray())
            .Bind(5, header.PublishId.ToByteArray(bigEndian: true))
            .Bind(6, release.PublishBodyHash.ToArray())
            .Bind(7, header.TimeUnixMicros)
            .Bind(8, header.Actor)
            .Bind(10, header.Encode());
        if (!release.Signature.IsEmpty)
        {
            add.Bind(9, release.Signature.Span);
        }

        add.Run();
    }

    private void Set(uint topic, ReleaseHeader header, KeyChange change)
    {
        byte[] digest = change.Digest.ToArray();
        using (SqliteStatement find = database.Prepare("SELECT 1 FROM content WHERE digest = ?"))
        {
            if (!find.Bind(1, digest).Step())
            {
                throw StoreRefusedException.Of($"The value {change.Digest} that {header} gives to '{change.Key}' is neither in the store nor in the batch. Commit it with its bytes.");
            }
        }

        using SqliteStatement add = database.Prepare("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)");
        add.Bind(1, topic).Bind(2, change.Key).Bind(
            3, header.Release).Bind(4, (long)change.Form).Bind(5, change.Length).Bind(6, digest).Run();
        using SqliteStatement set = database.Prepare("INSERT OR REPLACE INTO keys VALUES (?, ?, ?, ?, ?, ?)");
        set.Bind(1, topic).Bind(2, change.Key).Bind(
            3, header.Release).Bind(4, (long)change.Form).Bind(5, change.Length).Bind(6, digest).Run();
    }

    private void Remove(uint topic, ulong release, string key)
    {
        using SqliteStatement add = database.Prepare("INSERT INTO changes VALUES (?, ?, ?, 0, 0, NULL)");
        add.Bind(1, topic).Bind(2, key).Bind(3, release).Run();
        using SqliteStatement remove = database.Prepare("DELETE FROM keys WHERE topic = ? AND key = ?");
        remove.Bind(1, topic).Bind(2, key).Run();
    }
}
