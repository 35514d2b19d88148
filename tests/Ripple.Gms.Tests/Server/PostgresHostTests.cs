using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Store;
using Ripple.Tests.Shared.Postgres;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>A host whose store is in a database.</summary>
public sealed class PostgresHostTests : IDisposable
{
    private readonly TempDirectory _directory = new();
    private readonly TempDirectory _secrets = new();
    private readonly PostgresTestServer _server;

    public PostgresHostTests(PostgresTestServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _server = server;
        server.StartOrSkip();
        Directory.CreateDirectory(_secrets.Path);
    }

    private string StoreFile => Path.Combine(_secrets.Path, "store.connection");

    public void Dispose()
    {
        _directory.Dispose();
        _secrets.Dispose();
    }

    [Fact]
    public async Task What_was_published_is_there_when_the_host_is_started_again_and_nothing_of_it_is_in_the_directory()
    {
        Write(_server.ConnectionString(_server.MakeDatabase()));
        string client;
        await using (HostHarness host = await StartAsync())
        {
            using RippleAdminClient admin = AdminOf(host.Admin);
            Assert.Equal(1UL, (await PublishAsync(admin, "1")).Release);
            Assert.StartsWith("ok\nstore in a database", await HealthAsync(host), StringComparison.Ordinal);
            client = host.Client.Token!.Id;
            Assert.False(File.Exists(host.Server.Directory.Store));
            Assert.True(OperatingSystem.IsWindows()
                || File.GetUnixFileMode(_directory.Path) == (UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute));
            Assert.DoesNotContain(host.Logs.Lines, l => l.Text.Contains("Username", StringComparison.Ordinal));
        }

        // Without the option another cluster would begin beside it, with the same authority.
        GmsServerException e = await Assert.ThrowsAsync<GmsServerException>(() => HostHarness.StartAsync(_directory.Path));
        Assert.Contains("--store-file", e.Message, StringComparison.Ordinal);
        await using HostHarness again = await StartAsync();
        Assert.Equal(client, again.Client.Token!.Id);
        await using (RealNode reader = await RealNode.StartAsync(
            again.Client, ClusterAuthority.Load(again.Server.Directory.Authority).Trust))
        {
            await ControlHarness.UntilAsync(() => !reader.Applied.IsEmpty, "a node is served what was published before");
        }

        using RippleAdminClient later = AdminOf(again.Admin);
        Assert.Equal(2UL, (await PublishAsync(later, "2")).Release);
        Assert.DoesNotContain(again.Logs.Lines, l => l.Id == LogEvents.StoreIsCopy);
    }

