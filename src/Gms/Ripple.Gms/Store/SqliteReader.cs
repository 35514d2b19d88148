using System.Globalization;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>Reads the store's tables.</summary>
internal sealed class SqliteReader(SqliteDatabase database) : IStoreReader
{
    // Of releases before it, some rows stay for what they say of their publishes.
    private const string IsKept = "release >= (SELECT history_from FROM applications WHERE topic = ?1)";

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

    public static Guid? MarkId(SqliteDatabase database)
    {
        using SqliteStatement find = database.Prepare("SELECT value FROM settings WHERE name = 'mark_id'");
        return find.Step() ? new Guid(find.Blob(0), bigEndian: true) : null;
    }

    /// <summary>Whether a release is the one with this id; also true of one that is kept no more.</summary>
    public bool Has(uint topic, ulong release, Digest160 id)
    {
        using SqliteStatement find = database.Prepare(
            "SELECT id FROM releases WHERE topic = ?1 AND release = ?2 "
                + "UNION ALL SELECT NULL FROM applications WHERE topic = ?1 AND history_from > ?2");
        return find.Bind(1, topic).Bind(2, Clamp(release)).Step() && (find.IsNull(0) || Digest160.Read(find.Blob(0)) == id);
    }

    public HostState Load(int publishHorizonCount)
    {
        var applications = new List<StoredApplication>();
        using (SqliteStatement all = database.Prepare(
            "SELECT topic, name, generation, members_from, history_from FROM applications ORDER BY topic"))
        {
            while (all.Step())
            {
                uint topic = (uint)all.Int64(0);
                applications.Add(Application(topic, all.Text(1), (uint)all.Int64(2), publishHorizonCount) with
                {
                    Members = SqliteMemberWriter.Read(database, topic),
                    MembersFrom = all.UInt64(3),
                    HistoryFrom = all.UInt64(4),
                });
            }
        }

        return new(
            (int)Setting(database, "format_version"),
            ClusterId(database),
            (uint)Setting(database, "slot_epoch"),
            applications,
            Tokens(),
            Setting(database, "tokens_version"),
            (uint)Math.Max(1, Setting(database, "generation_min")))
        {
            RevokedNodes = RevokedNodes(),
        };
    }

    public IReadOnlyList<ReleaseRecord> Releases(uint topic, ulong fromRelease, int bytesMax)
    {
        var records = new List<ReleaseRecord>();
        long bytes = 0;
        using SqliteStatement next = database.Prepare(
            "SELECT release, header, signature, id FROM releases WHERE topic = ?1 AND release >= ?2 AND " + IsKept + " ORDER BY release");
        next.Bind(1, topic).Bind(2, Clamp(fromRelease));
        while (bytes < bytesMax && next.Step())
        {
            ReleaseRecord record = Record(next);
            ReleaseHeader header = Decode(record);
            bytes += record.Header.Length + record.Signature.Length + header.BodyBytes;
            if (bytes > bytesMax && records.Count > 0)
            {
                break;
            }

            records.Add(record with { Bodies = Bodies(header) });
        }

        return records;
    }

    /// <summary>A value that a release of the topic has; null if none has it.</summary>
    public ReadOnlyMemory<byte>? Body(uint topic, Digest160 digest)
    {
        using SqliteStatement find = database.Prepare("SELECT 1 FROM changes WHERE digest = ? AND topic = ? LIMIT 1");
        return find.Bind(1, digest.ToArray()).Bind(2, topic).Step() ? Content(digest) : null;
    }

    public IReadOnlyList<ReleaseRecord> History(uint topic, ulong beforeRelease, int countMax)
    {
        var records = new List<ReleaseRecord>();
        long bytes = 0;
        ReleaseHeader? after = null;
        using SqliteStatement next = database.Prepare(
            "SELECT release, header, signature, id FROM releases WHERE topic = ?1 AND release < ?2 AND " + IsKept
                + " ORDER BY release DESC LIMIT ?3");
        next.Bind(1, topic).Bind(2, Clamp(beforeRelease)).Bind(3, Math.Clamp(countMax, 0, StoreLimits.RowsMax));
        while (next.Step())
        {
            ReleaseRecord record = Record(next);
            if (after is not null && (after.PreviousId != Decode(record).Id || after.Release != record.Release + 1))
            {
                throw Changed(record);
            }

            after = Decode(record);
            bytes += record.Header.Length;
            if (bytes > StoreLimits.HistoryBytesMax && records.Count > 0)
            {
                break;
            }

            records.Add(record);
        }

        return records;
    }

