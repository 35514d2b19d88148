using System.Net;
using System.Net.Http.Headers;
using System.Net.Security;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Server;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Api;

/// <summary>A real host on loopback, and callers of its admin API.</summary>
internal sealed class ApiHarness : IAsyncDisposable
{
    public const string Shop = "shop";

    private readonly TempDirectory _directory = new();
    private readonly List<IDisposable> _clients = [];

    private ApiHarness()
    {
    }

    public static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public HostHarness Host { get; private set; } = null!;

    /// <summary>The administrator of the cluster.</summary>
    public RippleAdminClient Admin { get; private set; } = null!;

    public static async Task<ApiHarness> StartAsync()
    {
        var harness = new ApiHarness();
        harness.Host = await HostHarness.StartAsync(harness._directory.Path, o => o with { Application = Shop });
        harness.Admin = harness.Client(harness.Host.Admin);
        return harness;
    }

    public RippleAdminClient Client(ConnectionString connection)
    {
        var options =
            new RippleAdminOptions { RetryCount = 1, ConnectTimeout = ControlHarness.Patience, RequestTimeout = ControlHarness.Patience };
        var client = new RippleAdminClient(connection, options);
        _clients.Add(client);
        return client;
    }

    /// <summary>A caller with a token of its own.</summary>
    public async Task<RippleAdminClient> CallerAsync(Role role, params string[] applications) =>
        Client(ConnectionString.Parse(
            (await Admin.CreateTokenAsync(new CreateTokenRequest { Applications = applications, Role = role }, Cancel)).ConnectionString));

    /// <summary>HTTP as anybody could speak it.</summary>
    public HttpClient Http(string? token)
    {
        var ssl = new SslClientAuthenticationOptions
        {
            RemoteCertificateValidationCallback = (_, shown, _, _) =>
                new HostJudge(Host.Admin.Authority, TimeProvider.System).IsTrusted(shown),
        };
        var http = new HttpClient(new SocketsHttpHandler { SslOptions = ssl })
        {
            BaseAddress = new Uri($"https://{Host.Server.Endpoint}"),
            DefaultRequestVersion = HttpVersion.Version20,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionOrLower,
        };
        http.DefaultRequestHeaders.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
        _clients.Add(http);
        return http;
    }

    public static PublishRequest Set(string key, string text, string note = "") =>
        new() { Set = [new KeyValue { Key = key, Text = text }], Note = note };

    public static async Task<RippleAdminException> FailsAsync(Func<Task> call) => await Assert.ThrowsAsync<RippleAdminException>(call);

    public static async Task<List<T>> AllAsync<T>(IAsyncEnumerable<T> items)
    {
        var all = new List<T>();
        await foreach (T item in items.WithCancellation(Cancel))
        {
            all.Add(item);
        }

        return all;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (IDisposable client in _clients)
        {
            client.Dispose();
        }

        await Host.DisposeAsync();
        _directory.Dispose();
    }
}
