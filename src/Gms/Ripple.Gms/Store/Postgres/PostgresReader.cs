using System.Globalization;
using Npgsql;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// Reads a store's tables over one session. What takes several statements is one transaction, which sees the store as it was when it
/// began.
/// </summary>
internal sealed partial class PostgresReader(PostgresSession session) : IStoreReader
{
    /// <summary>All tokens, by id, each with a row for each of its roles.</summary>
    public const string AllTokens =
        "SELECT t.id, t.secret_hash, t.name, t.created, t.expires, t.revoked, t.made_by, g.application, g.role, g.made_by "
            + "FROM tokens t LEFT JOIN grants g ON g.token = t.id ORDER BY t.id, g.application";

    private const int ReleasesOfPage = 64;

    private const string SelectReleases = "SELECT release, header, signature, id FROM releases WHERE topic = $1 AND";

    // Of releases before it, some rows stay for what they say of their publishes.
    private const string IsKept = "release >= (SELECT history_from FROM applications WHERE topic = $1)";

    /// <summary>A digest; none if what is there has another length.</summary>
    public static Digest160 DigestAt(NpgsqlDataReader row, int column) =>
        !row.IsDBNull(column) && row.GetFieldValue<byte[]>(column) is { Length: Digest160.Size } bytes ? Digest160.Read(bytes) : default;

    public IReadOnlyList<ReleaseRecord> Releases(uint topic, ulong fromRelease, int bytesMax) => InTransaction(() =>
    {
        var records = new List<ReleaseRecord>();
        long bytes = 0;
        ulong from = fromRelease;
        while (bytes < bytesMax)
        {
            var page = new List<ReleaseRecord>();
            session.Rows(
                $"{SelectReleases} release >= $2 AND {IsKept} ORDER BY release LIMIT $3",
                [Parameter.Number(topic), Parameter.Number(from), Parameter.Int(ReleasesOfPage)],
                row => page.Add(Record(row)));
            foreach (ReleaseRecord record in page)
            {
                ReleaseHeader header = Decode(record);
                bytes += record.Header.Length + record.Signature.Length + header.BodyBytes;
                if (bytes > bytesMax && records.Count > 0)
                {
                    return records;
                }

                records.Add(record with { Bodies = Bodies(header) });
                if (bytes >= bytesMax)
                {
                    return records;
                }
            }

            if (page.Count < ReleasesOfPage)
            {
                break;
            }

            from = page[^1].Release + 1;
        }

        return records;
    });

    /// <summary>A value that a release of the topic has; null if none has it.</summary>
    public ReadOnlyMemory<byte>? Body(uint topic, Digest160 digest)
    {
        byte[]? body = null;
        session.Rows(
            "SELECT body FROM content WHERE digest = $1 AND EXISTS (SELECT 1 FROM changes WHERE digest = $1 AND topic = $2)",
            [Parameter.Bytes(digest.ToArray()), Parameter.Number(topic)],
            row => body = row.GetFieldValue<byte[]>(0));
        return body is null ? (ReadOnlyMemory<byte>?)null : Good(digest, body);
    }