    /// <summary>
    /// The state at a release; null if there is no such release. Its root is compared with the header's at every read: changes that
    /// somebody else wrote are given to nobody.
    /// </summary>
    public ReleaseState? State(uint topic, ulong release)
    {
        using SqliteStatement same = database.Prepare("SELECT 1 FROM applications WHERE topic = ?");
        if (!same.Bind(1, topic).Step() || Find(topic, release) is not { } record)
        {
            return null;
        }

        // While a statement is not at its end, all see the store as it was when it began: history may be shortened in between.
        // SQLite takes the bare columns from the row with the maximum.
        var table = new ReleaseStateBuilder();
        bool isTable = true;
        using SqliteStatement next = database.Prepare(
            "SELECT key, max(release), form, length, digest FROM changes WHERE topic = ? AND release <= ? GROUP BY key ORDER BY key");
        next.Bind(1, topic).Bind(2, record.Release);
        while (isTable && next.Step())
        {
            isTable = next.IsNull(4) || table.TryAdd(next.Text(0), Entry(next));
        }

        ReleaseHeader header = Decode(record);
        return isTable && table.TryBuild(header, out ReleaseState? state)
            ? state
            : throw new StoreDamageException(string.Create(
                CultureInfo.InvariantCulture,
                $"The keys of release {record.Release} of '{header.Application}' were changed in the store. Restore a backup."));
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

    /// <summary>All revoked nodes, by node.</summary>
    public IReadOnlyList<RevokedNode> RevokedNodes() => SqliteNodeWriter.Read(database);

    /// <summary>All tokens, by id.</summary>
    public IReadOnlyList<AccessToken> Tokens() => Tokens(null);

    /// <summary>The token with an id; null if there is none.</summary>
    public AccessToken? Token(string id) => Tokens(id) is [var token] ? token : null;

    private List<AccessToken> Tokens(string? only)
    {
        ILookup<string, AccessTokenGrant> grants = Grants(only).ToLookup(g => g.Token, g => g.Grant, StringComparer.Ordinal);
        var tokens = new List<AccessToken>();
        using SqliteStatement next = database.Prepare(
            "SELECT id, secret_hash, name, created, expires, revoked, made_by FROM tokens"
                + (only is null ? " ORDER BY id" : " WHERE id = ?"));
        BindOnly(next, only);
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
                    MadeBy = next.IsNull(6) ? null : next.Text(6),
                });
        }

        return tokens;
    }

    private List<(string Token, AccessTokenGrant Grant)> Grants(string? only)
    {
        var grants = new List<(string, AccessTokenGrant)>();
        using SqliteStatement next = database.Prepare(
            "SELECT token, application, role, made_by FROM grants"
                + (only is null ? " ORDER BY token, application" : " WHERE token = ? ORDER BY application"));
        BindOnly(next, only);
        while (next.Step())
        {
            string? madeBy = next.IsNull(3) ? null : next.Text(3);
            grants.Add((next.Text(0), new AccessTokenGrant(next.Text(1), (AccessRole)next.Int64(2)) { MadeBy = madeBy }));
        }

        return grants;
    }

    private static void BindOnly(SqliteStatement statement, string? only)
    {
        if (only is not null)
        {
            statement.Bind(1, only);
        }
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
        return new(topic, name, generation, newest is null ? null : Decode(newest), newest?.Signature ?? default, keys, publishes);
    }

    private ReleaseRecord? Find(uint topic, ulong release)
    {
        using SqliteStatement find = database.Prepare(release == 0
            ? "SELECT release, header, signature, id FROM releases WHERE topic = ? ORDER BY release DESC LIMIT 1"
            : "SELECT release, header, signature, id FROM releases WHERE topic = ?1 AND release = ?2 AND " + IsKept);
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
                new(digest, Content(digest) ?? throw new StoreDamageException(
                    $"The value of {NameOf(digest)} is missing from the store. Restore a backup, or publish it again.")));
        }

        return bodies;
    }

    /// <summary>A value; null if there is none. It is compared with its digest at every read: a changed one is given to nobody.</summary>
    private ReadOnlyMemory<byte>? Content(Digest160 digest)
    {
        using SqliteStatement find = database.Prepare("SELECT body FROM content WHERE digest = ?");
        if (!find.Bind(1, digest.ToArray()).Step())
        {
            return null;
        }

        byte[] body = find.Blob(0).ToArray();
        return ContentDigest.Compute(body) == digest
            ? body
            : throw new StoreDamageException(
                $"The value of {NameOf(digest)} was changed in the store. Restore a backup, or publish it again.");
    }

    /// <summary>Names a value by a key that has it, for people; its digest is told too.</summary>
    private string NameOf(Digest160 digest)
    {
        using SqliteStatement find = database.Prepare(
            "SELECT name, key, release FROM changes JOIN applications USING (topic) WHERE digest = ? ORDER BY release DESC LIMIT 1");
        return find.Bind(1, digest.ToArray()).Step()
            ? string.Create(CultureInfo.InvariantCulture, $"'{find.Text(1)}' of '{find.Text(0)}', release {find.Int64(2)} ({digest})")
            : digest.ToString();
    }

    /// <summary>A release as stored, if its header is the one that was committed.</summary>
    private static ReleaseRecord Record(SqliteStatement row)
    {
        var record = new ReleaseRecord(row.UInt64(0), row.Blob(1).ToArray(), row.Blob(2).ToArray(), []);
        ReleaseHeader header = Decode(record);
        return header.Release == record.Release && header.Id == DigestAt(row, 3) ? record : throw Changed(record);
    }

    private static StoreDamageException Changed(ReleaseRecord record) =>
        new(string.Create(
            CultureInfo.InvariantCulture, $"The header of release {record.Release} was changed in the store. Restore a backup."));

    private static StoredKey Key(SqliteStatement row) => new(
        row.Text(0), Entry(row), row.UInt64(1));

    private static KeyEntry Entry(SqliteStatement row) => new(DigestAt(row, 4), (int)row.Int64(3), (KeyForm)row.Int64(2));

    /// <summary>A digest; none if what is there has another length.</summary>
    private static Digest160 DigestAt(SqliteStatement row, int column) =>
        row.Blob(column) is { Length: Digest160.Size } bytes ? Digest160.Read(bytes) : default;

    private static ReleaseHeader Decode(ReleaseRecord record) =>
        ReleaseHeader.TryDecode(record.Header.Span, out ReleaseHeader? header) ? header : throw Changed(record);

    private static long Clamp(ulong release) => (long)Math.Min(release, long.MaxValue);
}

/// <summary>
/// What is stored is not what was committed: a value, a header or a signature was changed or lost. The message names it, and what to do.
/// The rest of the store is good.
/// </summary>
internal sealed class StoreDamageException(string message) : Exception(message);
