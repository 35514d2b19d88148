using System.Globalization;
using System.Net;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Client;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Api;

/// <summary>Who may do what.</summary>
public sealed class RoleApiTests
{
    private static CancellationToken Cancel => ApiHarness.Cancel;

    [Fact]
    public async Task Administrators_of_an_application_make_so_many_tokens_and_the_clusters_as_many_as_they_like()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        const string Create = """{"applications":["shop"],"role":"node"}""";
        await host.ChangeAsync(AccessTokenChange.Grant(host.Node.Id, new AccessTokenGrant("shop", AccessRole.Admin), 4, "test"));
        // Two tokens name the application; four are the limit.
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(201, (await host.PostAsync(host.Node, "/v1/tokens", Create)).Status);
        }

        (await host.PostAsync(host.Node, "/v1/tokens", Create)).Is(
            413,
            ProblemCodes.TooLarge,
            "The application 'shop' has 4 tokens, with those that were revoked, and its administrators can make no more. "
                + "Ask an administrator of the cluster, or let nodes share tokens.");
        Assert.Equal(201, (await host.PostAsync(host.Admin, "/v1/tokens", Create)).Status);
    }

    [Fact]
    public async Task A_role_holds_in_its_application_alone_and_changes_at_once()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.CreateApplicationAsync("other", Cancel);
        RippleAdminClient caller = await harness.CallerAsync(Role.Publisher, ApiHarness.Shop);
        Identity who = await caller.GetIdentityAsync(Cancel);
        await caller.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        await RefusedAsync(() => caller.PublishAsync("other", ApiHarness.Set("a", "1"), cancellationToken: Cancel));
        await RefusedAsync(() => caller.PublishAsync("nowhere", ApiHarness.Set("a", "1"), cancellationToken: Cancel));

        await harness.Admin.SetRoleAsync(who.TokenId, "other", Role.Node, Cancel);
        Assert.Equal(["other", "shop"], (await ApiHarness.AllAsync(caller.ListApplicationsAsync(Cancel))).Select(a => a.Name));
        await RefusedAsync(() => caller.PublishAsync("other", ApiHarness.Set("a", "1"), cancellationToken: Cancel));
        await harness.Admin.SetRoleAsync(who.TokenId, "other", Role.Publisher, Cancel);
        await caller.PublishAsync("other", ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        await harness.Admin.RemoveRoleAsync(who.TokenId, ApiHarness.Shop, Cancel);
        await harness.Admin.RemoveRoleAsync(who.TokenId, ApiHarness.Shop, Cancel);
        await RefusedAsync(() => caller.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), cancellationToken: Cancel));
        Assert.Equal(["other"], (await ApiHarness.AllAsync(caller.ListApplicationsAsync(Cancel))).Select(a => a.Name));
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"role":null}""")]
    [InlineData("""{"rolle":"admin"}""")]
    public async Task A_role_that_is_not_said_takes_none_away(string body)
    {
        await using HttpRig rig = await HttpRig.StartAsync();
        string path = $"/v1/roles/{rig.Publisher.Id}/shop";

        Assert.Equal(400, (await rig.SendAsync(rig.Admin, "PUT", path, body)).Status);

        Assert.Equal(201, (await rig.PostAsync(rig.Publisher, HttpRig.Publish, HttpRig.Set("a", "1"))).Status);
        Assert.Equal(200, (await rig.SendAsync(rig.Admin, "PUT", path, """{"role":"node"}""")).Status);
    }

    [Theory]
    [InlineData(null, 403)]
    [InlineData(2, 403)]
    [InlineData(1, 200)]
    public async Task A_role_does_not_outlive_who_gave_it(int? days, int status)
    {
        await using HttpRig rig = await HttpRig.StartAsync();
        const long DayMicros = 86_400_000_000;
        var owner = AccessTokenSecret.New();
        var node = AccessTokenSecret.New();
        await AddAsync(owner, AccessRole.Admin, rig.UnixMicros + DayMicros);
        await AddAsync(node, AccessRole.Node, days is { } given ? rig.UnixMicros + (given * DayMicros) : null);
        string path = $"/v1/roles/{node.Id}/shop";

        HttpAnswer answer = await rig.SendAsync(owner, "PUT", path, """{"role":"admin"}""");

        Assert.Equal(status, answer.Status);
        Assert.Equal(200, (await rig.SendAsync(rig.Admin, "PUT", path, """{"role":"admin"}""")).Status);

        Task AddAsync(AccessTokenSecret secret, AccessRole role, long? expires) => rig.ChangeAsync(AccessTokenChange.Create(
            new AccessToken(secret.Id, secret.Hash, AccessTokenGrant.For(["shop"], role), rig.UnixMicros, expires, null), "test"));
    }

    [Fact]
    public async Task What_an_administrator_made_ends_with_its_right_as_the_plan_said_and_lists_say_who_made_what()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        RippleAdminClient owner = await harness.CallerAsync(Role.Admin, ApiHarness.Shop);
        string ownerId = (await owner.GetIdentityAsync(Cancel)).TokenId;
        var request = new CreateTokenRequest { Applications = [ApiHarness.Shop] };
        CreatedToken made = await owner.CreateTokenAsync(request, Cancel);
        CreatedToken other = await harness.Admin.CreateTokenAsync(request, Cancel);
        RoleGrant given = await owner.SetRoleAsync(other.Token.TokenId, ApiHarness.Shop, Role.Publisher, Cancel);
        Assert.Equal((ownerId, ownerId), (made.Token.MadeBy, given.MadeBy));
        TokenInfo[] listed = [.. (await ApiHarness.AllAsync(harness.Admin.ListTokensAsync(Cancel))).Where(t => t.MadeBy is not null)];
        string root = harness.Host.Admin.Token!.Id;
        Assert.Equal(
            [(made.Token.TokenId, ownerId), (other.Token.TokenId, root), (ownerId, root)],
            listed.Select(t => (t.TokenId, t.MadeBy!)).OrderBy(t => t.TokenId == ownerId).ThenBy(t => t.TokenId == other.Token.TokenId));
        Assert.Contains(given, await ApiHarness.AllAsync(harness.Admin.ListRolesAsync(cancellationToken: Cancel)));

        EndedRights plan = await harness.Admin.PlanRevokeTokenAsync(ownerId, Cancel);
        Assert.Equal([ownerId, made.Token.TokenId], plan.Tokens);
        Assert.Equal([given], plan.Roles);
        RippleAdminClient node = harness.Client(ConnectionString.Parse(made.ConnectionString));
        Assert.Equal(made.Token.TokenId, (await node.GetIdentityAsync(Cancel)).TokenId);

        EndedRights ended = await harness.Admin.RevokeTokenAsync(ownerId, Cancel);

        Assert.Equal(plan.Tokens, ended.Tokens);
        Assert.Equal(plan.Roles, ended.Roles);
        Assert.Equal(
            AdminFailure.Unauthorised,
            (await ApiHarness.FailsAsync(() => node.GetIdentityAsync(Cancel))).Failure);
        await RefusedAsync(() => harness.Client(ConnectionString.Parse(other.ConnectionString)).GetIdentityAsync(Cancel));
        List<AuditInfo> audit = await ApiHarness.AllAsync(harness.Admin.ListAuditAsync(cancellationToken: Cancel));
        Assert.Contains(audit, a => a.Action == "token.revoke" && a.Detail == $"{made.Token.TokenId}, made by {ownerId}");
        Assert.Contains(audit, a => a.Action == "role.remove" && a.Detail == $"{other.Token.TokenId}, made by {ownerId}");
    }

    [Fact]
    public async Task What_was_made_stays_where_that_is_said()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        RippleAdminClient owner = await harness.CallerAsync(Role.Admin, ApiHarness.Shop);
        string ownerId = (await owner.GetIdentityAsync(Cancel)).TokenId;
        CreatedToken made = await owner.CreateTokenAsync(new CreateTokenRequest { Applications = [ApiHarness.Shop] }, Cancel);
        RippleAdminClient node = harness.Client(ConnectionString.Parse(made.ConnectionString));

        EndedRights plan = await harness.Admin.PlanRemoveRoleAsync(ownerId, ApiHarness.Shop, Cancel);
        Assert.Single(plan.Roles, r => r.TokenId == made.Token.TokenId);
        await harness.Admin.SetRoleAsync(ownerId, ApiHarness.Shop, Role.Node, keepMade: true, outlives: false, Cancel);
        await harness.Admin.RemoveRoleAsync(ownerId, ApiHarness.Shop, keepMade: true, Cancel);
        EndedRights ended = await harness.Admin.RevokeTokenAsync(ownerId, keepMade: true, Cancel);

        Assert.Equal([ownerId], ended.Tokens);
        Assert.Single((await node.GetIdentityAsync(Cancel)).Roles);
    }

    [Fact]
    public async Task What_ends_in_applications_of_others_is_theirs_to_end()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.CreateApplicationAsync("other", Cancel);
        RippleAdminClient owner = await harness.CallerAsync(Role.Admin, ApiHarness.Shop);
        CreatedToken hand = await owner.CreateTokenAsync(
            new CreateTokenRequest { Applications = [ApiHarness.Shop], Role = Role.Admin }, Cancel);
        RippleAdminClient helper = harness.Client(ConnectionString.Parse(hand.ConnectionString));
        await harness.Admin.SetRoleAsync(hand.Token.TokenId, "other", Role.Admin, Cancel);
        CreatedToken made = await helper.CreateTokenAsync(new CreateTokenRequest { Applications = ["other"] }, Cancel);
        await harness.Admin.RemoveRoleAsync(hand.Token.TokenId, "other", keepMade: true, Cancel);

        await RefusedAsync(() => owner.RevokeTokenAsync(hand.Token.TokenId, Cancel));
        await owner.RevokeTokenAsync(hand.Token.TokenId, keepMade: true, Cancel);

        Assert.Single((await harness.Client(ConnectionString.Parse(made.ConnectionString)).GetIdentityAsync(Cancel)).Roles);
    }

    [Fact]
    public async Task A_role_outlives_an_administrator_of_the_cluster_only_where_that_is_said()
    {
        await using HttpRig rig = await HttpRig.StartAsync();
        var brief = AccessTokenSecret.New();
        await rig.ChangeAsync(AccessTokenChange.Create(
            new AccessToken(
                brief.Id, brief.Hash, AccessTokenGrant.For(["*"], AccessRole.Admin), rig.UnixMicros, rig.UnixMicros + 86_400_000_000, null),
            "test"));
        string path = $"/v1/roles/{rig.Node.Id}/shop";

        HttpAnswer refused = await rig.SendAsync(brief, "PUT", path, """{"role":"publisher"}""");

        Assert.Equal(403, refused.Status);
        Assert.Equal(200, (await rig.SendAsync(brief, "PUT", path + "?outlives=true", """{"role":"publisher"}""")).Status);
    }

    [Theory]
    [InlineData("DELETE", "/v1/roles/{0}/*", null)]
    [InlineData("DELETE", "/v1/roles/{0}/*?dryRun=true", null)]
    [InlineData("PUT", "/v1/roles/{0}/*", """{"role":"publisher"}""")]
    [InlineData("DELETE", "/v1/tokens/{0}", null)]
    [InlineData("DELETE", "/v1/tokens/{0}?keepMade=true", null)]
    public async Task The_last_administrator_of_the_cluster_goes_only_after_another_came(string method, string path, string? body)
    {
        await using HttpRig rig = await HttpRig.StartAsync();
        path = string.Format(CultureInfo.InvariantCulture, path, rig.Admin.Id);
        // One that has expired is none.
        await AddAsync(AccessTokenSecret.New(), rig.UnixMicros);

        (await rig.SendAsync(rig.Admin, method, path, body)).Is(
            409,
            ProblemCodes.InvalidRequest,
            $"The token '{rig.Admin.Id}' is the last that administers the cluster. Give another the role admin over '*' first. "
                + "On the host's machine 'ripple-host token create' makes one.");

        await AddAsync(AccessTokenSecret.New(), rig.UnixMicros + 1);
        Assert.Equal(200, (await rig.SendAsync(rig.Admin, method, path, body)).Status);

        Task AddAsync(AccessTokenSecret secret, long expires) => rig.ChangeAsync(AccessTokenChange.Create(
            new AccessToken(secret.Id, secret.Hash, AccessTokenGrant.For(["*"], AccessRole.Admin), 1, expires, null), "test"));
    }

    [Fact]
    public async Task An_administrator_of_an_application_manages_it_and_nothing_else()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.CreateApplicationAsync("other", Cancel);
        RippleAdminClient owner = await harness.CallerAsync(Role.Admin, "other");
        CreatedToken made = await owner.CreateTokenAsync(
            new CreateTokenRequest { Applications = ["other"], Role = Role.Publisher, Name = "ci", ExpiresInDays = 7 }, Cancel);
        Assert.Equal("other", ConnectionString.Parse(made.ConnectionString).Application);
        Assert.Equal(TimeSpan.FromDays(7), made.Token.Expires - made.Token.Created);
        Assert.DoesNotContain(ConnectionString.Parse(made.ConnectionString).Token!.Reveal(), made.ToString(), StringComparison.Ordinal);
        RippleAdminClient ci = harness.Client(ConnectionString.Parse(made.ConnectionString));
        Assert.Equal($"token:{made.Token.TokenId}/ci", (await ci.GetIdentityAsync(Cancel)).Actor);
        await ci.PublishAsync("other", ApiHarness.Set("a", "1"), cancellationToken: Cancel);

        Assert.Equal(2, (await ApiHarness.AllAsync(owner.ListTokensAsync(Cancel))).Count);
        Assert.All(await ApiHarness.AllAsync(owner.ListRolesAsync(cancellationToken: Cancel)), r => Assert.Equal("other", r.Application));
        List<AuditInfo> audit = await ApiHarness.AllAsync(owner.ListAuditAsync("other", Cancel));
        Assert.Contains("release.publish", audit.Select(a => a.Action));
        Assert.Contains(audit, a => a.Action == "token.create" && a.Detail.StartsWith(made.Token.TokenId, StringComparison.Ordinal));
        await RefusedAsync(() => owner.CreateTokenAsync(new CreateTokenRequest { Applications = ["*"], Role = Role.Node }, Cancel));
        await RefusedAsync(
            () => owner.CreateTokenAsync(new CreateTokenRequest { Applications = ["other", ApiHarness.Shop], Role = Role.Node }, Cancel));
        await RefusedAsync(() => owner.RevokeTokenAsync(harness.Host.Admin.Token!.Id, Cancel));
        await RefusedAsync(() => owner.RevokeTokenAsync("0000000000000000", Cancel));
        await RefusedAsync(() => owner.SetRoleAsync(made.Token.TokenId, ApiHarness.Shop, Role.Node, Cancel));
        await RefusedAsync(() => owner.SetRoleAsync(made.Token.TokenId, "*", Role.Node, Cancel));
        // A role added to another's token would take that one's revocation out of its owner's hands; and which ids there are is not told.
        await RefusedAsync(() => owner.SetRoleAsync(harness.Host.Client.Token!.Id, "other", Role.Node, Cancel));
        await RefusedAsync(() => owner.SetRoleAsync("0000000000000000", "other", Role.Node, Cancel));
        await owner.RemoveRoleAsync("0000000000000000", "other", Cancel);
        await RefusedAsync(() => owner.CreateApplicationAsync("third", Cancel));

        await owner.RevokeTokenAsync(made.Token.TokenId, Cancel);
        await owner.RevokeTokenAsync(made.Token.TokenId, Cancel);
        Assert.Equal(
            TokenState.Revoked,
            (await ApiHarness.AllAsync(owner.ListTokensAsync(Cancel))).Single(t => t.TokenId == made.Token.TokenId).State);
        Assert.Equal(
            ProblemCodes.InvalidRequest,
            (await ApiHarness.FailsAsync(() => owner.SetRoleAsync(made.Token.TokenId, "other", Role.Admin, Cancel))).Code);
    }

    [Fact]
    public async Task Who_administers_one_application_sees_its_audit_without_naming_it_and_of_several_names_one()
    {
        await using HttpRig rig = await HttpRig.StartAsync();
        const string Create = """{"applications":["shop"],"role":"node"}""";
        await rig.ChangeAsync(AccessTokenChange.Grant(rig.Node.Id, new AccessTokenGrant("shop", AccessRole.Admin), 4, "test"));
        await rig.ChangeAsync(AccessTokenChange.Grant(rig.Node.Id, new AccessTokenGrant("other", AccessRole.Node), 5, "test"));
        Assert.Equal(201, (await rig.PostAsync(rig.Node, "/v1/tokens", Create)).Status);

        HttpAnswer own = await rig.GetAsync(rig.Node, "/v1/audit");
        HttpAnswer all = await rig.GetAsync(rig.Admin, "/v1/audit");

        Assert.Equal((await rig.GetAsync(rig.Node, "/v1/audit?application=shop")).Text, own.Text);
        Assert.Contains("\"application\":\"shop\"", own.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("other", own.Text, StringComparison.Ordinal);
        Assert.Contains("other", all.Text, StringComparison.Ordinal);
        await rig.ChangeAsync(AccessTokenChange.Grant(rig.Node.Id, new AccessTokenGrant("other", AccessRole.Admin), 6, "test"));
        (await rig.GetAsync(rig.Node, "/v1/audit")).Is(
            403,
            ProblemCodes.NotAllowed,
            $"The token {rig.Node.Id} administers several applications: say of which one ('other', 'shop'). "
                + "The audit of all takes an administrator of the cluster.");
        Assert.Equal(200, (await rig.GetAsync(rig.Node, "/v1/audit?application=other")).Status);
        Assert.Equal(403, (await rig.GetAsync(rig.Node, "/v1/audit?application=third")).Status);
    }

    [Fact]
    public async Task A_node_whose_role_is_taken_away_is_sent_away()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        CreatedToken made = await harness.Admin.CreateTokenAsync(new CreateTokenRequest { Applications = [ApiHarness.Shop] }, Cancel);
        await using RippleClient node = await RippleClient.ConnectAsync(
            made.ConnectionString,
            new RippleClientOptions { Name = "node", SnapshotMode = SnapshotMode.Off, ConnectTimeout = ControlHarness.Patience },
            Cancel);
        var refused = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        node.ConnectionStateChanged += (_, change) =>
        {
            if (change.State == ConnectionState.Refused)
            {
                refused.TrySetResult();
            }
        };
        await harness.Admin.RemoveRoleAsync(made.Token.TokenId, ApiHarness.Shop, Cancel);
        await refused.Task.WaitAsync(TimeSpan.FromMinutes(2), Cancel);
        Assert.Empty((await harness.Admin.PlanPublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel)).Nodes);
    }

    [Fact]
    public async Task A_token_does_not_outlive_the_one_that_made_it()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        CreatedToken short1 = await harness.Admin.CreateTokenAsync(
            new CreateTokenRequest { Applications = [ApiHarness.Shop], Role = Role.Admin, ExpiresInDays = 1 }, Cancel);
        RippleAdminClient caller = harness.Client(ConnectionString.Parse(short1.ConnectionString));
        CreatedToken made = await caller.CreateTokenAsync(new CreateTokenRequest { Applications = [ApiHarness.Shop] }, Cancel);
        Assert.Equal(short1.Token.Expires, made.Token.Expires);
    }

    [Fact]
    public async Task A_token_revoked_while_its_request_comes_does_nothing_any_more()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        CreatedToken made = await harness.Admin.CreateTokenAsync(
            new CreateTokenRequest { Applications = ["*"], Role = Role.Admin }, Cancel);
        using HttpClient http = harness.Http(ConnectionString.Parse(made.ConnectionString).Token!.Reveal());
        var body = new SlowContent("""{"applications":["*"],"role":"admin"}""");
        using var request = new HttpRequestMessage(HttpMethod.Post, "/v1/tokens") { Content = body, Version = HttpVersion.Version20 };
        Task<HttpResponseMessage> asked = http.SendAsync(request, Cancel);
        await body.Begun.WaitAsync(TimeSpan.FromMinutes(2), Cancel);
        await harness.Admin.RevokeTokenAsync(made.Token.TokenId, Cancel);
        body.Finish();
        using HttpResponseMessage response = await asked;
        // Unauthorized where the host came to the request's head only after the revocation.
        Assert.Contains(response.StatusCode, (HttpStatusCode[])[HttpStatusCode.Forbidden, HttpStatusCode.Unauthorized]);
        Assert.Equal(3, (await ApiHarness.AllAsync(harness.Admin.ListTokensAsync(Cancel))).Count);
    }

    [Fact]
    public async Task A_body_is_not_read_for_who_has_not_the_role()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        using HttpClient http = harness.Http(harness.Host.Client.Token!.Reveal());
        var body = new SlowContent("{}");
        using var request =
            new HttpRequestMessage(HttpMethod.Post, "/v1/applications/shop/releases") { Content = body, Version = HttpVersion.Version20 };
        // Answered although the body never ends.
        using HttpResponseMessage response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, Cancel)
            .WaitAsync(TimeSpan.FromMinutes(2), Cancel);
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
        body.Finish();
    }

    [Fact]
    public async Task What_is_wrong_with_a_token_or_an_application_is_said()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await CodeAsync(ProblemCodes.AlreadyExists, () => harness.Admin.CreateApplicationAsync(ApiHarness.Shop, Cancel));
        await CodeAsync(ProblemCodes.InvalidRequest, () => harness.Admin.CreateApplicationAsync("No Name", Cancel));
        await CodeAsync(
            ProblemCodes.InvalidRequest, () => harness.Admin.CreateTokenAsync(new CreateTokenRequest { Applications = [] }, Cancel));
        await CodeAsync(
            ProblemCodes.InvalidRequest,
            () => harness.Admin.CreateTokenAsync(new CreateTokenRequest { Applications = ["*", ApiHarness.Shop] }, Cancel));
        await CodeAsync(
            ProblemCodes.InvalidRequest,
            () => harness.Admin.CreateTokenAsync(new CreateTokenRequest { Applications = [ApiHarness.Shop], ExpiresInDays = 0 }, Cancel));
        await CodeAsync(
            ProblemCodes.InvalidRequest,
            () => harness.Admin.CreateTokenAsync(new CreateTokenRequest { Applications = [ApiHarness.Shop], Name = "a b" }, Cancel));
        await CodeAsync(
            ProblemCodes.UnknownApplication,
            () => harness.Admin.CreateTokenAsync(new CreateTokenRequest { Applications = ["nowhere"] }, Cancel));
        await CodeAsync(ProblemCodes.NotFound, () => harness.Admin.RevokeTokenAsync("0000000000000000", Cancel));
        await CodeAsync(ProblemCodes.NotFound, () => harness.Admin.SetRoleAsync("0000000000000000", ApiHarness.Shop, Role.Node, Cancel));

        static async Task CodeAsync(string code, Func<Task> call) => Assert.Equal(code, (await ApiHarness.FailsAsync(call)).Code);
    }

    [Fact]
    public async Task Lists_come_in_pages_and_every_change_names_its_actor()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await Task.WhenAll(
            Enumerable.Range(0, 230).Select(
                i => harness.Admin.CreateTokenAsync(new CreateTokenRequest { Applications = [ApiHarness.Shop] }, Cancel)));
        List<TokenInfo> tokens = await ApiHarness.AllAsync(harness.Admin.ListTokensAsync(Cancel));
        Assert.Equal(232, tokens.Count);
        Assert.Equal(tokens.Select(t => t.TokenId).Order(StringComparer.Ordinal), tokens.Select(t => t.TokenId));
        Assert.Equal(232, (await ApiHarness.AllAsync(harness.Admin.ListRolesAsync(cancellationToken: Cancel))).Distinct().Count());
        List<AuditInfo> audit = await ApiHarness.AllAsync(harness.Admin.ListAuditAsync(cancellationToken: Cancel));
        Assert.Equal(230, audit.Count(a => a.Action == "token.create" && a.Actor == $"token:{harness.Host.Admin.Token!.Id}"));
        Assert.Equal(audit.Select(a => a.Number).OrderDescending(), audit.Select(a => a.Number));
    }

    private static async Task RefusedAsync(Func<Task> call)
    {
        RippleAdminException refused = await ApiHarness.FailsAsync(call);
        Assert.Equal((AdminFailure.Unauthorised, ProblemCodes.NotAllowed), (refused.Failure, refused.Code));
    }
}
