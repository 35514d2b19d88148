using System.Net;
using System.Net.Http.Json;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Admin.Tests.Http;

/// <summary>A host that does not lead sends a request on, and the token goes to hosts of the authority alone.</summary>
public sealed class RedirectTests
{
    private static readonly RippleAdminOptions Once = new() { RetryCount = 0 };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_change_is_sent_on_with_its_method_its_body_and_the_token_and_the_next_call_goes_to_the_leader()
    {
        var hosts = new Hosts("b.test:2");
        using var client = new RippleAdminClient(Connection("a.test:1"), Once, hosts);
        Assert.Equal("cart", (await client.CreateApplicationAsync("cart", Token)).Name);
        Assert.Equal(["POST a.test:1", "POST b.test:2"], hosts.Asked.Select(a => $"{a.Method} {a.Host}"));
        Assert.Equal(hosts.Asked[0].Body, hosts.Asked[1].Body);
        Assert.Contains("cart", hosts.Asked[1].Body, StringComparison.Ordinal);
        Assert.All(hosts.Asked, a => Assert.StartsWith("Bearer ", a.Authorization, StringComparison.Ordinal));
        await client.CreateApplicationAsync("cart", Token);
        Assert.Equal("b.test:2", hosts.Asked[^1].Host);
        Assert.Equal(3, hosts.Asked.Count);
    }

    [Fact]
    public async Task A_leader_that_is_gone_leaves_the_next_call_to_the_hosts_of_the_connection_string()
    {
        var hosts = new Hosts("b.test:2");
        using var client = new RippleAdminClient(Connection("a.test:1"), Once, hosts);
        await client.CreateApplicationAsync("cart", Token);
        hosts.Gone = "b.test:2";
        await Assert.ThrowsAsync<RippleAdminException>(() => client.CreateApplicationAsync("cart", Token));
        hosts.Leader = "a.test:1";
        await client.CreateApplicationAsync("cart", Token);
        Assert.Equal("a.test:1", hosts.Asked[^1].Host);
    }

    [Fact]
    public async Task Hosts_that_name_each_other_are_asked_once_each_and_the_answer_says_who_was_named()
    {
        var hosts = new Hosts("nobody:1") { Names = host => host == "a.test:1" ? "https://b.test:2/v1" : "https://a.test:1/v1" };
        using var client = new RippleAdminClient(Connection("a.test:1"), Once, hosts);
        RippleAdminException e = await Assert.ThrowsAsync<RippleAdminException>(() => client.CreateApplicationAsync("cart", Token));
        Assert.Equal(ProblemCodes.NotLeader, e.Problem!.Code);
        Assert.Contains("not the leader", e.Message, StringComparison.Ordinal);
        Assert.Equal(["a.test:1", "b.test:2"], hosts.Asked.Select(a => a.Host));
    }

    [Theory]
    [InlineData("http://b.test:2/v1")]
    [InlineData("/v1/elsewhere")]
    [InlineData("ftp://b.test:2/")]
    public async Task What_is_no_host_over_TLS_is_not_followed(string location)
    {
        var hosts = new Hosts("b.test:2") { Names = _ => location };
        using var client = new RippleAdminClient(Connection("a.test:1"), Once, hosts);
        await Assert.ThrowsAsync<RippleAdminException>(() => client.CreateApplicationAsync("cart", Token));
        Assert.Equal(["a.test:1"], hosts.Asked.Select(a => a.Host));
    }

