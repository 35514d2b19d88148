using System.Net;
using System.Net.Http.Headers;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Client;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Store;
using Ripple.Trust;
using PublishRequest = Ripple.Admin.Contracts.PublishRequest;

namespace Ripple.Gms.Tests.Server;

/// <summary>A standby says who leads, to nodes, hosts and HTTP alike.</summary>
public sealed class StandbyTests : IDisposable
{
    private readonly HostPair _pair;
    private readonly TempDirectory _state = new();

    public StandbyTests(PostgresTestServer server) => _pair = new HostPair(server);

    public void Dispose()
    {
        _pair.Dispose();
        _state.Dispose();
    }

    [Fact]
    public async Task Who_knows_the_standby_alone_joins_and_publishes_and_does_so_at_the_other_when_the_leader_is_killed()
    {
        int onePort = TestPorts.Tcp();
        int twoPort = TestPorts.Tcp();
        using HostProcess one = await HostProcess.StartAsync(_pair.Arguments(_pair.One, "one", port: onePort));
        _pair.GiveKey();
        using HostProcess two = HostProcess.Begin(_pair.Arguments(_pair.Two, "two", port: twoPort));
        await ControlHarness.UntilAsync(() => two.Output.Contains("stands by", StringComparison.Ordinal), "the second stands by");
        ConnectionString standby = At(HostPair.ClientOf(_pair.One), twoPort);
        string file = Path.Combine(_pair.One.Path, "standby.connection");
        standby.Write(file);
        await using RippleClient client = await RippleClient.ConnectAsync(
            await File.ReadAllTextAsync(file, HostHarness.Cancel),
            new RippleClientOptions { ConnectTimeout = ControlHarness.Patience, SnapshotDirectory = _state.Path },
            HostHarness.Cancel);
        using var admin = new RippleAdminClient(At(HostPair.AdminOf(_pair.One), twoPort));
        Assert.Equal(1UL, (await PublishAsync(admin, "1")).Release);
        await ControlHarness.UntilAsync(() => client.Current().Release == 1, "the node has it");

        await one.SignalAsync("KILL");
        await two.ReadyAsync();
        Assert.Equal(2UL, (await PublishAsync(admin, "2")).Release);
        await ControlHarness.UntilAsync(() => client.Current().Release == 2, "the node has what the other released");

        // One that comes later with the address of the dead alone has been told of the other.
        await client.DisposeAsync();
        At(standby, onePort).Write(file);
        await using RippleClient again = await RippleClient.ConnectAsync(
            await File.ReadAllTextAsync(file, HostHarness.Cancel),
            new RippleClientOptions
            {
                ConnectTimeout = ControlHarness.Patience,
                SnapshotDirectory = _state.Path,
                StartupMode = StartupMode.FailFast,
            },
            HostHarness.Cancel);
        Assert.Equal(ConnectionState.Connected, again.ConnectionState);
        await two.SignalAsync("TERM");
        Assert.Equal(0, (await two.EndAsync()).ExitCode);
    }

    [Fact]
    public async Task A_request_is_sent_on_with_its_method_and_health_stays_the_standbys_own()
    {
        await using HostHarness one = await _pair.StartAsync(_pair.One, "one", TestPorts.Tcp());
        _pair.GiveKey();
        int port = TestPorts.Tcp();
        int health = TestPorts.Tcp();
        using var stop = new CancellationTokenSource();
        Task<GmsServer> starting = GmsServer.StartAsync(
            _pair.Options(_pair.Two, "two", port) with { HealthAddress = new(IPAddress.Loopback, health) }, new LineLogs(), stop.Token);
        using var handler = new HttpClientHandler
        {
            AllowAutoRedirect = false,
            ServerCertificateCustomValidationCallback = (_, certificate, _, _) =>
                new HostJudge(one.Admin.Authority, TimeProvider.System).IsTrusted(certificate),
        };
        using var http = new HttpClient(handler);
        HttpResponseMessage? answer = null;
        await ControlHarness.UntilAsync(
            async () => (answer = await TryAsync(http, $"https://127.0.0.1:{port}/v1/applications/a%2Fb/releases?x=%20y")) is not null,
            "it listens");
        Assert.Equal(HttpStatusCode.TemporaryRedirect, answer!.StatusCode);
        Assert.Equal($"https://{one.Server.Endpoint}/v1/applications/a%2Fb/releases?x=%20y", answer.Headers.Location!.OriginalString);
        Assert.Contains(
            $"not the leader: one at {one.Server.Endpoint}",
            await answer.Content.ReadAsStringAsync(HostHarness.Cancel),
            StringComparison.Ordinal);
        using HttpResponseMessage live = await http.GetAsync(new Uri($"http://127.0.0.1:{health}/health/live"), HostHarness.Cancel);
        using HttpResponseMessage ready = await http.GetAsync(new Uri($"http://127.0.0.1:{health}/health/ready"), HostHarness.Cancel);
        Assert.Equal((HttpStatusCode.OK, HttpStatusCode.ServiceUnavailable), (live.StatusCode, ready.StatusCode));

        // With a change, and a token that was not asked for on the way.
        using var admin = new RippleAdminClient(At(one.Admin, port), new RippleAdminOptions { RetryCount = 0 });
        Assert.Equal(1UL, (await PublishAsync(admin, "1")).Release);
        // More than fits on the way: the answer comes before all of it is sent. It asks again, of the same id, where the connection broke.
        using var large = new RippleAdminClient(At(one.Admin, port));
        Assert.Equal(2UL, (await PublishAsync(large, new string('x', 12 << 20))).Release);

        // A host that asks is told the same, and by the leader that it leads.
        var own = new HostEndpoint("127.0.0.1", 1);
        var probe = new LeaderProbe(
            one.Admin.Authority, own, () => CertificateFile.TryLoad(new GmsDirectory(_pair.Two.Path).Host)!);
        Assert.True(await probe.SaysThatAnotherLeadsAsync(new HostEndpoint("127.0.0.1", port), HostHarness.Cancel));
        Assert.True(await probe.SaysThatAnotherLeadsAsync(one.Server.Endpoint, HostHarness.Cancel));
        var leader = new LeaderProbe(
            one.Admin.Authority, one.Server.Endpoint, () => CertificateFile.TryLoad(new GmsDirectory(_pair.Two.Path).Host)!);
        Assert.False(await leader.SaysThatAnotherLeadsAsync(new HostEndpoint("127.0.0.1", port), HostHarness.Cancel));
        Assert.False(await leader.SaysThatAnotherLeadsAsync(new HostEndpoint("127.0.0.1", TestPorts.Tcp()), HostHarness.Cancel));
        answer.Dispose();
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => starting);
    }

    private static async Task<HttpResponseMessage?> TryAsync(HttpClient http, string uri)
    {
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, uri) { Content = new ByteArrayContent([1, 2, 3]) };
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", "nobody's");
            return await http.SendAsync(request, HostHarness.Cancel);
        }
        catch (HttpRequestException)
        {
            return null;
        }
    }

    private static Task<Admin.Contracts.PublishResult> PublishAsync(RippleAdminClient admin, string text) => admin.PublishAsync(
        "default", new PublishRequest { Set = [new KeyValue { Key = "a.txt", Text = text }] }, null, null, HostHarness.Cancel);

    /// <summary>The same credential at one port alone.</summary>
    private static ConnectionString At(ConnectionString connection, int port) => ConnectionFile.Make(
        [new HostEndpoint("127.0.0.1", port)], connection.Authority, connection.Token!, connection.Application);
}
