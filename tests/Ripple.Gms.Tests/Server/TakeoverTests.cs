using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Store;
using Ripple.Tests.Shared.Postgres;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>Several hosts on one database: one leads, another takes over when it is gone.</summary>
public sealed class TakeoverTests : IDisposable
{
    private readonly PostgresTestServer _server;
    private readonly HostPair _pair;

    public TakeoverTests(PostgresTestServer server)
    {
        _server = server;
        _pair = new HostPair(server);
    }

    public void Dispose() => _pair.Dispose();

    [Fact]
    public async Task A_standby_takes_over_with_the_trust_the_tokens_and_the_releases_and_gives_back_when_it_stops()
    {
        HostHarness one = await _pair.StartAsync(_pair.One, "one");
        Assert.Equal(1UL, (await PublishAsync(one.Admin, "1")).Release);
        ConnectionString admin = one.Admin;
        ConnectionString client = one.Client;
        _pair.GiveKey();
        (Task<HostHarness> starting, LineLogs logs) = _pair.Begin(_pair.Two, "two");
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
        (Task<HostHarness> back, LineLogs backLogs) = _pair.Begin(_pair.One, "one");
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
        await (await _pair.StartAsync(_pair.One, "one")).DisposeAsync();
        GmsServerException missing = await Assert.ThrowsAsync<GmsServerException>(() => _pair.StartAsync(_pair.Two, "two"));
        Assert.Contains("cluster.key", missing.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(new GmsDirectory(_pair.Two.Path).Authority));
        OwnerOnly.Write(new GmsDirectory(_pair.Two.Path).ClusterKey, new string('a', 64));
        GmsServerException wrong = await Assert.ThrowsAsync<GmsServerException>(() => _pair.StartAsync(_pair.Two, "two"));
        Assert.Contains("is not the key of the cluster", wrong.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(new GmsDirectory(_pair.Two.Path).Authority));
        _pair.GiveKey();
        await using HostHarness two = await _pair.StartAsync(_pair.Two, "two");
        Assert.Equal(1UL, (await PublishAsync(two.Admin, "1")).Release);
    }

    [Fact]
    public async Task A_standby_without_the_key_says_so_while_the_leader_is_alive_and_one_that_was_prepared_and_started_again_is_no_copy()
    {
        HostHarness one = await _pair.StartAsync(_pair.One, "one");
        GmsServerException missing = await Assert.ThrowsAsync<GmsServerException>(() => _pair.StartAsync(_pair.Two, "two"));
        Assert.Contains("cluster.key", missing.Message, StringComparison.Ordinal);
        _pair.GiveKey();
        using (var stop = new CancellationTokenSource())
        {
            Task<GmsServer> prepared = GmsServer.StartAsync(_pair.Options(_pair.Two, "two"), new LineLogs(), stop.Token);
            await ControlHarness.UntilAsync(
                () => File.Exists(new GmsDirectory(_pair.Two.Path).Signer), "it has made what a takeover needs");
            await stop.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => prepared);
        }

