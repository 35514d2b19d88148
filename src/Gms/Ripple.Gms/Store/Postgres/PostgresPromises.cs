namespace Ripple.Gms.Store.Postgres;

/// <summary>What a database must promise to keep a store: that what it has committed is on a disk, and that it holds every key.</summary>
internal static class PostgresPromises
{
    /// <summary>Asks a session that was just opened; true if its server is a standby, which takes no commits and may be read.</summary>
    /// <exception cref="StoreException">The database does not promise it; the message says which setting to change.</exception>
    public static bool Check(PostgresSession session, bool isReadOnly)
    {
        string[] found = ["", "", ""];
        bool isCopying = false;
        session.Rows(
            "SELECT current_setting('synchronous_commit', true), current_setting('fsync', true), current_setting('server_encoding', true), "
                + "pg_is_in_recovery()",
            [],
            row =>
            {
                for (int i = 0; i < found.Length; i++)
                {
                    found[i] = row.IsDBNull(i) ? "" : row.GetString(i);
                }

                isCopying = row.GetBoolean(3);
            });
        if (found[0] == "off")
        {
            throw new StoreException(
                $"The server of {session.Address} has synchronous_commit=off for this user: it says committed before it is on a disk, and "
                    + "a crash would take back releases that nodes have. Set it to on.");
        }

        if (found[1] == "off")
        {
            throw new StoreException(
                $"The server of {session.Address} runs with fsync=off: a crash of its machine destroys the database. Set it to on.");
        }

        if (found[2] is not ("" or "UTF8"))
        {
            throw new StoreException(
                $"{Upper(session.Address)} has the encoding {found[2]}, which does not hold all keys. Make one with the encoding UTF8.");
        }

        if (isCopying && !isReadOnly)
        {
            throw new StoreException($"The server of {session.Address} is a standby, which takes no commits. Give the primary.");
        }

        return isCopying;
    }

    private static string Upper(PostgresAddress address) => string.Concat("T", address.ToString().AsSpan(1));
}
