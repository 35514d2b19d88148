using System.Collections.Immutable;
using Npgsql;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// What batches are judged by: the store's small tables as they are at a position, and of the large ones what was asked for. Immutable: a
/// batch that is refused leaves no trace in it.
/// </summary>
internal sealed record PostgresState
{
    /// <summary>The number of earlier marks that are kept.</summary>
    public const int EarlierMarksMax = 64;

    private const int MarkBytes = 16;

    /// <summary>How many transactions were committed before.</summary>
    public long Position { get; init; }

    /// <summary>The nonce of the newest of them; 0 if there was none.</summary>
    public long Nonce { get; init; }

    public Guid? ClusterId { get; init; }

    public uint SlotEpoch { get; init; }

    public uint GenerationMin { get; init; } = 1;

    public Guid? MarkId { get; init; }

    /// <summary>The ids of the marks before, the newest last.</summary>
    public ImmutableArray<Guid> EarlierMarks { get; init; } = [];

    public long TokensVersion { get; init; }

    public ImmutableDictionary<uint, PostgresApplication> Applications { get; init; } =
        ImmutableDictionary<uint, PostgresApplication>.Empty;

    /// <summary>Values that are in the store; of the others nothing is known.</summary>
    public ImmutableHashSet<Digest160> Contents { get; init; } = [];

    /// <summary>The ranges of the nodes that were asked for.</summary>
    public ImmutableDictionary<(uint Topic, NodeId Node), ImmutableList<(ulong First, ulong? Last)>> Members { get; init; } =
        ImmutableDictionary<(uint, NodeId), ImmutableList<(ulong, ulong?)>>.Empty;

    /// <summary>All tokens, if they were asked for.</summary>
    public ImmutableSortedDictionary<string, AccessToken> Tokens { get; init; } =
        ImmutableSortedDictionary.Create<string, AccessToken>(StringComparer.Ordinal);

    /// <summary>All revoked nodes, if they were asked for, the longest revoked first.</summary>
    public ImmutableSortedSet<(long TimeUnixMicros, NodeId Node)> RevokedByTime { get; init; } = [];

    /// <summary>The same, by node.</summary>
    public ImmutableHashSet<NodeId> Revoked { get; init; } = [];

    /// <summary>What the next group starts from: what was asked for one group is asked again for another.</summary>
    public PostgresState WithoutFacts() => this with
    {
        Contents = [],
        Members = ImmutableDictionary<(uint, NodeId), ImmutableList<(ulong, ulong?)>>.Empty,
        Tokens = ImmutableSortedDictionary.Create<string, AccessToken>(StringComparer.Ordinal),
        RevokedByTime = [],
        Revoked = [],
    };

    /// <summary>Reads the small tables, in one round trip.</summary>
    public static PostgresState Read(PostgresSession session, long position, long nonce)
    {
        var state = new PostgresState { Position = position, Nonce = nonce };
        ImmutableDictionary<uint, PostgresApplication>.Builder applications = state.Applications.ToBuilder();
        session.Read(
            [
                Parameter.Command("SELECT name, number, bytes FROM settings"),
                Parameter.Command("SELECT epoch FROM slot WHERE id = $1", Parameter.Int(PostgresSchema.Slot)),
                Parameter.Command(
                    "SELECT a.topic, a.name, a.generation, a.members_from, a.history_from, r.release, r.id FROM applications a LEFT JOIN "
                        + "LATERAL (SELECT release, id FROM releases WHERE topic = a.topic ORDER BY release DESC LIMIT 1) r ON true"),
            ],
            [
                reader =>
                {
                    while (reader.Read())
                    {
                        state = state.WithSetting(reader);
                    }
                },
                reader => state = reader.Read() ? state with { SlotEpoch = (uint)reader.GetInt64(0) } : state,
                reader =>
                {
                    while (reader.Read())
                    {
                        PostgresApplication application = PostgresApplication.Read(reader);
                        applications[application.Topic] = application;
                    }
                },
            ]);
        return state with { Applications = applications.ToImmutable() };
    }

    /// <summary>The application with a topic, or a refusal.</summary>
    public PostgresApplication Application(uint topic) => Applications.TryGetValue(topic, out PostgresApplication? application)
        ? application
        : throw StoreRefusedException.Of($"There is no application with topic {topic}. Create it first.");

    private PostgresState WithSetting(NpgsqlDataReader row) => row.GetString(0) switch
    {
        "cluster_id" => this with { ClusterId = new Guid(row.GetFieldValue<byte[]>(2), bigEndian: true) },
        "mark_id" => this with { MarkId = new Guid(row.GetFieldValue<byte[]>(2), bigEndian: true) },
        "earlier_marks" => this with
        {
            EarlierMarks = [.. row.GetFieldValue<byte[]>(2).Chunk(MarkBytes).Select(m => new Guid(m, bigEndian: true))],
        },
        "generation_min" => this with { GenerationMin = (uint)Math.Max(1, row.GetInt64(1)) },
        "tokens_version" => this with { TokensVersion = row.GetInt64(1) },
        _ => this,
    };
}
