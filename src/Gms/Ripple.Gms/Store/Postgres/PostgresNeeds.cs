using System.Collections.Immutable;
using Npgsql;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// What must be read before a group of batches can be judged, besides the small tables. Nothing, for the most common: releases that bring
/// their values, and audit entries.
/// </summary>
internal sealed class PostgresNeeds
{
    private readonly HashSet<Digest160> _contents = [];
    private readonly HashSet<(uint Topic, NodeId Node)> _members = [];
    private bool _tokens;
    private bool _revoked;

    /// <summary>True if a batch raises the slot epoch: nobody else may commit meanwhile.</summary>
    public bool RaisesEpoch { get; private set; }

    /// <summary>True if nothing is needed.</summary>
    public bool IsEmpty => _contents.Count == 0 && _members.Count == 0 && !_tokens && !_revoked && !RaisesEpoch;

    public void Add(CommitBatch batch)
    {
        RaisesEpoch |= batch.SlotEpoch is not null;
        _tokens |= batch.Tokens.Count > 0;
        _revoked |= batch.RevokedNodes.Count > 0;
        foreach (StoredRelease release in batch.Releases)
        {
            HashSet<Digest160> brought = [.. release.Bodies.Select(b => b.Digest)];
            _contents.UnionWith(
                release.Header.Changes.Where(c => c.Operation == KeyOperation.Set && !brought.Contains(c.Digest)).Select(c => c.Digest));
        }

        foreach (MembershipChange change in batch.Members)
        {
            _members.UnionWith(change.Left.Select(l => (change.Topic, l.Node)));
            _members.UnionWith(change.Joined.Select(m => (change.Topic, m.Node)));
        }
    }

    /// <summary>Adds the statements that read it, and for each what takes its answer.</summary>
    public void AddTo(List<NpgsqlBatchCommand> commands, List<Action<NpgsqlDataReader>> readers, PostgresFacts facts)
    {
        if (_contents.Count > 0)
        {
            commands.Add(Parameter.Command(
                "SELECT digest FROM content WHERE digest = ANY($1)", Parameter.Blocks([.. _contents.Select(d => d.ToArray())])));
            readers.Add(Each(row => facts.Contents.Add(PostgresReader.DigestAt(row, 0))));
        }

        if (_members.Count > 0)
        {
            commands.Add(Parameter.Command(
                "SELECT m.topic, m.node, m.first_release, m.last_release FROM unnest($1::bigint[], $2::bytea[]) AS w (topic, node) "
                    + "JOIN members m ON m.topic = w.topic AND m.node = w.node",
                Parameter.Numbers([.. _members.Select(m => (long)m.Topic)]),
                Parameter.Blocks([.. _members.Select(m => SqliteMemberWriter.Bytes(m.Node))])));
            readers.Add(Each(facts.AddMember));
        }

        if (_tokens)
        {
            commands.Add(Parameter.Command(PostgresReader.AllTokens));
            readers.Add(reader => facts.Tokens.AddRange(PostgresReader.ReadTokens(reader)));
        }

        if (_revoked)
        {
            commands.Add(Parameter.Command("SELECT node, time FROM revoked_nodes"));
            readers.Add(Each(
                row => facts.Revoked.Add((row.GetInt64(1), SqliteMemberWriter.NodeOf(row.GetFieldValue<byte[]>(0))))));
        }
    }

    private static Action<NpgsqlDataReader> Each(Action<NpgsqlDataReader> row) => reader =>
    {
        while (reader.Read())
        {
            row(reader);
        }
    };
}

/// <summary>What was read of it.</summary>
internal sealed class PostgresFacts
{
    private readonly Dictionary<(uint Topic, NodeId Node), ImmutableList<(ulong First, ulong? Last)>> _members = [];

    public List<Digest160> Contents { get; } = [];

    public List<AccessToken> Tokens { get; } = [];

    public List<(long TimeUnixMicros, NodeId Node)> Revoked { get; } = [];

    public void AddMember(NpgsqlDataReader row)
    {
        (uint, NodeId) key = ((uint)row.GetInt64(0), SqliteMemberWriter.NodeOf(row.GetFieldValue<byte[]>(1)));
        _members[key] = _members.GetValueOrDefault(key, []).Add(
            ((ulong)row.GetInt64(2), row.IsDBNull(3) ? null : (ulong)row.GetInt64(3)));
    }

    /// <summary>The state with these facts.</summary>
    public PostgresState Into(PostgresState state) => state.WithoutFacts() with
    {
        Contents = [.. Contents],
        Members = _members.ToImmutableDictionary(),
        Tokens = Tokens.ToImmutableSortedDictionary(t => t.Id, t => t, StringComparer.Ordinal),
        RevokedByTime = [.. Revoked],
        Revoked = [.. Revoked.Select(r => r.Node)],
    };
}
