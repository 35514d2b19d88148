using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// The fence: every transaction that commits locks its slot's row first, and commits nothing if the slot's epoch is above the one of the
/// host that sent it. A takeover raises the epoch, and so waits for commits under way and ends all later ones, whatever clocks do.
/// </summary>
internal static class PostgresFence
{
    // Division by zero ends the transaction, and with it all of the round trip that is behind.
    private const string Judge =
        "WITH s AS (SELECT epoch FROM slot WHERE id = $1 FOR SHARE) SELECT 1 / count(*) FILTER (WHERE epoch <= $2) FROM s";

    /// <summary>Judges in the database: the transaction ends here if the slot's epoch is above this one.</summary>
    public static NpgsqlBatchCommand Refusing(uint epoch) =>
        Parameter.Command(Judge, Parameter.Int(PostgresSchema.Slot), Parameter.Number(epoch));

    /// <summary>Locks the slot and answers its epoch, for a transaction that reads before it writes.</summary>
    /// <param name="isRaised">Whether the transaction will raise it.</param>
    public static NpgsqlBatchCommand Locking(bool isRaised) => Parameter.Command(
        isRaised ? "SELECT epoch FROM slot WHERE id = $1 FOR UPDATE" : "SELECT epoch FROM slot WHERE id = $1 FOR SHARE",
        Parameter.Int(PostgresSchema.Slot));
}
