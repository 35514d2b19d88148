using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <content>Releases, and who is a member from which of them on.</content>
internal sealed partial class PostgresPlan
{
    private void AddRelease(StoredRelease release)
    {
        ReleaseHeader header = release.Header;
        PostgresApplication application = State.Application(release.Topic);
        if (header.Release != application.Newest + 1 || header.PreviousId != application.NewestId)
        {
            throw StoreRefusedException.Of(
                $"{header} does not follow release {application.Newest} of the store. Append releases in order, each on the one before.");
        }

        if (header.Generation < application.Generation)
        {
            throw StoreRefusedException.Of(
                $"{header} is of generation {header.Generation}; the application is at {application.Generation}. Generations only grow.");
        }

        if (header.Generation > application.Generation)
        {
            RaiseGeneration(release.Topic, header.Generation);
        }

        ImmutableHashSet<Digest160> contents = State.Contents.Union(release.Bodies.Select(b => b.Digest));
        foreach (KeyChange change in header.Changes)
        {
            if (change.Operation == KeyOperation.Set && !contents.Contains(change.Digest))
            {
                throw new StoreRefusedException(
                    $"The value {change.Digest} that {header} gives to '{change.Key}' is neither in the store nor in the batch. "
                        + "Commit it with its bytes.");
            }
        }

        State = State with { Contents = contents };
        Set(State.Application(release.Topic) with { Newest = header.Release, NewestId = header.Id });
        Write(release);
    }

    private void Write(StoredRelease release)
    {
        ReleaseHeader header = release.Header;
        Before.Add(Parameter.Command(
            "INSERT INTO releases (topic, release, generation, id, publish_id, body_hash, time, actor, signature, header) "
                + "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            Parameter.Number(release.Topic),
            Parameter.Number(header.Release),
            Parameter.Number(header.Generation),
            Parameter.Bytes(header.Id.ToArray()),
            Parameter.Bytes(header.PublishId.ToByteArray(bigEndian: true)),
            Parameter.Bytes(release.PublishBodyHash.ToArray()),
            Parameter.Number(header.TimeUnixMicros),
            Parameter.Text(header.Actor),
            Parameter.Bytes(release.Signature.IsEmpty ? null : (ReadOnlyMemory<byte>?)release.Signature),
            Parameter.Bytes(header.Encode())));
        foreach (StoredBody body in release.Bodies)
        {
            Before.Add(Parameter.Command(
                "INSERT INTO content (digest, body) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                Parameter.Bytes(body.Digest.ToArray()),
                Parameter.Bytes(body.Bytes)));
        }

        KeyChange[] all = [.. header.Changes];
        if (all.Length > 0)
        {
            Before.Add(Parameter.Command(
                "INSERT INTO changes (topic, key, release, form, length, digest) "
                    + "SELECT $1, c.key, $2, c.form, c.length, c.digest FROM unnest($3, $4, $5, $6) AS c (key, form, length, digest)",
                Parameter.Number(release.Topic),
                Parameter.Number(header.Release),
                Parameter.Texts([.. all.Select(c => c.Key)]),
                Parameter.Ints([.. all.Select(c => c.Operation == KeyOperation.Set ? (int)c.Form : 0)]),
                Parameter.Ints([.. all.Select(c => c.Operation == KeyOperation.Set ? c.Length : 0)]),
                Parameter.Blocks([.. all.Select(c => c.Operation == KeyOperation.Set ? c.Digest.ToArray() : null)])));
        }

        KeyChange[] set = [.. all.Where(c => c.Operation == KeyOperation.Set)];
        if (set.Length > 0)
        {
            Before.Add(Parameter.Command(
                "INSERT INTO keys (topic, key, release, form, length, digest) "
                    + "SELECT $1, c.key, $2, c.form, c.length, c.digest FROM unnest($3, $4, $5, $6) AS c (key, form, length, digest) "
                    + "ON CONFLICT (topic, key) DO UPDATE SET release = excluded.release, form = excluded.form, "
                    + "length = excluded.length, digest = excluded.digest",
                Parameter.Number(release.Topic),
                Parameter.Number(header.Release),
                Parameter.Texts([.. set.Select(c => c.Key)]),
                Parameter.Ints([.. set.Select(c => (int)c.Form)]),
                Parameter.Ints([.. set.Select(c => c.Length)]),
                Parameter.Blocks([.. set.Select(c => c.Digest.ToArray())])));
        }

        if (set.Length < all.Length)
        {
            Before.Add(Parameter.Command(
                "DELETE FROM keys WHERE topic = $1 AND key = ANY($2)",
                Parameter.Number(release.Topic),
                Parameter.Texts([.. all.Where(c => c.Operation == KeyOperation.Remove).Select(c => c.Key)])));
        }
    }

