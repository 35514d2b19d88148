using System.Net;
using System.Text;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Api;

/// <summary>Publish, read, roll back over HTTPS, against a real host.</summary>
public sealed class PublishApiTests
{
    private static CancellationToken Cancel => ApiHarness.Cancel;

    [Fact]
    public void Bounds_told_to_callers_are_those_of_releases()
    {
        Assert.Equal(ReleaseLimits.BodyBytesMax, AdminLimits.ValueBytesMax);
        Assert.Equal(ReleaseLimits.PublishBytesMax, AdminLimits.PublishBytesMax);
        Assert.Equal(ReleaseLimits.ChangesMax, AdminLimits.ChangesMax);
    }

    [Fact]
    public async Task A_publish_is_read_back_byte_for_byte_with_its_history_and_diff()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        string value = "{ \"a\": 1, // as written\n \"b\": [ ] }\n";
        PublishResult first = await harness.Admin.PublishAsync(
            ApiHarness.Shop, ApiHarness.Set("web/app.json", value, "first"), 0, cancellationToken: Cancel);
        byte[] bytes = [.. Enumerable.Range(0, 300).Select(i => (byte)i)];
        PublishResult second = await harness.Admin.PublishAsync(
            ApiHarness.Shop,
            new PublishRequest { Set = [new KeyValue { Key = "odd key/../?&#%2F", Bytes = bytes }], Remove = ["web/app.json"] },
            cancellationToken: Cancel);
        Assert.Equal((1UL, 2UL), (first.Release, second.Release));

        KeyContent text = await harness.Admin.ReadKeyAsync(ApiHarness.Shop, "web/app.json", 1, Cancel);
        Assert.Equal(value, Encoding.UTF8.GetString(text.Bytes.Span));
        Assert.Equal((1U, 1UL), (text.Generation, text.Release));
        Assert.Equal(
            bytes, (await harness.Admin.ReadKeyAsync(ApiHarness.Shop, "odd key/../?&#%2F", cancellationToken: Cancel)).Bytes.ToArray());
        Assert.Equal(ProblemCodes.NotFound, (await ApiHarness.FailsAsync(
            () => harness.Admin.ReadKeyAsync(ApiHarness.Shop, "web/app.json", cancellationToken: Cancel))).Code);

        List<ReleaseInfo> history = await ApiHarness.AllAsync(harness.Admin.ListReleasesAsync(ApiHarness.Shop, cancellationToken: Cancel));
        Assert.Equal([2UL, 1UL], history.Select(r => r.Release));
        Assert.Equal(("first", first.Id, first.PublishId), (history[1].Note, history[1].Id, history[1].PublishId));
        Assert.Equal($"token:{harness.Host.Admin.Token!.Id}", history[1].Actor);
        Assert.Equal(history[1].Id, history[0].PreviousId);
        Assert.Equal(history[0].Id, (await harness.Admin.GetReleaseAsync(ApiHarness.Shop, 2, Cancel)).Id);

