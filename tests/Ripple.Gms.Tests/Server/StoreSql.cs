using SQLitePCL;

namespace Ripple.Gms.Tests.Server;

/// <summary>Does to a store's file what no host would.</summary>
internal static class StoreSql
{
    public static void Run(string path, string sql)
    {
        Batteries_V2.Init();
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_open(path, out sqlite3 database));
        using (database)
        {
            raw.sqlite3_busy_timeout(database, 5_000);
            Assert.Equal(raw.SQLITE_OK, raw.sqlite3_exec(database, sql));
        }
    }

    /// <summary>Keeps everybody else from writing until it is disposed of; a host waits for some seconds.</summary>
    public static IDisposable Hold(string path)
    {
        Batteries_V2.Init();
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_open(path, out sqlite3 database));
        raw.sqlite3_busy_timeout(database, 5_000);
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_exec(database, "BEGIN IMMEDIATE"));
        return database;
    }
}
