namespace Ripple.Gms.Store;

/// <summary>Changes tokens and their roles inside an open transaction, with what ends by it and an audit entry for each.</summary>
internal sealed class SqliteTokenWriter(SqliteDatabase database)
{
    public void Write(AccessTokenChange change, SqliteBatchWriter batch)
    {
        var reader = new SqliteReader(database);
        if (MadeRights.Refuse(change, reader.Token) is { } wrong)
        {
            throw StoreRefusedException.Of($"{wrong}");
        }

        if (change.Created is { } token)
        {
            Create(token);
            batch.AddAudit(change.ToAudit());
            return;
        }

        if (reader.Token(change.TokenId) is null)
        {
            throw StoreRefusedException.Of($"There is no token '{change.TokenId}'. List the tokens to see their ids.");
        }

        IReadOnlyList<AccessToken> all = reader.Tokens();
        IReadOnlyList<AccessTokenChange> ended = MadeRights.EndedBy(change, all);
        if (ClusterAdministrators.Refuse(change, ended, all) is { } last)
        {
            throw StoreRefusedException.Of($"{last}");
        }

        foreach (AccessTokenChange each in (AccessTokenChange[])[change, .. ended])
        {
            Change(each);
            batch.AddAudit(each.ToAudit());
        }
    }

    private void Create(AccessToken token)
    {
        using (SqliteStatement find = database.Prepare("SELECT 1 FROM tokens WHERE id = ?"))
        {
            if (find.Bind(1, token.Id).Step())
            {
                throw StoreRefusedException.Of($"There is a token '{token.Id}' already. Make one with another id.");
            }
        }

        using SqliteStatement add = database.Prepare(
            "INSERT INTO tokens (id, secret_hash, name, created, expires, revoked, made_by) VALUES (?, ?, ?, ?, ?, ?, ?)");
        add.Bind(1, token.Id).Bind(2, token.SecretHash.Span).Bind(3, token.Name).Bind(4, token.CreatedUnixMicros);
        BindTime(add, 5, token.ExpiresUnixMicros);
        BindTime(add, 6, token.RevokedUnixMicros);
        add.Bind(7, token.MadeBy).Run();
        foreach (AccessTokenGrant grant in token.Grants)
        {
            SetGrant(token.Id, grant);
        }
    }

    private void Change(AccessTokenChange change)
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
        using SqliteStatement set = database.Prepare(
            "INSERT OR REPLACE INTO grants (token, application, role, made_by) VALUES (?, ?, ?, ?)");
        set.Bind(1, token).Bind(2, grant.Application).Bind(3, (long)grant.Role).Bind(4, grant.MadeBy).Run();
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