    private void AddMembers(MembershipChange change)
    {
        PostgresApplication application = State.Application(change.Topic);
        ImmutableDictionary<(uint Topic, NodeId Node), ImmutableList<(ulong First, ulong? Last)>>.Builder members =
            State.Members.ToBuilder();
        foreach ((NodeId node, ulong last) in change.Left)
        {
            ImmutableList<(ulong First, ulong? Last)> ranges = members.GetValueOrDefault((change.Topic, node), []);
            int index = ranges.FindIndex(r => r.Last is null && r.First <= last + 1);
            if (index < 0)
            {
                throw StoreRefusedException.Of(
                    $"The node {node} is no member of the application with topic {change.Topic} at release {last}.");
            }

            // No release came while it was one: nothing is left of it.
            members[(change.Topic, node)] = ranges[index].First > last
                ? ranges.RemoveAt(index)
                : ranges.SetItem(index, (ranges[index].First, last));
        }

        foreach (StoredMember member in change.Joined)
        {
            ImmutableList<(ulong First, ulong? Last)> ranges = members.GetValueOrDefault((change.Topic, member.Node), []);
            if (ranges.Exists(r => r.Last is null || r.Last >= member.FirstRelease))
            {
                throw new StoreRefusedException(string.Create(
                    CultureInfo.InvariantCulture,
                    $"The node {member.Node} is a member of the application with topic {change.Topic} already "
                        + $"at release {member.FirstRelease}."));
            }

            members[(change.Topic, member.Node)] = ranges.Add((member.FirstRelease, null));
        }

        if (change.KnownFrom > 0)
        {
            foreach (((uint topic, NodeId node), ImmutableList<(ulong First, ulong? Last)> ranges) in members.ToArray())
            {
                if (topic == change.Topic)
                {
                    members[(topic, node)] = ranges.RemoveAll(r => r.Last < change.KnownFrom);
                }
            }

            Set(application with { MembersFrom = Math.Max(application.MembersFrom, change.KnownFrom) });
        }

        State = State with { Members = members.ToImmutable() };
        Write(change);
    }

    private void Write(MembershipChange change)
    {
        if (change.Left.Count > 0)
        {
            Before.Add(Parameter.Command(
                "UPDATE members m SET last_release = l.last FROM unnest($2::bytea[], $3::bigint[]) AS l (node, last) "
                    + "WHERE m.topic = $1 AND m.node = l.node AND m.last_release IS NULL",
                Parameter.Number(change.Topic),
                Parameter.Blocks([.. change.Left.Select(l => SqliteMemberWriter.Bytes(l.Node))]),
                Parameter.Numbers([.. change.Left.Select(l => (long)Math.Min(l.LastRelease, long.MaxValue))])));
            Before.Add(Parameter.Command(
                "DELETE FROM members WHERE topic = $1 AND node = ANY($2) AND last_release < first_release",
                Parameter.Number(change.Topic),
                Parameter.Blocks([.. change.Left.Select(l => SqliteMemberWriter.Bytes(l.Node))])));
        }

        if (change.Joined.Count > 0)
        {
            Before.Add(Parameter.Command(
                "INSERT INTO members (topic, node, first_release, about) "
                    + "SELECT $1, j.node, j.first_release, j.about FROM unnest($2, $3, $4) AS j (node, first_release, about)",
                Parameter.Number(change.Topic),
                Parameter.Blocks([.. change.Joined.Select(m => SqliteMemberWriter.Bytes(m.Node))]),
                Parameter.Numbers([.. change.Joined.Select(m => (long)m.FirstRelease)]),
                Parameter.Blocks([.. change.Joined.Select(m => m.EncodeAbout())])));
        }

        if (change.KnownFrom > 0)
        {
            Before.Add(Parameter.Command(
                "UPDATE applications SET members_from = $1 WHERE topic = $2 AND members_from <= $1",
                Parameter.Number(change.KnownFrom),
                Parameter.Number(change.Topic)));
            Before.Add(Parameter.Command(
                "DELETE FROM members WHERE topic = $1 AND last_release < $2",
                Parameter.Number(change.Topic),
                Parameter.Number(change.KnownFrom)));
        }
    }
}
