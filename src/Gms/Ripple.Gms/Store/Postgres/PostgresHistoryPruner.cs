using Npgsql;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// Removes the oldest releases of an application inside an open transaction. Of what they changed, what is still so at the oldest release
/// that is kept stays, whatever its age: the states from there on are made of it.
/// </summary>
internal sealed class PostgresHistoryPruner(PostgresSession session, int publishHorizonCount)
{
    /// <param name="pruning">What is asked for; it was judged.</param>
    /// <param name="historyFrom">The oldest release that is kept until now.</param>
    /// <param name="newest">The newest release.</param>
    /// <exception cref="StoreRefusedException">A header cannot be read.</exception>
    public void Write(HistoryPruning pruning, ulong historyFrom, ulong newest)
    {
        string[] keys = ChangedKeys(pruning, historyFrom);
        byte[][] given = keys.Length == 0 ? [] : Supersede(pruning, keys);
        ulong remembered = newest > (ulong)publishHorizonCount ? newest - (ulong)publishHorizonCount + 1 : 1;
        var commands = new List<NpgsqlBatchCommand>();
        if (given.Length > 0)
        {
            // Values that no release has any more, of this application or another.
            commands.Add(Parameter.Command(
                "DELETE FROM content c WHERE c.digest = ANY($1) AND NOT EXISTS (SELECT 1 FROM changes WHERE digest = c.digest)",
                Parameter.Blocks(given)));
        }

        // Of the newest publishes what recognizes them stays, without what they released.
        commands.Add(Parameter.Command(
            "UPDATE releases SET header = '', signature = NULL WHERE topic = $1 AND release < $2 AND release >= $3",
            Parameter.Number(pruning.Topic),
            Parameter.Number(pruning.KeptFrom),
            Parameter.Number(historyFrom)));
        commands.Add(Parameter.Command(
            "DELETE FROM releases WHERE topic = $1 AND release < $2",
            Parameter.Number(pruning.Topic),
            Parameter.Number(Math.Min(pruning.KeptFrom, remembered))));
        commands.Add(Parameter.Command(
            "UPDATE applications SET history_from = $1 WHERE topic = $2",
            Parameter.Number(pruning.KeptFrom),
            Parameter.Number(pruning.Topic)));
        session.Run(commands);
    }

    /// <summary>The keys that the releases changed after the oldest that is kept until now.</summary>
    private string[] ChangedKeys(HistoryPruning pruning, ulong historyFrom)
    {
        var keys = new HashSet<string>(StringComparer.Ordinal);
        ulong expected = historyFrom;
        session.Rows(
            "SELECT release, header FROM releases WHERE topic = $1 AND release > $2 AND release <= $3 ORDER BY release",
            [Parameter.Number(pruning.Topic), Parameter.Number(historyFrom), Parameter.Number(pruning.KeptFrom)],
            row =>
            {
                if (ReleaseHeader.TryDecode(row.GetFieldValue<byte[]>(1), out ReleaseHeader? header) && header.Release == expected + 1)
                {
                    expected++;
                    keys.UnionWith(header.Changes.Select(c => c.Key));
                }
            });
        return expected == pruning.KeptFrom
            ? [.. keys]
            : throw StoreRefusedException.Of($"The header of release {expected + 1} was changed in the store. Restore a backup.");
    }

    /// <summary>
    /// Removes the changes of these keys that others up to the oldest release took the place of, and those that it takes back; returns the
    /// digests of their values.
    /// </summary>
    private byte[][] Supersede(HistoryPruning pruning, string[] keys)
    {
        var given = new HashSet<Digest160>();
        session.Rows(
            "DELETE FROM changes c USING (SELECT key, max(release) AS last FROM changes "
                + "WHERE topic = $1 AND key = ANY($2) AND release <= $3 GROUP BY key) n "
                + "WHERE c.topic = $1 AND c.key = n.key AND c.release <= n.last AND (c.release < n.last OR c.digest IS NULL) "
                + "RETURNING c.digest",
            [Parameter.Number(pruning.Topic), Parameter.Texts(keys), Parameter.Number(pruning.KeptFrom)],
            row =>
            {
                if (!row.IsDBNull(0))
                {
                    given.Add(PostgresReader.DigestAt(row, 0));
                }
            });
        return [.. given.Select(d => d.ToArray())];
    }
}
