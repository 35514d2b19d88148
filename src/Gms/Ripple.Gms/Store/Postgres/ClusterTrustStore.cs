using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// What the hosts of a cluster share besides the store: the sealed key of the authority, the certificates of all that sign, and where each
/// host is reached. Each call connects, and blocks.
/// </summary>
internal sealed class ClusterTrustStore(PostgresAddress address)
{
    private const string SessionName = "ripple-trust";
    private const int LockTimeoutMs = 5_000;

    /// <summary>A host that did not say for longer that it is there is no longer named.</summary>
    private const string SeenWithin = "interval '1 day'";

    /// <summary>The cluster whose store is in the database; null if none is, or is not named yet.</summary>
    /// <exception cref="StoreException">The database cannot be asked.</exception>
    public Guid? ReadCluster() => Ask<Guid?>(session =>
        session.Scalar(
            "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'settings'", Parameter.Text(PostgresSchema.Name)) is null
            || session.Scalar("SELECT bytes FROM settings WHERE name = 'cluster_id'") is not byte[] id
            ? null
            : new Guid(id, bigEndian: true));

    /// <summary>The authority of a cluster as its first host sealed it; null if none has.</summary>
    /// <exception cref="StoreException">The database cannot be asked.</exception>
    public byte[]? ReadAuthority(Guid cluster) => Ask(session =>
        session.Scalar("SELECT sealed FROM authority WHERE cluster = $1", new NpgsqlParameter { Value = cluster }) as byte[]);

    /// <summary>Stores the sealed authority, where there is none.</summary>
    /// <exception cref="StoreException">The database cannot be asked.</exception>
    public void AddAuthority(Guid cluster, byte[] sealedBytes) => Ask(session =>
    {
        session.Run(
            "INSERT INTO authority (cluster, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            new NpgsqlParameter { Value = cluster },
            Parameter.Bytes(sealedBytes));
        return 0;
    });

    /// <summary>Adds certificates of signers, in DER, and gives those of all hosts, each with its serial number.</summary>
    /// <exception cref="StoreException">The database cannot be asked.</exception>
    public IReadOnlyList<(string Serial, byte[] Der)> ShareSigners(IReadOnlyList<(string Serial, byte[] Der)> own) => Ask(session =>
    {
        var all = new List<(string Serial, byte[] Der)>();
        session.Run(own.Select(s => Parameter.Command(
            "INSERT INTO signers (serial, certificate) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            Parameter.Text(s.Serial),
            Parameter.Bytes(s.Der))));
        session.Rows(
            "SELECT serial, certificate FROM signers", [], row => all.Add((row.GetString(0), row.GetFieldValue<byte[]>(1))));
        return all;
    });

    /// <summary>Says that a host is there, and gives the endpoints of all that were seen in the last day, by name.</summary>
    /// <exception cref="StoreException">The database cannot be asked.</exception>
    public IReadOnlyList<(string Name, string Endpoint)> ShareEndpoint(string name, string endpoint) => Ask(session =>
    {
        var all = new List<(string Name, string Endpoint)>();
        session.Run(
            "INSERT INTO hosts (name, endpoint, seen) VALUES ($1, $2, clock_timestamp()) ON CONFLICT (name) DO UPDATE "
                + "SET endpoint = excluded.endpoint, seen = excluded.seen",
            Parameter.Text(name),
            Parameter.Text(endpoint));
        session.Rows(
            $"SELECT name, endpoint FROM hosts WHERE seen > clock_timestamp() - {SeenWithin} ORDER BY name",
            [],
            row => all.Add((row.GetString(0), row.GetString(1))));
        return all;
    });

    private T Ask<T>(Func<PostgresSession, T> ask)
    {
        try
        {
            using PostgresSession session = PostgresSession.Open(address, SessionName, LockTimeoutMs, isReadOnly: false);
            PostgresSchema.PrepareCluster(session);
            return ask(session);
        }
        catch (Exception e) when (PostgresSession.IsDatabase(e))
        {
            // Without the cause, whose message may quote what was connected with.
            throw new StoreException($"{address} does not tell what the hosts of its cluster share: {PostgresAddress.Describe(e)}.");
        }
    }
}