    public IReadOnlyList<ReleaseRecord> History(uint topic, ulong beforeRelease, int countMax)
    {
        var all = new List<ReleaseRecord>();
        session.Rows(
            $"{SelectReleases} release < $2 AND {IsKept} ORDER BY release DESC LIMIT $3",
            [Parameter.Number(topic), Parameter.Number(beforeRelease), Parameter.Int(Math.Clamp(countMax, 0, StoreLimits.RowsMax))],
            row => all.Add(Record(row)));
        var records = new List<ReleaseRecord>();
        long bytes = 0;
        ReleaseHeader? after = null;
        foreach (ReleaseRecord record in all)
        {
            ReleaseHeader header = Decode(record);
            if (after is not null && (after.PreviousId != header.Id || after.Release != record.Release + 1))
            {
                throw Changed(record);
            }

            after = header;
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
    public ReleaseState? State(uint topic, ulong release) => InTransaction(() =>
    {
        if (Find(topic, release) is not { } record)
        {
            return null;
        }

        var table = new ReleaseStateBuilder();
        bool isTable = true;
        session.Rows(
            "SELECT DISTINCT ON (key) key, release, form, length, digest FROM changes WHERE topic = $1 AND release <= $2 "
                + "ORDER BY key, release DESC",
            [Parameter.Number(topic), Parameter.Number(record.Release)],
            row => isTable = isTable && (row.IsDBNull(4) || table.TryAdd(row.GetString(0), Entry(row))));
        ReleaseHeader header = Decode(record);
        return isTable && table.TryBuild(header, out ReleaseState? state)
            ? state
            : throw new StoreDamageException(string.Create(
                CultureInfo.InvariantCulture,
                $"The keys of release {record.Release} of '{header.Application}' were changed in the store. Restore a backup."));
    });

    public IReadOnlyList<AuditRecord> Audit(string? application, long beforeNumber, int countMax)
    {
        var records = new List<AuditRecord>();
        var parameters = new List<NpgsqlParameter>
        {
            Parameter.Number(beforeNumber),
            Parameter.Int(Math.Clamp(countMax, 0, StoreLimits.RowsMax)),
        };
        if (application is not null)
        {
            parameters.Add(Parameter.Text(application));
        }

        session.Rows(
            "SELECT number, time, actor, action, application, release, detail FROM audit WHERE number < $1 "
                + (application is null ? "" : "AND application = $3 ") + "ORDER BY number DESC LIMIT $2",
            [.. parameters],
            row => records.Add(new(row.GetInt64(0), new(
                row.GetInt64(1),
                row.GetString(2),
                row.GetString(3),
                row.IsDBNull(4) ? null : row.GetString(4),
                row.IsDBNull(5) ? null : (ulong)row.GetInt64(5),
                row.GetString(6)))));
        return records;
    }

    /// <summary>All tokens, by id.</summary>
    public IReadOnlyList<AccessToken> Tokens()
    {
        List<AccessToken> tokens = [];
        session.Read([Parameter.Command(AllTokens)], [reader => tokens = ReadTokens(reader)]);
        return tokens;
    }

    /// <summary>Reads what <see cref="AllTokens"/> answers.</summary>
    public static List<AccessToken> ReadTokens(NpgsqlDataReader reader)
    {
        var tokens = new List<AccessToken>();
        var grants = new List<AccessTokenGrant>();
        AccessToken? token = null;
        while (reader.Read())
        {
            string id = reader.GetString(0);
            if (token?.Id != id)
            {
                End();
                token = new(
                    id,
                    reader.GetFieldValue<byte[]>(1),
                    [],
                    reader.GetInt64(3),
                    reader.IsDBNull(4) ? null : reader.GetInt64(4),
                    reader.IsDBNull(5) ? null : reader.GetInt64(5))
                {
                    Name = reader.GetString(2),
                    MadeBy = reader.IsDBNull(6) ? null : reader.GetString(6),
                };
            }

            if (!reader.IsDBNull(7))
            {
                grants.Add(new AccessTokenGrant(reader.GetString(7), (AccessRole)reader.GetInt32(8))
                {
                    MadeBy = reader.IsDBNull(9) ? null : reader.GetString(9),
                });
            }
        }

        End();
        return tokens;

        void End()
        {
            if (token is not null)
            {
                tokens.Add(token with { Grants = [.. grants] });
            }

            grants.Clear();
        }
    }

    /// <summary>All revoked nodes, by node.</summary>
    public IReadOnlyList<RevokedNode> RevokedNodes()
    {
        var nodes = new List<RevokedNode>();
        session.Rows(
            "SELECT node, name, application, time, actor, reason FROM revoked_nodes ORDER BY node",
            [],
            row => nodes.Add(new(
                SqliteMemberWriter.NodeOf(row.GetFieldValue<byte[]>(0)),
                row.GetString(1),
                row.IsDBNull(2) ? null : row.GetString(2),
                row.GetInt64(3),
                row.GetString(4),
                row.GetString(5))));
        return nodes;
    }

    private ReleaseRecord? Find(uint topic, ulong release)
    {
        ReleaseRecord? found = null;
        session.Rows(
            release == 0
                ? "SELECT release, header, signature, id FROM releases WHERE topic = $1 ORDER BY release DESC LIMIT 1"
                : $"{SelectReleases} release = $2 AND {IsKept}",
            release == 0 ? [Parameter.Number(topic)] : [Parameter.Number(topic), Parameter.Number(release)],
            row => found = Record(row));
        return found;
    }

    private List<StoredBody> Bodies(ReleaseHeader header)
    {
        Digest160[] digests = [.. header.Changes.Where(c => c.Operation == KeyOperation.Set).Select(c => c.Digest).Distinct()];
        var bodies = new Dictionary<Digest160, byte[]>();
        if (digests.Length > 0)
        {
            session.Rows(
                "SELECT digest, body FROM content WHERE digest = ANY($1)",
                [Parameter.Blocks([.. digests.Select(d => d.ToArray())])],
                row => bodies[DigestAt(row, 0)] = row.GetFieldValue<byte[]>(1));
        }

        return
        [
            .. digests.Select(d => new StoredBody(d, bodies.TryGetValue(d, out byte[]? body)
                ? Good(d, body)
                : throw new StoreDamageException(
                    $"The value of {NameOf(d)} is missing from the store. Restore a backup, or publish it again."))),
        ];
    }

    /// <summary>A value is compared with its digest at every read: a changed one is given to nobody.</summary>
    private byte[] Good(Digest160 digest, byte[] body) => ContentDigest.Compute(body) == digest
        ? body
        : throw new StoreDamageException(
            $"The value of {NameOf(digest)} was changed in the store. Restore a backup, or publish it again.");

    /// <summary>Names a value by a key that has it, for people; its digest is told too.</summary>
    private string NameOf(Digest160 digest)
    {
        string name = digest.ToString();
        session.Rows(
            "SELECT a.name, c.key, c.release FROM changes c JOIN applications a USING (topic) WHERE c.digest = $1 "
                + "ORDER BY c.release DESC LIMIT 1",
            [Parameter.Bytes(digest.ToArray())],
            row => name = string.Create(
                CultureInfo.InvariantCulture, $"'{row.GetString(1)}' of '{row.GetString(0)}', release {row.GetInt64(2)} ({digest})"));
        return name;
    }

    /// <summary>A release as stored, if its header is the one that was committed.</summary>
    private static ReleaseRecord Record(NpgsqlDataReader row)
    {
        var record = new ReleaseRecord(
            (ulong)row.GetInt64(0),
            row.GetFieldValue<byte[]>(1),
            row.IsDBNull(2) ? default(ReadOnlyMemory<byte>) : row.GetFieldValue<byte[]>(2),
            []);
        ReleaseHeader header = Decode(record);
        return header.Release == record.Release && header.Id == DigestAt(row, 3) ? record : throw Changed(record);
    }

    private static StoreDamageException Changed(ReleaseRecord record) =>
        new(string.Create(
            CultureInfo.InvariantCulture, $"The header of release {record.Release} was changed in the store. Restore a backup."));

    private static ReleaseHeader Decode(ReleaseRecord record) =>
        ReleaseHeader.TryDecode(record.Header.Span, out ReleaseHeader? header) ? header : throw Changed(record);

    /// <summary>Key, release, form, length and digest.</summary>
    private static KeyEntry Entry(NpgsqlDataReader row) => new(DigestAt(row, 4), row.GetInt32(3), (KeyForm)row.GetInt32(2));

    private T InTransaction<T>(Func<T> read)
    {
        session.Run("BEGIN");
        T result;
        try
        {
            result = read();
        }
        catch
        {
            session.TryRollBack();
            throw;
        }

        session.Run("COMMIT");
        return result;
    }
}
