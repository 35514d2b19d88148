using Npgsql;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <summary>What a release of an application is judged by.</summary>
/// <param name="Topic">Its topic number.</param>
/// <param name="Name">Its name.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="MembersFrom">The first release whose members are known.</param>
/// <param name="HistoryFrom">The oldest release whose history is kept.</param>
/// <param name="Newest">Its newest release; 0 before the first.</param>
/// <param name="NewestId">The id of that release.</param>
internal sealed record PostgresApplication(
    uint Topic, string Name, uint Generation, ulong MembersFrom, ulong HistoryFrom, ulong Newest, Digest160 NewestId)
{
    /// <summary>Reads topic, name, generation, the bounds of members and history, and the newest release with its id.</summary>
    public static PostgresApplication Read(NpgsqlDataReader row) => new(
        (uint)row.GetInt64(0),
        row.GetString(1),
        (uint)row.GetInt64(2),
        (ulong)row.GetInt64(3),
        (ulong)row.GetInt64(4),
        row.IsDBNull(5) ? 0 : (ulong)row.GetInt64(5),
        row.IsDBNull(6) ? default : PostgresReader.DigestAt(row, 6));
}
