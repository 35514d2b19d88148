using Ripple.Gms.Placement;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Tests.Store;

/// <summary>Hosts that lead one database in turn, each with a mark in its own directory.</summary>
public sealed class ClusterMarkTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-marks-").FullName;
    private readonly PostgresTestServer _server;
    private readonly string _database;

    public ClusterMarkTests(PostgresTestServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _server = server;
        server.StartOrSkip();
        _database = server.MakeDatabase();
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_host_that_never_led_begins_with_what_the_database_says_and_one_that_lost_its_mark_does_not()
    {
        Assert.Null(Lead("one", isNewHere: true));
        Assert.Null(Lead("two", isNewHere: true));
        Assert.Null(Lead("one"));
        Assert.Null(Lead("two"));
        File.Delete(PathOf("two") + ".mark");
        Assert.Contains("the mark that was beside it is missing", Lead("two"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_copy_is_found_once_whichever_host_leads_then()
    {
        Lead("one", isNewHere: true);
        Lead("two", isNewHere: true);
        string backup = _server.Copy(_database);
        Lead("one");
        Lead("two");
        _server.Replace(_database, backup);
        Assert.Contains("slot epoch", Lead("one"), StringComparison.Ordinal);
        // It had seen more than the backup too; what it missed is that this was found.
        Assert.Null(Lead("two"));
        Assert.Null(Lead("one"));
        Assert.Null(Lead("two"));
    }

    [Fact]
    public void A_host_that_missed_a_copy_still_finds_the_next_one()
    {
        Lead("one", isNewHere: true);
        Lead("two", isNewHere: true);
        string backup = _server.Copy(_database);
        Lead("one");
        _server.Replace(_database, backup);
        Assert.NotNull(Lead("one"));
        Assert.Null(Lead("two"));
        string later = _server.Copy(_database);
        Lead("two");
        _server.Replace(_database, later);
        Assert.Contains("slot epoch", Lead("two"), StringComparison.Ordinal);
    }

    private string PathOf(string host) => Path.Combine(_folder, host, "database");

    /// <summary>A host opens the store and begins, as a takeover does, and ends; what it found the store to be a copy of.</summary>
    private string? Lead(string host, bool isNewHere = false)
    {
        using var store = new PostgresHostStore(
            _server.Address(_database), PathOf(host), new HostStoreOptions { IsNewHere = isNewHere });
        HostState state = store.Load();
        GmsStart start = GmsStart.Plan(state, unixMicros: 0);
        store.CommitAsync(start.Batch).GetAwaiter().GetResult();
        return state.Copy?.Reason;
    }
}
