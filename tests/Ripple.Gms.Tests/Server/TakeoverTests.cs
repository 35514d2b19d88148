using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Store;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>Several hosts on one database: one leads, another takes over when it is gone.</summary>
public sealed class TakeoverTests : IDisposable
{
    private readonly TempDirectory _one = new();
    private readonly TempDirectory _two = new();
    private readonly TempDirectory _secrets = new();

    private readonly PostgresTestServer _server;

    public TakeoverTests(PostgresTestServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _server = server;
        server.StartOrSkip();
        Directory.CreateDirectory(_secrets.Path);
        File.WriteAllText(StoreFile, server.ConnectionString(server.MakeDatabase()));
        OwnerOnly(StoreFile);
    }

    private string StoreFile => Path.Combine(_secrets.Path, "store.connection");

    public void Dispose()
    {
        _one.Dispose();
        _two.Dispose();
        _secrets.Dispose();
    }

    [Fact]
    public async Task A_standby_takes_over_with_the_trust_the_tokens_and_the_releases_and_gives_back_when_it_stops()
    {
        HostHarness one = await StartAsync(_one, "one");
        Assert.Equal(1UL, (await PublishAsync(one.Admin, "1")).Release);
        ConnectionString admin = one.Admin;
        ConnectionString client = one.Client;
        GiveKey();
        (Task<HostHarness> starting, LineLogs logs) = Begin(_two, "two");
        await ControlHarness.UntilAsync(() => logs.Lines.Any(l => l.Id == LogEvents.StandingBy), "it says that it stands by");
        Assert.Contains("'one' at", logs.Lines.First(l => l.Id == LogEvents.StandingBy).Text, StringComparison.Ordinal);
        await one.DisposeAsync();

        HostHarness two = await starting;
        using (var made = ClusterAuthority.Load(one.Server.Directory.Authority))
        {
            Assert.Equal(made.ClusterId, two.Server.ClusterId);
        }

        await using (RealNode reader = await RealNode.StartAsync(
            At(client, two), ClusterAuthority.Load(two.Server.Directory.Authority).Trust))
        {
            // It was signed by the other host's key.
            await ControlHarness.UntilAsync(() => reader.Applied.ContainsKey(1), "a node verifies what the former leader signed");
        }

        Assert.Equal(2UL, (await PublishAsync(At(admin, two), "2")).Release);
        Assert.DoesNotContain(logs.Lines, l => l.Id == LogEvents.StoreIsCopy);
        (Task<HostHarness> back, LineLogs backLogs) = Begin(_one, "one");
        await ControlHarness.UntilAsync(() => backLogs.Lines.Any(l => l.Id == LogEvents.StandingBy), "the former leader stands by");
        await two.DisposeAsync();
        await using HostHarness again = await back;
        Assert.Equal(3UL, (await PublishAsync(At(admin, again), "3")).Release);
        Assert.DoesNotContain(backLogs.Lines, l => l.Id == LogEvents.StoreIsCopy);
        // Where another was seen, connection strings name it: it had no fixed port before it led.
        Assert.Equal([again.Server.Endpoint, two.Server.Endpoint], again.Admin.Endpoints);
    }

    [Fact]
    public async Task Without_the_cluster_key_or_with_another_nothing_is_made()
    {
        await (await StartAsync(_one, "one")).DisposeAsync();
        GmsServerException missing = await Assert.ThrowsAsync<GmsServerException>(() => StartAsync(_two, "two"));
        Assert.Contains("cluster.key", missing.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(new GmsDirectory(_two.Path).Authority));
        File.WriteAllText(new GmsDirectory(_two.Path).ClusterKey, new string('a', 64));
        OwnerOnly(new GmsDirectory(_two.Path).ClusterKey);
        GmsServerException wrong = await Assert.ThrowsAsync<GmsServerException>(() => StartAsync(_two, "two"));
        Assert.Contains("is not the key of the cluster", wrong.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(new GmsDirectory(_two.Path).Authority));
        GiveKey();
        await using HostHarness two = await StartAsync(_two, "two");
        Assert.Equal(1UL, (await PublishAsync(two.Admin, "1")).Release);
    }

