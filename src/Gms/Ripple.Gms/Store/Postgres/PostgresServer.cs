namespace Ripple.Gms.Store.Postgres;

/// <summary>The server of a database, as it names itself.</summary>
/// <param name="System">The identifier that it got when it was made, and that its standbys have too; 0 if it is not told.</param>
/// <param name="Timeline">The number of its line of history, which grows with each failover; 0 if it is not told.</param>
internal readonly record struct PostgresServer(long System, uint Timeline);
