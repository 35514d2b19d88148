using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>Reads the store's tables.</summary>
internal sealed class SqliteReader(SqliteDatabase database)
{
    public static long Setting(SqliteDatabase database, string name)
    {
        using SqliteStatement find = database.Prepare("SELECT value FROM settings WHERE name = ?");
        return find.Bind(1, name).Step() ? find.Int64(0) : 0;
    }

    public static Guid? ClusterId(SqliteDatabase database)
    {
        using SqliteStatement find = database.Prepare("SELECT value FROM settings WHERE name = 'cluster_id'");
        return find.Step() ? new Guid(find.Blob(0), bigEndian: true) : null;
    }

    public HostState Load(int publishHorizonCount)
    {
        var applications = new List<StoredApplication>();
        using (SqliteStatement all = database.Prepare("SELECT topic, name, generation FROM applications ORDER BY topic"))
        {
            while (all.Step())
            {
                applications.Add(Application((uint)all.Int64(0), all.Text(1), (uint)all.Int64(2), publishHorizonCount));
            }
        }

        return new(
            (int)Setting(database, "format_version"),
            ClusterId(database),
            (uint)Setting(database, "slot_epoch"),
            (ulong)Setting(database, "incarnation_counter"),
            applications,
            Tokens(),
            Setting(database, "tokens_version"));
    }

    public IReadOnlyList<ReleaseRecord> Releases(uint topic, ulong fromRelease, int bytesMax)
    {
        var records = new List<ReleaseRecord>();
        long bytes = 0;
        using SqliteStatement next = database.Prepare(
            "SELECT release, header, signature FROM releases WHERE topic = ? AND release >= ? ORDER BY release");
        next.Bind(1, topic).Bind(2, Clamp(fromRelease));
        while (bytes < bytesMax && next.Step())
        {
            ReleaseRecord record = Record(next);
            ReleaseHeader header = Decode(record.Header);
            bytes += record.Header.Length + record.Signature.Length + header.BodyBytes;
            if (bytes > bytesMax && records.Count > 0)
            {
                break;
            }

            records.Add(record with { Bodies = Bodies(header) });
        }

        return records;
    }

    public ReadOnlyMemory<byte>? Body(Digest160 digest)
    {
        using SqliteStatement find = database.Prepare("SELECT body FROM content WHERE digest = ?");
        return find.Bind(1, digest.ToArray()).Step() ? (ReadOnlyMemory<byte>?)find.Blob(0).ToArray() : null;
    }

    public IReadOnlyList<ReleaseRecord> History(uint topic, ulong beforeRelease, int countMax)
    {
        var records = new List<ReleaseRecord>();
        long bytes = 0;
        using SqliteStatement next = database.Prepare(
            "SELECT release, header, signature FROM releases WHERE topic = ? AND release < ? ORDER BY release DESC LIMIT ?");
        next.Bind(1, topic).Bind(2, Clamp(beforeRelease)).Bind(3, Math.Clamp(countMax, 0, StoreLimits.RowsMax));
        while (next.Step())
        {
            ReleaseRecord record = Record(next);
            bytes += record.Header.Length;
            if (bytes > StoreLimits.HistoryBytesMax && records.Count > 0)
            {
                break;
            }

            records.Add(record);
        }

        return records;
    }

    public StateRecord? State(uint topic, ulong release)
    {
        ReleaseRecord? record = Find(topic, release);
        if (record is null)
        {
            return null;
        }

        // SQLite takes the bare columns from the row with the maximum.
        var keys = new List<StoredKey>();
        using SqliteStatement next = database.Prepare(
            "SELECT key, max(release), form, length, digest FROM changes WHERE topic = ? AND release <= ? GROUP BY key ORDER BY key");
        next.Bind(1, topic).Bind(2, record.Release);
        while (next.Step())
        {
            if (!next.IsNull(4))
            {
                keys.Add(Key(next));
            }
        }

        return new(record, keys);
    }

    public IReadOnlyList<AuditRecord> Audit(string? application, long beforeNumber, int countMax)
    {
        var records = new List<AuditRecord>();
        using SqliteStatement next = database.Prepare(application is null
            ? "SELECT number, time, actor, action, application, release, detail FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?"
            : "SELECT number, time, actor, action, application, release, detail FROM audit WHERE number < ? "
                + "AND application = ?3 ORDER BY number DESC LIMIT ?2");
        next.Bind(1, beforeNumber).Bind(2, Math.Clamp(countMax, 0, StoreLimits.RowsMax));
        if (application is not null)
        {
            next.Bind(3, application);
        }

        while (next.Step())
        {
            records.Add(new(next.Int64(0), new(
                next.Int64(1),
                next.Text(2),
                next.Text(3),
                next.IsNull(4) ? null : next.Text(4),
                next.IsNull(5) ? null : next.UInt64(5),
                next.Text(6))));
        }

        return records;
    }