    [Fact]
    public async Task A_host_of_another_authority_is_told_nothing_though_one_of_the_cluster_names_it()
    {
        using var authority = ClusterAuthority.Create(TimeProvider.System);
        using var other = ClusterAuthority.Create(TimeProvider.System);
        using X509Certificate2 own = authority.IssueHost("h1", ["127.0.0.1"]);
        using X509Certificate2 foreign = other.IssueHost("h2", ["127.0.0.1"]);
        using TcpListener leader = Listen();
        using TcpListener standby = Listen();
        Task<string> told = ServeAsync(leader, foreign, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        Task<string> asked = ServeAsync(
            standby,
            own,
            $"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://{leader.LocalEndpoint}/v1/cluster\r\nContent-Length: 0\r\n\r\n");
        var connection = ConnectionString.Parse(
            $"Endpoints={standby.LocalEndpoint};Authority=sha256:{Convert.ToHexStringLower(authority.Trust.Fingerprint.Span)};"
                + $"Token={AccessTokenSecret.New().Reveal()}");
        using var client = new RippleAdminClient(connection, Once);
        RippleAdminException e = await Assert.ThrowsAsync<RippleAdminException>(() => client.GetClusterAsync(Token));
        Assert.Contains("issued by another authority", e.Message, StringComparison.Ordinal);
        Assert.Contains("Bearer", await asked, StringComparison.Ordinal);
        Assert.Equal("", await told);
    }

    private static ConnectionString Connection(string endpoints) =>
        ConnectionString.Parse(FakeHost.ConnectionText.Replace("host.test:7400", endpoints, StringComparison.Ordinal));

    private static TcpListener Listen()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return listener;
    }

    /// <summary>Takes one connection, and answers one request; what it was sent, or nothing if the other side did not go on.</summary>
    private static async Task<string> ServeAsync(TcpListener listener, X509Certificate2 certificate, string answer)
    {
        using TcpClient connection = await listener.AcceptTcpClientAsync(Token);
        using var stream = new SslStream(connection.GetStream());
        var sent = new StringBuilder();
        try
        {
            await stream.AuthenticateAsServerAsync(
                new SslServerAuthenticationOptions
                {
                    ServerCertificateContext = SslStreamCertificateContext.Create(certificate, null, offline: true),
                },
                Token);
            byte[] buffer = new byte[4_096];
            for (int read; (read = await stream.ReadAsync(buffer, Token)) > 0;)
            {
                sent.Append(Encoding.ASCII.GetString(buffer, 0, read));
                if (sent.ToString().Contains("\r\n\r\n", StringComparison.Ordinal))
                {
                    await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), Token);
                    break;
                }
            }
        }
        catch (Exception e) when (e is IOException or System.Security.Authentication.AuthenticationException)
        {
            // The other side does not trust this one.
        }

        return sent.ToString();
    }

    /// <summary>Hosts of which one leads, and the others name it.</summary>
    private sealed class Hosts(string leader) : HttpMessageHandler
    {
        public List<(string Method, string Host, string Body, string Authorization)> Asked { get; } = [];

        public string Leader { get; set; } = leader;

        public string? Gone { get; set; }

        public Func<string, string>? Names { get; init; }

        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            string host = request.RequestUri!.Authority;
            Asked.Add((
                request.Method.Method,
                host,
                await request.Content!.ReadAsStringAsync(cancellationToken),
                request.Headers.Authorization!.ToString()));
            if (host == Gone)
            {
                throw new HttpRequestException(HttpRequestError.ConnectionError, "nobody is there");
            }

            if (host == Leader)
            {
                return new HttpResponseMessage(HttpStatusCode.Created)
                {
                    Content = JsonContent.Create(new ApplicationInfo("cart", 1, 0, 0, 0), AdminJson.Default.ApplicationInfo),
                };
            }

            var answer = new HttpResponseMessage(HttpStatusCode.TemporaryRedirect)
            {
                Content = new StringContent(
                    """{"code":"not_leader","title":"Another host leads","detail":"not the leader: two at b.test:2"}""",
                    Encoding.UTF8,
                    "application/problem+json"),
            };
            answer.Headers.Location = new Uri(Names?.Invoke(host) ?? $"https://{Leader}/v1", UriKind.RelativeOrAbsolute);
            return answer;
        }
    }
}
