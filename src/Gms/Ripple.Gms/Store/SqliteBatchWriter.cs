using System.Globalization;

namespace Ripple.Gms.Store;

/// <summary>
/// Writes one batch inside an open transaction. Throws <see cref="StoreRefusedException"/> if the stored state forbids it; the caller rolls
/// back.
/// </summary>
internal sealed class SqliteBatchWriter(SqliteDatabase database)
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

        foreach ((uint topic, uint generation) in batch.Generations)
        {
            RaiseGeneration(topic, generation);
        }

        foreach (StoredRelease release in batch.Releases)
        {
            new SqliteReleaseWriter(database).Write(release, this);
        }

        foreach (AuditEntry entry in batch.Audit)
        {
            AddAudit(entry);
        }

        foreach (AccessTokenChange change in batch.Tokens)
        {
            ChangeToken(change);
        }

        if (batch.Tokens.Count > 0)
        {
            SetNumber("tokens_version", SqliteReader.Setting(database, "tokens_version") + 1);
        }
    }

    /// <summary>The generation of an application; throws if there is none with that topic.</summary>
    public uint Generation(uint topic)
    {
        using SqliteStatement find = database.Prepare("SELECT generation FROM applications WHERE topic = ?").Bind(1, topic);
        return find.Step() ? (uint)find.Int64(0) : throw Refuse($"There is no application with topic {topic}. Create it first.");
    }

    public void RaiseGeneration(uint topic, uint generation)
    {
        uint stored = Generation(topic);
        if (generation <= stored)
        {
            throw Refuse(
                $"The application with topic {topic} is at generation {stored}; {generation} is not above it. Generations only grow.");
        }

        using SqliteStatement update = database.Prepare("UPDATE applications SET generation = ? WHERE topic = ?");
        update.Bind(1, generation).Bind(2, topic).Run();
    }

    public static StoreRefusedException Refuse(FormattableString text) => new(text.ToString(CultureInfo.InvariantCulture));

    private void WriteSettings(CommitBatch batch)
    {
        if (batch.ClusterId is { } id)
        {
            if (SqliteReader.ClusterId(database) is { } stored && stored != id)
            {
                throw Refuse($"The store belongs to cluster {stored:N}; it cannot become one of {id:N}. Give another store.");
            }

            using SqliteStatement set = database.Prepare("INSERT OR REPLACE INTO settings VALUES ('cluster_id', ?)");
            set.Bind(1, id.ToByteArray(bigEndian: true)).Run();
        }

        if (batch.SlotEpoch is { } epoch)
        {
            Grow("slot_epoch", epoch);
        }

        if (batch.IncarnationCounter is { } counter)
        {
            Grow("incarnation_counter", checked((long)counter));
        }
    }

    private void Grow(string name, long value)
    {
        long stored = SqliteReader.Setting(database, name);
        if (value <= stored)
        {
            throw Refuse($"The setting {name} is {stored}; {value} is not above it. It only grows.");
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
                throw Refuse(
                    $"There is an application '{find.Text(1)}' with topic {find.Int64(0)} already. Choose another name and topic.");
            }
        }

        using SqliteStatement add = database.Prepare("INSERT INTO applications VALUES (?, ?, ?)");
        add.Bind(1, application.Topic).Bind(2, application.Name).Bind(3, application.Generation).Run();
    }

    private void AddAudit(AuditEntry entry)
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

    private void ChangeToken(AccessTokenChange change)
    {
        if (change.Created is { } token)
        {
            using (SqliteStatement find = database.Prepare("SELECT 1 FROM tokens WHERE id = ?"))
            {
                if (find.Bind(1, token.Id).Step())
                {
                    throw Refuse($"There is a token '{token.Id}' already. Make one with another id.");
                }
            }

            using SqliteStatement add = database.Prepare(
                "INSERT INTO tokens (id, secret_hash, name, created, expires, revoked) VALUES (?, ?, ?, ?, ?, ?)");
            add.Bind(1, token.Id).Bind(2, token.SecretHash.Span).Bind(3, token.Name).Bind(4, token.CreatedUnixMicros);
            BindTime(add, 5, token.ExpiresUnixMicros);
            BindTime(add, 6, token.RevokedUnixMicros);
            add.Run();
            foreach (AccessTokenGrant grant in token.Grants)
            {
                SetGrant(token.Id, grant);
            }
        }
        else
        {
            using (SqliteStatement find = database.Prepare("SELECT 1 FROM tokens WHERE id = ?"))
            {
                if (!find.Bind(1, change.TokenId).Step())
                {
                    throw Refuse($"There is no token '{change.TokenId}'. List the tokens to see their ids.");
                }
            }

            ChangeExisting(change);
        }

        AddAudit(change.ToAudit());
    }

    private void ChangeExisting(AccessTokenChange change)
    {
        switch (change.Kind)
        {
            case AccessTokenChangeKind.Grant:
                SetGrant(change.TokenId, change.Granted!.Value);
                break;
            case AccessTokenChangeKind.Withdraw:
                using (SqliteStatement withdraw = database.Prepare("DELETE FROM grants WHERE token = ? AND application = ?"))
                {
                    withdraw.Bind(1, change.TokenId).Bind(2, change.Granted!.Value.Application).Run();
                }

                break;
            default:
                using (SqliteStatement revoke = database.Prepare("UPDATE tokens SET revoked = coalesce(revoked, ?) WHERE id = ?"))
                {
                    revoke.Bind(1, change.TimeUnixMicros).Bind(2, change.TokenId).Run();
                }

                break;
        }
    }

    private void SetGrant(string token, AccessTokenGrant grant)
    {
        using SqliteStatement set = database.Prepare("INSERT OR REPLACE INTO grants (token, application, role) VALUES (?, ?, ?)");
        set.Bind(1, token).Bind(2, grant.Application).Bind(3, (long)grant.Role).Run();
    }

    private static void BindTime(SqliteStatement statement, int index, long? timeUnixMicros)
    {
        if (timeUnixMicros is { } time)
        {
            statement.Bind(index, time);
        }
        else
        {
            statement.BindNull(index);
        }
    }
}
