using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Api;

/// <summary>Every route of the document, refused to everybody who should not be let in.</summary>
public sealed class RouteAccessTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Every_route_refuses_no_credential_a_wrong_one_and_a_lesser_one()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.CreateApplicationAsync("other", ApiHarness.Cancel);
        string wrong = AccessTokenSecret.New().Reveal();
        Dictionary<string, string> lesser = await LesserAsync(harness);
        using HttpClient admin = harness.Http(harness.Host.Admin.Token!.Reveal());
        JsonNode document = JsonNode.Parse(await admin.GetStringAsync(AdminRoutes.Document, ApiHarness.Cancel))!;
        int routes = 0;
        var open = new List<string>();
        foreach ((string path, JsonNode? methods) in document["paths"]!.AsObject())
        {
            foreach ((string method, JsonNode? operation) in methods!.AsObject())
            {
                routes++;
                string role = operation!["x-ripple-role"]?.GetValue<string>() ?? "";
                Assert.True(lesser.ContainsKey(role), $"{method} {path} says no role ('{role}').");
                await TryAsync(null, HttpStatusCode.Unauthorized);
                await TryAsync(wrong, HttpStatusCode.Unauthorized);
                await TryAsync("nonsense", HttpStatusCode.Unauthorized);
                await TryAsync(lesser[role], HttpStatusCode.Forbidden);

                async Task TryAsync(string? token, HttpStatusCode expected)
                {
                    using HttpClient http = harness.Http(token);
                    using var request = new HttpRequestMessage(new HttpMethod(method.ToUpperInvariant()), Fill(path, harness));
                    if (operation["requestBody"] is not null)
                    {
                        request.Content = new StringContent(Body(path), Encoding.UTF8, "application/json");
                    }

                    using HttpResponseMessage response = await http.SendAsync(request, ApiHarness.Cancel);
                    Problem? problem = AdminJsonText.Problem(await response.Content.ReadAsStringAsync(ApiHarness.Cancel));
                    if (response.StatusCode != expected
                        || problem?.Code != (expected == HttpStatusCode.Unauthorized
                            ? ProblemCodes.Unauthenticated
                            : ProblemCodes.NotAllowed))
                    {
                        open.Add(
                            $"{method} {path} with {(token is null ? "no credential" : token == wrong ? "a wrong one" : "a lesser one")}: "
                                + $"{(int)response.StatusCode} {problem?.Code}");
                    }
                }
            }
        }

        output.WriteLine($"{routes} routes, {open.Count} open");
        Assert.Empty(open);
        Assert.True(routes >= 20, $"The document names {routes} routes only.");
        Assert.Empty(await ApiHarness.AllAsync(harness.Admin.ListReleasesAsync(ApiHarness.Shop, cancellationToken: ApiHarness.Cancel)));
    }

    [Theory]
    [InlineData("/openapi/v1.json")]
    [InlineData("/")]
    [InlineData("/v1/nothing")]
    [InlineData("/v1/applications/shop/../../tokens")]
    public async Task What_is_no_route_takes_a_credential_too(string path)
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        using HttpClient http = harness.Http(null);
        using HttpResponseMessage response = await http.GetAsync(path, ApiHarness.Cancel);
        Assert.Equal(HttpStatusCode.Unauthorized, response.StatusCode);
        Assert.Equal("Bearer", response.Headers.WwwAuthenticate.ToString());
    }

    /// <summary>For what each route takes, a token that has all but that.</summary>
    private static async Task<Dictionary<string, string>> LesserAsync(ApiHarness harness)
    {
        CreatedToken none = await harness.Admin.CreateTokenAsync(
            new CreateTokenRequest { Applications = [ApiHarness.Shop] }, ApiHarness.Cancel);
        await harness.Admin.RemoveRoleAsync(none.Token.TokenId, ApiHarness.Shop, ApiHarness.Cancel);
        string elsewhere = await TokenAsync(Role.Admin, "other");
        return new Dictionary<string, string>
        {
            ["node anywhere"] = ConnectionString.Parse(none.ConnectionString).Token!.Reveal(),
            ["node"] = elsewhere,
            ["publisher"] = await TokenAsync(Role.Node, ApiHarness.Shop),
            ["admin anywhere"] = await TokenAsync(Role.Publisher, ApiHarness.Shop),
            ["admin of all"] = elsewhere,
        };

        async Task<string> TokenAsync(Role role, string application) => ConnectionString
            .Parse((await harness.Admin.CreateTokenAsync(
                new CreateTokenRequest { Applications = [application], Role = role }, ApiHarness.Cancel)).ConnectionString).Token!.Reveal();
    }

    private static string Fill(string path, ApiHarness harness)
    {
        string filled = path
            .Replace("{application}", ApiHarness.Shop, StringComparison.Ordinal)
            .Replace("{release}", "1", StringComparison.Ordinal)
            .Replace("{tokenId}", harness.Host.Client.Token!.Id, StringComparison.Ordinal);
        return path.EndsWith("/value", StringComparison.Ordinal)
            ? filled + "?key=a"
            : path.EndsWith("/diff", StringComparison.Ordinal)
                ? filled + "?from=0"
                : path.EndsWith("/waits", StringComparison.Ordinal) ? filled + "?release=1" : filled;
    }

    private static string Body(string path) => path switch
    {
        _ when path.EndsWith("/releases", StringComparison.Ordinal) => """{"set":[{"key":"a","text":"1"}]}""",
        _ when path.EndsWith("/rollback", StringComparison.Ordinal) => """{"toRelease":1}""",
        _ when path.EndsWith("/tokens", StringComparison.Ordinal) => """{"applications":["shop"],"role":"admin"}""",
        _ when path.EndsWith("/applications", StringComparison.Ordinal) => """{"name":"made"}""",
        _ => """{"role":"admin"}""",
    };
}