    [Fact]
    public async Task Publishes_are_refused_while_the_database_is_away_and_taken_when_it_is_back()
    {
        using var server = new PostgresTestServer();
        server.StartOrSkip();
        Write(server.ConnectionString(server.MakeDatabase()));
        await using HostHarness host = await StartAsync();
        using RippleAdminClient admin = AdminOf(host.Admin);
        Assert.Equal(1UL, (await PublishAsync(admin, "1")).Release);
        server.Kill();
        await ControlHarness.UntilAsync(
            async () => await TryPublishAsync(admin, "refused") == 0, "a publish is refused for the database that is away");
        Assert.StartsWith(
            "degraded: publishes are refused until the database takes them", await HealthAsync(host), StringComparison.Ordinal);
        await ControlHarness.UntilAsync(() => host.Logs.Lines.Any(l => l.Id == LogEvents.StoreAway), "the host says that it is away");
        Assert.True(server.Begin());
        await ControlHarness.UntilAsync(
            () => host.Logs.Lines.Any(l => l.Id == LogEvents.StoreRecovered), "the host says that it passed");
        // It leads again when its lease is renewed, which may be a second later.
        ulong release = 0;
        await ControlHarness.UntilAsync(async () => (release = await TryPublishAsync(admin, "2")) > 0, "a publish is taken again");
        Assert.Equal(2UL, release);
        Assert.StartsWith("ok\n", await HealthAsync(host), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_program_takes_a_store_file_and_its_commands_work_on_that_store()
    {
        Write(_server.ConnectionString(_server.MakeDatabase()));
        string[] store = ["--data", _directory.Path, "--store-file", StoreFile];
        using (HostProcess host = await HostProcess.StartAsync([.. store, "--listen", "127.0.0.1:0", "--health", "off"]))
        {
            (int second, string refused) = await HostProcess.RunAsync([.. store, "--listen", "127.0.0.1:0", "--health", "off"]);
            Assert.True(second == 1, refused);
            Assert.Contains("in use by another host", refused, StringComparison.Ordinal);
            (int code, string output) = await HostProcess.RunAsync(["token", "list", .. store]);
            Assert.True(code == 0, output);
            Assert.Contains(
                ConnectionString.ReadFile(new GmsDirectory(_directory.Path).AdminConnection).Token!.Id, output, StringComparison.Ordinal);
            await host.TerminateAsync();
            await host.EndAsync();
        }

        (int made, string text) = await HostProcess.RunAsync(["application", "create", "shop", .. store]);
        Assert.True(made == 0, text);
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        File.SetUnixFileMode(StoreFile, UnixFileMode.UserRead | UnixFileMode.GroupRead);
        (int open, string why) = await HostProcess.RunAsync(["audit", .. store]);
        Assert.Equal(1, open);
        Assert.Contains("by others than its owner", why, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_store_goes_from_the_directory_into_a_database_and_back_and_the_host_goes_on()
    {
        Write(_server.ConnectionString(_server.MakeDatabase()));
        string[] store = ["--data", _directory.Path, "--store-file", StoreFile];
        string client;
        await using (HostHarness file = await HostHarness.StartAsync(_directory.Path))
        {
            using RippleAdminClient admin = AdminOf(file.Admin);
            Assert.Equal(1UL, (await PublishAsync(admin, "1")).Release);
            Assert.Equal(2UL, (await PublishAsync(admin, "2")).Release);
            client = file.Client.Token!.Id;
            (int busy, string refused) = await HostProcess.RunAsync(["store", "copy", .. store]);
            Assert.True(busy == 1, refused);
            Assert.Contains("in use", refused, StringComparison.Ordinal);
        }

        (int there, string output) = await HostProcess.RunAsync(["store", "copy", .. store]);
        Assert.True(there == 0, output);
        await using (HostHarness database = await StartAsync())
        {
            using RippleAdminClient admin = AdminOf(database.Admin);
            Assert.Equal(3UL, (await PublishAsync(admin, "3")).Release);
            Assert.Equal(client, database.Client.Token!.Id);
            Assert.DoesNotContain(database.Logs.Lines, l => l.Id == LogEvents.StoreIsCopy);
        }

        (int back, string text) = await HostProcess.RunAsync(["store", "copy", "--back", .. store]);
        Assert.True(back == 0, text);
        await using HostHarness again = await HostHarness.StartAsync(_directory.Path);
        using RippleAdminClient last = AdminOf(again.Admin);
        Assert.Equal(4UL, (await PublishAsync(last, "4")).Release);
        Assert.Equal(client, again.Client.Token!.Id);
        Assert.DoesNotContain(again.Logs.Lines, l => l.Id == LogEvents.StoreIsCopy);
    }

    [Theory]
    [InlineData("-c", "fsync=off", "fsync=off")]
    [InlineData("-c", "synchronous_commit=off", "synchronous_commit=off")]
    public async Task A_server_that_does_not_keep_what_it_commits_is_refused(string option, string setting, string reason)
    {
        using var server = new PostgresTestServer { Settings = [option, setting] };
        server.StartOrSkip();
        Write(server.ConnectionString(server.MakeDatabase()));
        StoreException e = await Assert.ThrowsAsync<StoreException>(StartAsync);
        Assert.Contains(reason, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_password_that_is_wrong_is_refused_and_not_told()
    {
        Write(_server.ConnectionString(_server.MakeDatabase()) + "x;Password=s3cr3t");
        StoreException e = await Assert.ThrowsAsync<StoreException>(StartAsync);
        Assert.Contains("cannot be opened", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("s3cr3t", e.ToString(), StringComparison.Ordinal);
    }

    private static RippleAdminClient AdminOf(ConnectionString connection) => new(connection, new RippleAdminOptions { RetryCount = 0 });

    private static Task<PublishResult> PublishAsync(RippleAdminClient admin, string text) => admin.PublishAsync(
        "default", new PublishRequest { Set = [new KeyValue { Key = "a.txt", Text = text }] }, null, null, HostHarness.Cancel);

    /// <summary>The release; 0 if it was refused for the database.</summary>
    private static async Task<ulong> TryPublishAsync(RippleAdminClient admin, string text)
    {
        try
        {
            return (await PublishAsync(admin, text)).Release;
        }
        catch (RippleAdminException e)
        {
            // That it is away, that the lease was not renewed, or that it does not tell what became of a commit in which it went away.
            Assert.Contains("database", e.Message, StringComparison.Ordinal);
            return 0;
        }
    }

    private static async Task<string> HealthAsync(HostHarness host)
    {
        using var http = new HttpClient { BaseAddress = new Uri($"http://{host.Server.HealthAddress}") };
        return await http.GetStringAsync(new Uri("/health/ready", UriKind.Relative), HostHarness.Cancel);
    }

    private Task<HostHarness> StartAsync() => HostHarness.StartAsync(_directory.Path, o => o with { StoreFile = StoreFile });

    private void Write(string connectionString) => OwnerOnly.Write(StoreFile, connectionString);
}