    public IReadOnlyList<AccessToken> Tokens()
    {
        ILookup<string, AccessTokenGrant> grants = Grants().ToLookup(g => g.Token, g => g.Grant, StringComparer.Ordinal);
        var tokens = new List<AccessToken>();
        using SqliteStatement next = database.Prepare("SELECT id, secret_hash, name, created, expires, revoked FROM tokens ORDER BY id");
        while (next.Step())
        {
            string id = next.Text(0);
            tokens.Add(
                new(
                    id,
                    next.Blob(1).ToArray(),
                    [.. grants[id]],
                    next.Int64(3),
                    next.IsNull(4) ? null : next.Int64(4),
                    next.IsNull(5) ? null : next.Int64(5))
                {
                    Name = next.Text(2),
                });
        }

        return tokens;
    }

    private List<(string Token, AccessTokenGrant Grant)> Grants()
    {
        var grants = new List<(string, AccessTokenGrant)>();
        using SqliteStatement next = database.Prepare("SELECT token, application, role FROM grants ORDER BY token, application");
        while (next.Step())
        {
            grants.Add((next.Text(0), new AccessTokenGrant(next.Text(1), (AccessRole)next.Int64(2))));
        }

        return grants;
    }

    private StoredApplication Application(uint topic, string name, uint generation, int publishHorizonCount)
    {
        ReleaseRecord? newest = Find(topic, 0);
        var keys = new List<StoredKey>();
        using (SqliteStatement next = database.Prepare("SELECT key, release, form, length, digest FROM keys WHERE topic = ? ORDER BY key"))
        {
            next.Bind(1, topic);
            while (next.Step())
            {
                keys.Add(Key(next));
            }
        }

        var publishes = new List<StoredPublish>();
        using (SqliteStatement next = database.Prepare(
            "SELECT publish_id, body_hash, release, generation, id, actor, time FROM releases WHERE topic = ? "
                + "ORDER BY release DESC LIMIT ?"))
        {
            next.Bind(1, topic).Bind(2, publishHorizonCount);
            while (next.Step())
            {
                publishes.Add(new(
                    new(next.Blob(0), bigEndian: true),
                    Digest160.Read(next.Blob(1)),
                    next.UInt64(2),
                    (uint)next.Int64(3),
                    Digest160.Read(next.Blob(4)),
                    next.Text(5),
                    next.Int64(6)));
            }
        }

        publishes.Reverse();
        return new(topic, name, generation, newest is null ? null : Decode(newest.Header), newest?.Signature ?? default, keys, publishes);
    }

    private ReleaseRecord? Find(uint topic, ulong release)
    {
        using SqliteStatement find = database.Prepare(release == 0
            ? "SELECT release, header, signature FROM releases WHERE topic = ? ORDER BY release DESC LIMIT 1"
            : "SELECT release, header, signature FROM releases WHERE topic = ? AND release = ?");
        find.Bind(1, topic);
        if (release != 0)
        {
            find.Bind(2, Clamp(release));
        }

        return find.Step() ? Record(find) : null;
    }

    private List<StoredBody> Bodies(ReleaseHeader header)
    {
        var bodies = new List<StoredBody>();
        foreach (Digest160 digest in header.Changes.Where(c => c.Operation == KeyOperation.Set).Select(c => c.Digest).Distinct())
        {
            bodies.Add(
                new(digest, Body(digest) ?? throw new StoreException(
                    $"The value {digest} of {header} is missing from the store. The store is damaged: restore a backup.")));
        }

        return bodies;
    }

    private static ReleaseRecord Record(SqliteStatement row) => new(
        row.UInt64(0), row.Blob(1).ToArray(), row.Blob(2).ToArray(), []);

    private static StoredKey Key(SqliteStatement row) => new(
        row.Text(0), new(Digest160.Read(row.Blob(4)), (int)row.Int64(3), (KeyForm)row.Int64(2)), row.UInt64(1));

    private static ReleaseHeader Decode(ReadOnlyMemory<byte> bytes) => ReleaseHeader.TryDecode(bytes.Span, out ReleaseHeader? header)
        ? header
        : throw new StoreException("A release header in the store cannot be decoded. The store is damaged: restore a backup.");

    private static long Clamp(ulong release) => (long)Math.Min(release, long.MaxValue);
}
