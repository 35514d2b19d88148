using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <content>What a host needs at its start: a statement for each table, whatever the number of applications.</content>
internal sealed partial class PostgresReader
{
    public HostState Load(int publishHorizonCount) => InTransaction(() =>
    {
        PostgresState state = PostgresState.Read(session, 0, 0);
        Dictionary<uint, ReleaseRecord> newest = [];
        session.Rows(
            "SELECT r.release, r.header, r.signature, r.id, a.topic FROM applications a CROSS JOIN LATERAL "
                + "(SELECT release, header, signature, id FROM releases WHERE topic = a.topic ORDER BY release DESC LIMIT 1) r",
            [],
            row => newest[(uint)row.GetInt64(4)] = Record(row));
        ILookup<uint, StoredKey> keys = Keys();
        ILookup<uint, StoredPublish> publishes = Publishes(publishHorizonCount);
        ILookup<uint, StoredMember> members = Members();
        StoredApplication[] applications =
        [
            .. state.Applications.Values.OrderBy(a => a.Topic).Select(a =>
            {
                ReleaseRecord? release = newest.GetValueOrDefault(a.Topic);
                return new StoredApplication(
                    a.Topic,
                    a.Name,
                    a.Generation,
                    release is null ? null : Decode(release),
                    release?.Signature ?? default,
                    [.. keys[a.Topic]],
                    [.. publishes[a.Topic]])
                {
                    Members = [.. members[a.Topic]],
                    MembersFrom = a.MembersFrom,
                    HistoryFrom = a.HistoryFrom,
                };
            }),
        ];
        return new HostState(
            (int)(long)session.Scalar("SELECT number FROM settings WHERE name = 'format_version'")!,
            state.ClusterId,
            state.SlotEpoch,
            applications,
            Tokens(),
            state.TokensVersion,
            state.GenerationMin)
        {
            RevokedNodes = RevokedNodes(),
        };
    });

    /// <summary>Whether a release is the one with this id; also true of one that is kept no more.</summary>
    public bool Has(uint topic, ulong release, Digest160 id)
    {
        bool has = false;
        session.Rows(
            "SELECT id FROM releases WHERE topic = $1 AND release = $2 "
                + "UNION ALL SELECT NULL FROM applications WHERE topic = $1 AND history_from > $2",
            [Parameter.Number(topic), Parameter.Number(release)],
            row => has |= row.IsDBNull(0) || DigestAt(row, 0) == id);
        return has;
    }

    private ILookup<uint, StoredKey> Keys()
    {
        var keys = new List<(uint Topic, StoredKey Key)>();
        session.Rows(
            "SELECT key, release, form, length, digest, topic FROM keys ORDER BY topic, key",
            [],
            row => keys.Add(((uint)row.GetInt64(5), new StoredKey(row.GetString(0), Entry(row), (ulong)row.GetInt64(1)))));
        return keys.ToLookup(k => k.Topic, k => k.Key);
    }

    private ILookup<uint, StoredPublish> Publishes(int horizonCount)
    {
        var publishes = new List<(uint Topic, StoredPublish Publish)>();
        session.Rows(
            "SELECT r.publish_id, r.body_hash, r.release, r.generation, r.id, r.actor, r.time, a.topic "
                + "FROM applications a CROSS JOIN LATERAL (SELECT publish_id, body_hash, release, generation, id, actor, time "
                + "FROM releases WHERE topic = a.topic ORDER BY release DESC LIMIT $1) r ORDER BY a.topic, r.release",
            [Parameter.Int(horizonCount)],
            row => publishes.Add(((uint)row.GetInt64(7), new StoredPublish(
                new(row.GetFieldValue<byte[]>(0), bigEndian: true),
                DigestAt(row, 1),
                (ulong)row.GetInt64(2),
                (uint)row.GetInt64(3),
                DigestAt(row, 4),
                row.GetString(5),
                row.GetInt64(6)))));
        return publishes.ToLookup(p => p.Topic, p => p.Publish);
    }

    private ILookup<uint, StoredMember> Members()
    {
        var members = new List<(uint Topic, StoredMember Member)>();
        session.Rows(
            "SELECT topic, node, first_release, last_release, about FROM members ORDER BY topic, node, first_release",
            [],
            row => members.Add(((uint)row.GetInt64(0), StoredMember.Decode(
                SqliteMemberWriter.NodeOf(row.GetFieldValue<byte[]>(1)),
                row.GetFieldValue<byte[]>(4),
                (ulong)row.GetInt64(2),
                row.IsDBNull(3) ? null : (ulong)row.GetInt64(3)))));
        return members.ToLookup(m => m.Topic, m => m.Member);
    }
}
