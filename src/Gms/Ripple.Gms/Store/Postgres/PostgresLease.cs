using Npgsql;
using NpgsqlTypes;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// The lease of the store in a database: one row, by the database's clock, which one conditional statement takes when it has ended. Not in
/// the table that commits lock, so that renewals and commits never wait for each other. Used by one thread at a time; blocks, and throws
/// what <see cref="PostgresSession"/> throws.
/// </summary>
internal sealed class PostgresLease : IDisposable
{
    /// <summary>The name of its session, as the server lists it.</summary>
    public const string SessionName = "ripple-lease";

    private const int LockTimeoutMs = 1_000;
    private const int CommandTimeoutS = 2;

    private const string Until = "clock_timestamp() + $5 * interval '1 millisecond'";

    private const string Taking =
        $"INSERT INTO lease AS l (slot, holder, name, endpoint, until) VALUES ($1, $2, $3, $4, {Until}) ON CONFLICT (slot) DO UPDATE "
            + "SET holder = excluded.holder, name = excluded.name, endpoint = excluded.endpoint, until = excluded.until "
            + "WHERE l.until <= clock_timestamp() OR l.holder = excluded.holder";

    private const string Renewing =
        $"UPDATE lease SET name = $3, endpoint = $4, until = {Until} WHERE slot = $1 AND holder = $2 RETURNING 1";

    private const string Returning = "UPDATE lease SET until = clock_timestamp() WHERE slot = $1 AND holder = $2";

    private readonly PostgresSession _session;

    private PostgresLease(PostgresSession session) => _session = session;

    /// <summary>False once the connection is gone.</summary>
    public bool IsOpen => _session.IsOpen;

    /// <summary>Connects, and makes the tables of a cluster where they are missing.</summary>
    /// <exception cref="StoreException">The database is not one that a store may be in.</exception>
    public static PostgresLease Open(PostgresAddress address)
    {
        PostgresSession session = PostgresSession.Open(address, SessionName, LockTimeoutMs, isReadOnly: false, CommandTimeoutS);
        try
        {
            PostgresSchema.PrepareCluster(session);
            return new PostgresLease(session);
        }
        catch
        {
            session.Dispose();
            throw;
        }
    }

    /// <summary>Takes the lease if nobody has it, or this holder has; who has it then, and how long it is left.</summary>
    public (LeaseHolder Holder, int LeftMs) Take(LeaseHolder self, int leaseMs)
    {
        (LeaseHolder, int)? held = null;
        _session.Read(
            [
                Parameter.Command(Taking, Parameters(self, leaseMs)),
                Parameter.Command(
                    "SELECT holder, name, endpoint, (extract(epoch FROM until - clock_timestamp()) * 1000)::int FROM lease WHERE slot = $1",
                    Parameter.Int(PostgresSchema.Slot)),
            ],
            [reader =>
            {
                if (reader.Read())
                {
                    held = (new LeaseHolder(reader.GetGuid(0), reader.GetString(1), reader.GetString(2)), reader.GetInt32(3));
                }
            }]);
        return held ?? throw new NpgsqlException("The lease that was taken is not there.");
    }

    /// <summary>Renews the lease, also one that has ended and that nobody else has taken; false if another has it.</summary>
    public bool TryRenew(LeaseHolder self, int leaseMs) => _session.Scalar(Renewing, Parameters(self, leaseMs)) is not null;

    /// <summary>Gives the lease back, so that another may take it at once.</summary>
    public void Return(LeaseHolder self) =>
        _session.Run(Returning, Parameter.Int(PostgresSchema.Slot), HolderId(self));

    /// <inheritdoc/>
    public void Dispose() => _session.Dispose();

    private static NpgsqlParameter[] Parameters(LeaseHolder self, int leaseMs) =>
    [
        Parameter.Int(PostgresSchema.Slot),
        HolderId(self),
        Parameter.Text(self.Name),
        Parameter.Text(self.Endpoint),
        Parameter.Int(leaseMs),
    ];

    private static NpgsqlParameter HolderId(LeaseHolder self) => new() { NpgsqlDbType = NpgsqlDbType.Uuid, Value = self.Id };
}

/// <summary>Who has the lease: one run of a host.</summary>
/// <param name="Id">Random, of this run alone.</param>
/// <param name="Name">The host's name.</param>
/// <param name="Endpoint">The endpoint that nodes connect to; empty while nobody listens there as the leader.</param>
internal sealed record LeaseHolder(Guid Id, string Name, string Endpoint);