        (Task<HostHarness> starting, LineLogs logs) = _pair.Begin(_pair.Two, "two");
        await ControlHarness.UntilAsync(() => logs.Lines.Any(l => l.Id == LogEvents.StandingBy), "it stands by");
        await one.DisposeAsync();
        await using HostHarness two = await starting;
        Assert.Equal(1UL, (await PublishAsync(two.Admin, "1")).Release);
        Assert.DoesNotContain(logs.Lines, l => l.Id == LogEvents.StoreIsCopy);
    }

    [Fact]
    public async Task A_standby_that_cannot_open_the_store_when_it_takes_over_stands_by_again_and_leads_when_it_can()
    {
        using HostProcess one = await HostProcess.StartAsync(_pair.Arguments(_pair.One, "one"));
        _pair.GiveKey();
        using HostProcess two = HostProcess.Begin(_pair.Arguments(_pair.Two, "two"));
        await ControlHarness.UntilAsync(() => two.Output.Contains("stands by", StringComparison.Ordinal), "the second stands by");
        _server.Run(_pair.Database, "UPDATE ripple.settings SET number = number + 1000 WHERE name = 'format_version'");
        await one.SignalAsync("KILL");
        await ControlHarness.UntilAsync(
            () => two.Output.Contains("was to lead, and could not", StringComparison.Ordinal), "it could not take over");
        _server.Run(_pair.Database, "UPDATE ripple.settings SET number = number - 1000 WHERE name = 'format_version'");
        await two.ReadyAsync();
        await two.SignalAsync("TERM");
        Assert.Equal(0, (await two.EndAsync()).ExitCode);
    }

    [Fact]
    public async Task A_standby_says_by_its_health_that_it_is_alive_and_not_for_nodes()
    {
        await using HostHarness one = await _pair.StartAsync(_pair.One, "one");
        _pair.GiveKey();
        int port = TestPorts.Tcp();
        using var stop = new CancellationTokenSource();
        Task<GmsServer> starting = GmsServer.StartAsync(
            _pair.Options(_pair.Two, "two") with { HealthAddress = new(System.Net.IPAddress.Loopback, port) }, new LineLogs(), stop.Token);
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
        using HostProcess one = await HostProcess.StartAsync(_pair.Arguments(_pair.One, "one"));
        Assert.Equal(1UL, (await PublishAsync(HostPair.AdminOf(_pair.One), "1")).Release);
        _pair.GiveKey();
        using HostProcess two = HostProcess.Begin(_pair.Arguments(_pair.Two, "two"));
        await ControlHarness.UntilAsync(() => two.Output.Contains("stands by", StringComparison.Ordinal), "the second stands by");
        await one.SignalAsync("STOP");
        await two.ReadyAsync();
        Assert.Equal(2UL, (await PublishAsync(HostPair.AdminOf(_pair.Two), "2")).Release);

        await one.SignalAsync("CONT");
        // Its connections and what it had read are those of before: it must not answer from them.
        await Assert.ThrowsAnyAsync<RippleAdminException>(() => PublishAsync(HostPair.AdminOf(_pair.One), "never"));
        await ControlHarness.UntilAsync(
            () => one.Output.Contains("stands by: 'two'", StringComparison.Ordinal), "the former leader stands by");
        await two.SignalAsync("KILL");
        await ControlHarness.UntilAsync(() => one.ReadyCount == 2, "it leads again");
        Assert.Equal(3UL, (await PublishAsync(HostPair.AdminOf(_pair.One), "3")).Release);
        Assert.DoesNotContain("is a copy", one.Output + two.Output, StringComparison.Ordinal);
        await one.SignalAsync("TERM");
        Assert.Equal(0, (await one.EndAsync()).ExitCode);
    }

    [Fact]
    public async Task A_leader_that_is_cut_off_from_the_database_stands_by_until_it_is_back_and_does_not_end()
    {
        using var cable = new PostgresCable(_server.SocketPath);
        string cut = _pair.WriteStoreFile("cut", File.ReadAllText(_pair.StoreFile).Replace(
            Path.GetDirectoryName(_server.SocketPath)!, cable.Host, StringComparison.Ordinal));
        using HostProcess one = await HostProcess.StartAsync(_pair.Arguments(_pair.One, "one", cut));
        _pair.GiveKey();
        using HostProcess two = HostProcess.Begin(_pair.Arguments(_pair.Two, "two", port: TestPorts.Tcp()));
        await ControlHarness.UntilAsync(() => two.Output.Contains("stands by", StringComparison.Ordinal), "the second stands by");
        // The leader looks each ten seconds where the others are.
        await ControlHarness.UntilAsync(() => HostPair.AdminOf(_pair.One).Endpoints.Count == 2, "the leader knows where the second is");
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

    /// <summary>The same credential at another host.</summary>
    private static ConnectionString At(ConnectionString connection, HostHarness host) =>
        ConnectionFile.Make([host.Server.Endpoint], connection.Authority, connection.Token!, connection.Application);

    private static async Task<PublishResult> PublishAsync(ConnectionString connection, string text)
    {
        using var admin = new RippleAdminClient(connection, new RippleAdminOptions { RetryCount = 0 });
        return await admin.PublishAsync(
            "default", new PublishRequest { Set = [new KeyValue { Key = "a.txt", Text = text }] }, null, null, HostHarness.Cancel);
    }
}