        Diff diff = await harness.Admin.DiffAsync(ApiHarness.Shop, 1, cancellationToken: Cancel);
        Assert.Equal(
            [("odd key/../?&#%2F", KeyChangeKind.Added), ("web/app.json", KeyChangeKind.Removed)],
            diff.Changes.Select(c => (c.Key, c.Kind)));
        Assert.Equal([KeyChangeKind.Added], (await harness.Admin.DiffAsync(ApiHarness.Shop, 0, 1, Cancel)).Changes.Select(c => c.Kind));
        Assert.Equal(
            ["odd key/../?&#%2F"],
            (await ApiHarness.AllAsync(harness.Admin.ListKeysAsync(ApiHarness.Shop, cancellationToken: Cancel))).Select(k => k.Key));
        Assert.True((await ApiHarness.AllAsync(harness.Admin.ListKeysAsync(ApiHarness.Shop, 1, "web/", Cancel))).Single().IsJson);
    }

    [Fact]
    public async Task A_wrong_expected_release_is_refused_with_the_newest()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        RippleAdminException refused = await ApiHarness.FailsAsync(
            () => harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), 0, cancellationToken: Cancel));
        Assert.Equal(
            (AdminFailure.Refused, ProblemCodes.WrongExpectedRelease, (ulong?)1), (refused.Failure, refused.Code, refused.NewestRelease));
        Assert.Equal(412, refused.Problem!.Status);
        refused = await ApiHarness.FailsAsync(() => harness.Admin.PlanPublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), 7, Cancel));
        Assert.Equal((ProblemCodes.WrongExpectedRelease, (ulong?)1), (refused.Code, refused.NewestRelease));
    }

    [Fact]
    public async Task An_expected_release_is_that_of_its_generation()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        var ofAnother = new ReleaseNumber(2, 1);
        RippleAdminException[] refused =
        [
            await ApiHarness.FailsAsync(
                () => harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), ofAnother, cancellationToken: Cancel)),
            await ApiHarness.FailsAsync(
                () => harness.Admin.RollbackAsync(ApiHarness.Shop, new RollbackRequest(1), ofAnother, cancellationToken: Cancel)),
            await ApiHarness.FailsAsync(() => harness.Admin.PlanPublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), ofAnother, Cancel)),
        ];
        Assert.All(refused, r => Assert.Equal(
            (ProblemCodes.WrongExpectedRelease, (ulong?)1, (uint?)1), (r.Code, r.NewestRelease, r.NewestGeneration)));
        Assert.All(refused, r => Assert.StartsWith("The newest release of 'shop' is 1/1, not 2/1. ", r.Message, StringComparison.Ordinal));
        PublishResult done = await harness.Admin.PublishAsync(
            ApiHarness.Shop, ApiHarness.Set("a", "2"), new ReleaseNumber(1, 1), cancellationToken: Cancel);
        Assert.Equal(2UL, done.Release);
    }

    [Fact]
    public async Task The_same_publish_id_is_released_once_and_never_for_other_content()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        var id = Guid.NewGuid();
        PublishResult[] all = await Task.WhenAll(
            Enumerable.Range(0, 8).Select(_ => harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), 0, id, Cancel)));
        Assert.All(all, result => Assert.Equal((1UL, id), (result.Release, result.PublishId)));
        Assert.Equal(ProblemCodes.PublishIdReused, (await ApiHarness.FailsAsync(
            () => harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), null, id, Cancel))).Code);
        Assert.Single(await ApiHarness.AllAsync(harness.Admin.ListReleasesAsync(ApiHarness.Shop, cancellationToken: Cancel)));
    }

    [Fact]
    public async Task What_is_wrong_with_a_publish_is_said()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await RefusedAsync(ApiHarness.Set("a.json", "{ \"a\": }"), ProblemCodes.InvalidJson, "'a.json'");
        await RefusedAsync(new PublishRequest(), ProblemCodes.InvalidRequest, "1 to 1000 keys");
        await RefusedAsync(new PublishRequest { Set = [new KeyValue { Key = "a" }] }, ProblemCodes.InvalidRequest, "no value");
        await RefusedAsync(
            new PublishRequest { Set = [new KeyValue { Key = "a", Text = "1" }], Remove = ["a"] }, ProblemCodes.InvalidRequest, "twice");
        await RefusedAsync(new PublishRequest { Remove = ["gone"] }, ProblemCodes.NothingChanged, "changes nothing");
        await RefusedAsync(ApiHarness.Set("a", "1", new string('n', 3_000)), ProblemCodes.InvalidRequest, "note");
        Assert.Equal(ProblemCodes.UnknownApplication, (await ApiHarness.FailsAsync(
            () => harness.Admin.PublishAsync("nowhere", ApiHarness.Set("a", "1"), cancellationToken: Cancel))).Code);

        async Task RefusedAsync(PublishRequest request, string code, string text)
        {
            RippleAdminException refused = await ApiHarness.FailsAsync(
                () => harness.Admin.PublishAsync(ApiHarness.Shop, request, cancellationToken: Cancel));
            Assert.Equal(code, refused.Code);
            Assert.Contains(text, refused.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("/v1/applications/shop/releases", """{"set":[{"key":"a","text":"1"}],"sett":[]}""")]
    [InlineData("/v1/applications/shop/releases", """{"set":[{"key":"a","text":"1"}]""")]
    [InlineData("/v1/applications/shop/releases", "")]
    [InlineData("/v1/tokens", """{"applications":["shop"],"role":7}""")]
    [InlineData("/v1/tokens", """{"applications":["shop"],"role":"king"}""")]
    [InlineData("/v1/tokens", """{"applications":[null]}""")]
    [InlineData("/v1/tokens", """{"role":"node"}""")]
    [InlineData("/v1/applications", """{"name":null}""")]
    public async Task A_body_that_is_not_what_the_route_takes_is_refused_as_invalid(string path, string json)
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        using HttpClient http = harness.Http(harness.Host.Admin.Token!.Reveal());
        using var content = new StringContent(json, Encoding.UTF8, "application/json");
        using HttpResponseMessage response = await http.PostAsync(path, content, Cancel);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Equal(ProblemCodes.InvalidRequest, AdminJsonText.Problem(await response.Content.ReadAsStringAsync(Cancel))?.Code);
        Assert.Equal(2, (await ApiHarness.AllAsync(harness.Admin.ListTokensAsync(Cancel))).Count);
    }

    [Fact]
    public async Task Too_much_is_refused_by_the_client_and_by_the_host()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        byte[] body = new byte[17 * 1024 * 1024];
        RippleAdminException refused = await ApiHarness.FailsAsync(() => harness.Admin.PublishAsync(
            ApiHarness.Shop, new PublishRequest { Set = [new KeyValue { Key = "a", Bytes = body }] }, cancellationToken: Cancel));
        Assert.Equal((AdminFailure.Refused, ProblemCodes.TooLarge), (refused.Failure, refused.Code));

        using HttpClient http = harness.Http(harness.Host.Admin.Token!.Reveal());
        using var content = new StringContent(
            $$"""{"set":[{"key":"a","bytes":"{{Convert.ToBase64String(body)}}"}]}""", Encoding.UTF8, "application/json");
        using HttpResponseMessage response = await http.PostAsync("/v1/applications/shop/releases", content, Cancel);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
        Assert.Equal(ProblemCodes.TooLarge, AdminJsonText.Problem(await response.Content.ReadAsStringAsync(Cancel))?.Code);
        Assert.Equal(16 * 1024 * 1024, (await harness.Admin.PublishAsync(
            ApiHarness.Shop,
            new PublishRequest { Set = [new KeyValue { Key = "a", Bytes = body[..(16 * 1024 * 1024)] }] },
            cancellationToken: Cancel)) is { } done
            ? (await harness.Admin.ReadKeyAsync(ApiHarness.Shop, "a", done.Release, Cancel)).Bytes.Length
            : 0);
    }

    [Fact]
    public async Task A_plan_says_what_would_change_and_changes_nothing()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        PublishPlan first = await harness.Admin.PlanPublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        Assert.Equal((0UL, null), (first.BaseRelease, first.BaseGeneration));
        await harness.Admin.PublishAsync(
            ApiHarness.Shop,
            new PublishRequest { Set = [new() { Key = "a", Text = "1" }, new() { Key = "b", Text = "2" }] },
            cancellationToken: Cancel);
        PublishPlan plan = await harness.Admin.PlanPublishAsync(
            ApiHarness.Shop,
            new PublishRequest { Set = [new() { Key = "a", Text = "1" }, new() { Key = "c", Text = "3" }], Remove = ["b"] },
            cancellationToken: Cancel);
        Assert.Equal([("b", KeyChangeKind.Removed), ("c", KeyChangeKind.Added)], plan.Changes.Select(c => (c.Key, c.Kind)));
        Assert.Equal(1UL, plan.BaseRelease);
        Assert.Equal(1u, plan.BaseGeneration);
        Assert.Empty(plan.Nodes);
        Assert.Equal(1UL, (await harness.Admin.GetApplicationAsync(ApiHarness.Shop, Cancel)).Release);
    }

    [Fact]
    public async Task A_rollback_brings_a_past_state_back_as_a_new_release()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        await harness.Admin.PublishAsync(
            ApiHarness.Shop,
            new PublishRequest { Set = [new() { Key = "a", Text = "2" }, new() { Key = "b", Text = "2" }] },
            cancellationToken: Cancel);
        PublishPlan plan = await harness.Admin.PlanRollbackAsync(ApiHarness.Shop, new RollbackRequest(1), cancellationToken: Cancel);
        Assert.Equal([("a", KeyChangeKind.Changed), ("b", KeyChangeKind.Removed)], plan.Changes.Select(c => (c.Key, c.Kind)));
        var id = Guid.NewGuid();
        PublishResult done = await harness.Admin.RollbackAsync(ApiHarness.Shop, new RollbackRequest(1, "bad"), 2, id, Cancel);
        Assert.Equal(3UL, done.Release);
        Assert.Equal(done, await harness.Admin.RollbackAsync(ApiHarness.Shop, new RollbackRequest(1, "bad"), 2, id, Cancel));
        Assert.Empty((await harness.Admin.DiffAsync(ApiHarness.Shop, 1, 3, Cancel)).Changes);
        Assert.Equal(ProblemCodes.NotFound, (await ApiHarness.FailsAsync(
            () => harness.Admin.RollbackAsync(ApiHarness.Shop, new RollbackRequest(9), cancellationToken: Cancel))).Code);
        Assert.Equal(ProblemCodes.NotFound, (await ApiHarness.FailsAsync(
            () => harness.Admin.RollbackAsync(ApiHarness.Shop, new RollbackRequest(0), cancellationToken: Cancel))).Code);
    }

    [Fact]
    public async Task A_revoked_token_and_an_unreachable_host_are_told_apart()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        CreatedToken made = await harness.Admin.CreateTokenAsync(
            new CreateTokenRequest { Applications = [ApiHarness.Shop], Role = Role.Publisher }, Cancel);
        RippleAdminClient publisher = harness.Client(ConnectionString.Parse(made.ConnectionString));
        await publisher.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        await harness.Admin.RevokeTokenAsync(made.Token.TokenId, Cancel);
        Assert.Equal(AdminFailure.Unauthorised, (await ApiHarness.FailsAsync(
            () => publisher.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), cancellationToken: Cancel))).Failure);

        using RippleAdminClient stranger = RippleAdminClient.Connect(
            $"Endpoints={harness.Host.Server.Endpoint};Authority=sha256:{new string('0', 64)};Token={AccessTokenSecret.New().Reveal()}",
            new RippleAdminOptions { RetryCount = 1 });
        RippleAdminException untrusted = await ApiHarness.FailsAsync(() => stranger.GetClusterAsync(Cancel));
        Assert.Equal(AdminFailure.Unreachable, untrusted.Failure);
        Assert.Contains("another authority", untrusted.Message, StringComparison.Ordinal);

        string text = harness.Host.Admin.Token!.Reveal();
        await harness.Host.Server.DisposeAsync();
        RippleAdminException gone = await ApiHarness.FailsAsync(() => harness.Admin.GetClusterAsync(Cancel));
        Assert.Equal(AdminFailure.Unreachable, gone.Failure);
        Assert.DoesNotContain(text, gone.ToString(), StringComparison.Ordinal);
    }
}
