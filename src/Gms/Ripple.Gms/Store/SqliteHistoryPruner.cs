using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// Removes the oldest releases of an application inside an open transaction. Of what they changed, what is still so at the oldest release
/// that is kept stays, whatever its age: the states from there on are made of it.
/// </summary>
internal sealed class SqliteHistoryPruner(SqliteDatabase database, int publishHorizonCount)
{
    private readonly HashSet<Digest160> _given = [];

    public void Write(HistoryPruning pruning)
    {
        (ulong keptFrom, ulong newest) = Range(pruning.Topic);
        if (pruning.KeptFrom < keptFrom || pruning.KeptFrom > newest)
        {
            throw StoreRefusedException.Of(
                $"History from release {pruning.KeptFrom} on cannot be kept: releases {keptFrom} to {newest} are there. Name one of them.");
        }

        for (ulong release = keptFrom + 1; release <= pruning.KeptFrom; release++)
        {
            Supersede(pruning.Topic, release);
        }

        RemoveValues();
        RemoveReleases(pruning, newest);
    }

    private (ulong KeptFrom, ulong Newest) Range(uint topic)
    {
        using SqliteStatement find = database.Prepare(
            "SELECT history_from, coalesce((SELECT max(release) FROM releases WHERE topic = ?1), 0) FROM applications WHERE topic = ?1");
        return find.Bind(1, topic).Step()
            ? (find.UInt64(0), find.UInt64(1))
            : throw StoreRefusedException.Of($"There is no application with topic {topic}. Create it first.");
    }

    /// <summary>Removes the changes that a release puts others in place of, and those that it takes back.</summary>
    private void Supersede(uint topic, ulong release)
    {
        foreach (KeyChange change in Header(topic, release).Changes)
        {
            ulong last = change.Operation == KeyOperation.Remove ? release : release - 1;
            using (SqliteStatement find = database.Prepare("SELECT digest FROM changes WHERE topic = ? AND key = ? AND release <= ?"))
            {
                find.Bind(1, topic).Bind(2, change.Key).Bind(3, last);
                while (find.Step())
                {
                    if (!find.IsNull(0))
                    {
                        _given.Add(Digest160.Read(find.Blob(0)));
                    }
                }
            }

            using SqliteStatement remove = database.Prepare("DELETE FROM changes WHERE topic = ? AND key = ? AND release <= ?");
            remove.Bind(1, topic).Bind(2, change.Key).Bind(3, last).Run();
        }
    }

    private ReleaseHeader Header(uint topic, ulong release)
    {
        using SqliteStatement find = database.Prepare("SELECT header FROM releases WHERE topic = ? AND release = ?");
        return find.Bind(1, topic).Bind(2, release).Step() && ReleaseHeader.TryDecode(find.Blob(0), out ReleaseHeader? header)
            ? header
            : throw StoreRefusedException.Of($"The header of release {release} was changed in the store. Restore a backup.");
    }

    /// <summary>Removes the values that no release has any more, of this application or another.</summary>
    private void RemoveValues()
    {
        foreach (Digest160 digest in _given)
        {
            using SqliteStatement remove = database.Prepare(
                "DELETE FROM content WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM changes WHERE digest = ?1)");
            remove.Bind(1, digest.ToArray()).Run();
        }
    }

    /// <summary>Of the newest publishes what recognizes them stays, without what they released.</summary>
    private void RemoveReleases(HistoryPruning pruning, ulong newest)
    {
        using (SqliteStatement empty = database.Prepare(
            "UPDATE releases SET header = x'', signature = NULL WHERE topic = ?1 AND release < ?2 "
                + "AND release >= (SELECT history_from FROM applications WHERE topic = ?1)"))
        {
            empty.Bind(1, pruning.Topic).Bind(2, pruning.KeptFrom).Run();
        }

        ulong remembered = newest > (ulong)publishHorizonCount ? newest - (ulong)publishHorizonCount + 1 : 1;
        using (SqliteStatement remove = database.Prepare("DELETE FROM releases WHERE topic = ? AND release < ?"))
        {
            remove.Bind(1, pruning.Topic).Bind(2, Math.Min(pruning.KeptFrom, remembered)).Run();
        }

        using SqliteStatement keep = database.Prepare("UPDATE applications SET history_from = ? WHERE topic = ?");
        keep.Bind(1, pruning.KeptFrom).Bind(2, pruning.Topic).Run();
    }
}
