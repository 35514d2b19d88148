using Ripple.Admin.Contracts;
using Ripple.Gms.Api;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Api;

/// <summary>
/// Requests over HTTP take from the same shares as calls of the control channel, and their connections have places by token.
/// </summary>
public sealed class RequestShareTests
{
    [Theory]
    [InlineData("GET", "/v1/applications")]
    [InlineData("GET", "/v1/applications/shop")]
    [InlineData("GET", "/v1/applications/shop/nodes")]
    [InlineData("GET", "/v1/applications/shop/value?key=a")]
    [InlineData("GET", "/v1/applications/shop/releases")]
    [InlineData("GET", "/v1/applications/shop/releases/1")]
    [InlineData("GET", "/v1/applications/shop/waits?release=1&predicate=MIN(%24ALL.applied)")]
    [InlineData("POST", HttpRig.Publish)]
    [InlineData("POST", HttpRig.Rollback)]
    public async Task Who_asks_for_more_than_its_share_is_busy_and_others_are_not(string method, string target)
    {
        await using HttpRig host = await StartAsync();
        string? json = method == "GET" ? null : target == HttpRig.Publish ? HttpRig.Set("a", "1") : """{"toRelease":1}""";
        await IsBusyAsync(host, host.Publisher, method, target, json);
    }

    [Theory]
    [InlineData("GET", "/v1/tokens", null)]
    [InlineData("POST", "/v1/tokens", """{"applications":["shop"],"role":"node"}""")]
    [InlineData("DELETE", "/v1/tokens/nobody", null)]
    [InlineData("GET", "/v1/roles", null)]
    [InlineData("PUT", "/v1/roles/nobody/shop", """{"role":"node"}""")]
    [InlineData("DELETE", "/v1/roles/nobody/shop", null)]
    [InlineData("GET", "/v1/audit", null)]
    [InlineData("GET", "/v1/nodes/revoked", null)]
    [InlineData("DELETE", "/v1/nodes/00000000000000000000000000000007", null)]
    [InlineData("GET", "/v1/regions", null)]
    [InlineData("GET", "/v1/cluster", null)]
    [InlineData("GET", "/v1/whoami", null)]
    [InlineData("POST", "/v1/applications", """{"name":"shop"}""")]
    public async Task So_is_an_administrator(string method, string target, string? json)
    {
        await using HttpRig host = await StartAsync();
        await IsBusyAsync(host, host.Admin, method, target, json);
    }

    [Fact]
    public async Task A_connection_counts_for_its_token_while_requests_run_and_is_refused_where_there_is_no_place()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        var proof = new Proof();
        host.Proof = proof;
        Assert.Equal(200, (await host.GetAsync(host.Node, "/v1/applications/shop")).Status);
        Assert.Equal(404, (await host.GetAsync(host.Admin, "/v1/applications/nowhere")).Status);
        Assert.Equal(401, (await host.GetAsync(AccessTokenSecret.New(), "/v1/applications/shop")).Status);
        Assert.Equal(
            [(new ShareOwner(host.Node.Id, "shop"), false), (new ShareOwner(host.Admin.Id, null), true)], proof.Begun);
        Assert.Equal(2, proof.EndCount);
        proof.IsFull = true;
        (await host.GetAsync(host.Node, "/v1/applications/shop")).Is(
            503,
            ProblemCodes.Busy,
            $"The host has as many connections with the token {host.Node.Id}, with tokens of its application, or of all, as it may, and "
                + "each has a request under way. Use fewer connections, or try again.");
        Assert.Equal(2, proof.EndCount);
    }

    /// <summary>A host where next to nothing of a share comes back in the time that a test takes.</summary>
    private static Task<HttpRig> StartAsync() => HttpRig.StartAsync(
        calls: new CallLimits { Token = new SpendingLimits(1, 250_000_000), SecondsKept = 60_000 });

    private static async Task IsBusyAsync(HttpRig host, AccessTokenSecret token, string method, string target, string? json)
    {
        HttpAnswer answer;
        int asked = 0;
        do
        {
            answer = await host.SendAsync(token, method, target, json);
        }
        while (answer.Status != 503 && ++asked < 100);

        Assert.InRange(asked, 1, 20);
        Problem problem = answer.Is(
            503, ProblemCodes.Busy, $"More is asked for than the token {token.Id} may ask for per second. Ask less often.");
        Assert.Equal(503, problem.Status);
        Assert.Equal(200, (await host.GetAsync(host.Node, "/v1/applications/shop")).Status);
    }

    private sealed class Proof : IConnectionProof
    {
        public List<(ShareOwner Owner, bool IsAdministrator)> Begun { get; } = [];

        public int EndCount { get; private set; }

        public bool IsFull { get; set; }

        public bool TryBegin(ShareOwner owner, bool isAdministrator)
        {
            Begun.Add((owner, isAdministrator));
            return !IsFull;
        }

        public void End() => EndCount++;
    }
}