    [Fact]
    public async Task A_standby_without_the_key_says_so_while_the_leader_is_alive_and_one_that_was_prepared_and_started_again_is_no_copy()
    {
        HostHarness one = await StartAsync(_one, "one");
        GmsServerException missing = await Assert.ThrowsAsync<GmsServerException>(() => StartAsync(_two, "two"));
        Assert.Contains("cluster.key", missing.Message, StringComparison.Ordinal);
        GiveKey();
        using (var stop = new CancellationTokenSource())
        {
            Task<GmsServer> prepared = GmsServer.StartAsync(Options(_two, "two"), new LineLogs(), stop.Token);
            await ControlHarness.UntilAsync(
                () => File.Exists(new GmsDirectory(_two.Path).Signer), "it has made what a takeover needs");
            await stop.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => prepared);
        }

        (Task<HostHarness> starting, LineLogs logs) = Begin(_two, "two");
        await ControlHarness.UntilAsync(() => logs.Lines.Any(l => l.Id == LogEvents.StandingBy), "it stands by");
        await one.DisposeAsync();
        await using HostHarness two = await starting;
        Assert.Equal(1UL, (await PublishAsync(two.Admin, "1")).Release);
        Assert.DoesNotContain(logs.Lines, l => l.Id == LogEvents.StoreIsCopy);
    }

    [Fact]
    public async Task A_standby_says_by_its_health_that_it_is_alive_and_not_for_nodes()
    {
        await using HostHarness one = await StartAsync(_one, "one");
        GiveKey();
        int port = TestPorts.Tcp();
        using var stop = new CancellationTokenSource();
        Task<GmsServer> starting = GmsServer.StartAsync(
            Options(_two, "two") with { HealthAddress = new(System.Net.IPAddress.Loopback, port) }, new LineLogs(), stop.Token);
        using var http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        await ControlHarness.UntilAsync(
            async () => await StatusAsync(http, "/health/ready") is (503, var text)
                && text.StartsWith("standby: 'one' leads at", StringComparison.Ordinal),
            "it says who leads");
        Assert.Equal((200, "ok"), await StatusAsync(http, "/health/live"));
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => starting);
        Assert.False(one.Server.Completion.IsCompleted);
    }

    [Fact]
    public async Task A_leader_that_is_killed_is_followed_by_a_standby_and_one_that_was_stopped_finds_itself_replaced()
    {
        using HostProcess one = await HostProcess.StartAsync(Arguments(_one, "one"));
        Assert.Equal(1UL, (await PublishAsync(AdminOf(_one), "1")).Release);
        GiveKey();
        using HostProcess two = HostProcess.Begin(Arguments(_two, "two"));
        await ControlHarness.UntilAsync(() => two.Output.Contains("stands by", StringComparison.Ordinal), "the second stands by");
        await one.SignalAsync("STOP");
        await two.ReadyAsync();
        Assert.Equal(2UL, (await PublishAsync(AdminOf(_two), "2")).Release);

        await one.SignalAsync("CONT");
        // Its connections and what it had read are those of before: it must not answer from them.
        await Assert.ThrowsAnyAsync<RippleAdminException>(() => PublishAsync(AdminOf(_one), "never"));
        await ControlHarness.UntilAsync(
            () => one.Output.Contains("stands by: 'two'", StringComparison.Ordinal), "the former leader stands by");
        await two.SignalAsync("KILL");
        await ControlHarness.UntilAsync(() => one.ReadyCount == 2, "it leads again");
        Assert.Equal(3UL, (await PublishAsync(AdminOf(_one), "3")).Release);
        Assert.DoesNotContain("is a copy", one.Output + two.Output, StringComparison.Ordinal);
        await one.SignalAsync("TERM");
        Assert.Equal(0, (await one.EndAsync()).ExitCode);
    }

    [Fact]
    public async Task A_leader_that_is_cut_off_from_the_database_stands_by_until_it_is_back_and_does_not_end()
    {
        using var cable = new PostgresCable(_server.SocketPath);
        string cut = Path.Combine(_secrets.Path, "cut.connection");
        File.WriteAllText(cut, File.ReadAllText(StoreFile).Replace(
            Path.GetDirectoryName(_server.SocketPath)!, cable.Host, StringComparison.Ordinal));
        OwnerOnly(cut);
        using HostProcess one = await HostProcess.StartAsync(Arguments(_one, "one", cut));
        GiveKey();
        using HostProcess two = HostProcess.Begin(Arguments(_two, "two", port: TestPorts.Tcp()));
        await ControlHarness.UntilAsync(() => two.Output.Contains("stands by", StringComparison.Ordinal), "the second stands by");
        // The leader looks each ten seconds where the others are.
        await ControlHarness.UntilAsync(() => AdminOf(_one).Endpoints.Count == 2, "the leader knows where the second is");
        cable.Cut();
        await two.ReadyAsync();
        await ControlHarness.UntilAsync(
            () => one.Output.Contains($"[{LogEvents.LeaseLost}]", StringComparison.Ordinal), "the first sees that the second leads");
        await ControlHarness.UntilAsync(
            () => one.Output.Split($"[{LogEvents.LeaseUnknown}]").Length >= 3, "it asks again, and says that the database is away");
        cable.Mend();
        await ControlHarness.UntilAsync(
            () => one.Output.Contains("stands by: 'two'", StringComparison.Ordinal), "it stands by");
        await two.SignalAsync("KILL");
        await ControlHarness.UntilAsync(() => one.ReadyCount == 2, "it leads again");
        await one.SignalAsync("TERM");
        Assert.Equal(0, (await one.EndAsync()).ExitCode);
    }

    private static async Task<(int Code, string Text)> StatusAsync(HttpClient http, string path)
    {
        try
        {
            using HttpResponseMessage response = await http.GetAsync(new Uri(path, UriKind.Relative), HostHarness.Cancel);
            return ((int)response.StatusCode, (await response.Content.ReadAsStringAsync(HostHarness.Cancel)).TrimEnd());
        }
        catch (HttpRequestException)
        {
            return (0, "");
        }
    }

    private static ConnectionString AdminOf(TempDirectory directory) =>
        ConnectionString.ReadFile(new GmsDirectory(directory.Path).AdminConnection);

    /// <summary>The same credential at another host.</summary>
    private static ConnectionString At(ConnectionString connection, HostHarness host) =>
        ConnectionFile.Make([host.Server.Endpoint], connection.Authority, connection.Token!, connection.Application);

    private static async Task<PublishResult> PublishAsync(ConnectionString connection, string text)
    {
        using var admin = new RippleAdminClient(connection, new RippleAdminOptions { RetryCount = 0 });
        return await admin.PublishAsync(
            "default", new PublishRequest { Set = [new KeyValue { Key = "a.txt", Text = text }] }, null, null, HostHarness.Cancel);
    }

    private static void OwnerOnly(string path)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }
    }

    private GmsServerOptions Options(TempDirectory directory, string name) =>
        HostHarness.Options(directory.Path) with { StoreFile = StoreFile, Name = name };

    private string[] Arguments(TempDirectory directory, string name, string? storeFile = null, int port = 0) =>
    [
        "--data", directory.Path, "--store-file", storeFile ?? StoreFile, "--listen", $"127.0.0.1:{port}", "--health", "off",
        "--name", name,
    ];

    private Task<HostHarness> StartAsync(TempDirectory directory, string name) => Begin(directory, name).Starting;

    private (Task<HostHarness> Starting, LineLogs Logs) Begin(TempDirectory directory, string name)
    {
        var logs = new LineLogs();
        return (HostHarness.StartAsync(Options(directory, name), logs), logs);
    }

    /// <summary>What an operator does for a further host.</summary>
    private void GiveKey()
    {
        Directory.CreateDirectory(_two.Path);
        File.Copy(new GmsDirectory(_one.Path).ClusterKey, new GmsDirectory(_two.Path).ClusterKey, overwrite: true);
        OwnerOnly(new GmsDirectory(_two.Path).ClusterKey);
    }
}
