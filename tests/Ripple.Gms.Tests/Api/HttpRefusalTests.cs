using Ripple.Admin.Contracts;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Api;

/// <summary>Each refusal of the HTTP door: its status, code and text, to the letter.</summary>
public sealed class HttpRefusalTests
{
    private const string StoreFull = "The host's store has too much waiting. Try again, with the same publish id where there is one.";
    private const string StoreFailed =
        "The host's store did not do it; the host's log says more. Try again, and tell who runs the host if it stays.";
    private const string Nowhere = "There is no application 'nowhere'. Create it first, or look for a typing error.";

    [Fact]
    public async Task An_application_that_is_not_there_is_said_to_who_may_ask_for_all()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        (await host.PostAsync(host.Admin, "/v1/applications/nowhere/releases", HttpRig.Set("a", "1"))).Is(
            404, ProblemCodes.UnknownApplication, Nowhere);
        (await host.PostAsync(host.Admin, "/v1/applications/nowhere/rollback", """{"toRelease":1}""")).Is(
            404, ProblemCodes.UnknownApplication, Nowhere);
        (await host.GetAsync(host.Admin, "/v1/applications/nowhere/releases")).Is(404, ProblemCodes.UnknownApplication, Nowhere);
        (await host.GetAsync(host.Admin, "/v1/applications/nowhere/value?key=a")).Is(404, ProblemCodes.UnknownApplication, Nowhere);
        (await host.GetAsync(host.Admin, "/v1/applications/nowhere/nodes")).Is(404, ProblemCodes.UnknownApplication, Nowhere);
        (await host.GetAsync(host.Admin, "/v1/applications/nowhere/frontier")).Is(404, ProblemCodes.UnknownApplication, Nowhere);
        (await host.GetAsync(host.Admin, "/v1/applications/nowhere/waits?release=1")).Is(404, ProblemCodes.UnknownApplication, Nowhere);
    }

    [Fact]
    public async Task A_publish_that_the_order_refuses_is_told_why()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        const string Id = "00000007-0000-0000-0000-000000000000";
        await host.PublishedAsync("a", "1");
        Problem wrong = (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "2"), ("If-Match", "\"7\""))).Is(
            412, ProblemCodes.WrongExpectedRelease, "The newest release of 'shop' is 1, not 7. Read it, and publish again on top of it.");
        Assert.Equal(1UL, wrong.NewestRelease);
        Assert.Equal(
            201,
            (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "2"), (AdminRoutes.IdempotencyKeyHeader, Id))).Status);
        (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "3"), (AdminRoutes.IdempotencyKeyHeader, Id))).Is(
            409, ProblemCodes.PublishIdReused, $"The publish id {Id} was used before for other content. Use a new id for new content.");
        (await host.PostAsync(host.Publisher, HttpRig.Publish, """{"remove":["gone"]}""")).Is(
            409, ProblemCodes.NothingChanged, "The publish changes nothing: the newest release already has the state asked for.");
        (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "1", "\\u0007"))).Is(
            400, ProblemCodes.InvalidRequest, "The note has a control character (U+0007) at position 1. Remove it.");
        (await host.PostAsync(host.Publisher, HttpRig.Publish, """{"set":[{"key":"a","text":"1"},{"key":"a","text":"2"}]}""")).Is(
            400, ProblemCodes.InvalidRequest, "The key 'a' is in the publish twice. Give each key once.");
    }

    [Fact]
    public async Task The_tag_of_a_release_is_what_the_next_change_may_expect()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        string tag = (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "1"))).Headers.ETag.ToString();
        Assert.Equal("\"1/1\"", tag);
        Assert.Equal(201, (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "2"), ("If-Match", tag))).Status);
        Problem wrong = (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "3"), ("If-Match", tag))).Is(
            412,
            ProblemCodes.WrongExpectedRelease,
            "The newest release of 'shop' is 1/2, not 1/1. Read it, and publish again on top of it.");
        Assert.Equal((1u, 2ul), (wrong.NewestGeneration, wrong.NewestRelease));
    }

    [Fact]
    public async Task Headers_that_are_not_what_they_should_be_are_refused()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        foreach (string text in (string[])["7", "\"seven\"", "\"-1\"", "\"18446744073709551615\"", "W/\"7\"", "\"0/7\"", "\"1/\""])
        {
            (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "1"), ("If-Match", text))).Is(
                400,
                ProblemCodes.InvalidRequest,
                $"If-Match '{text}' is not a release. Give the newest release you know as \"2/12\", with its generation, or \"12\" alone, "
                    + "or \"0\" when there should be none yet.");
        }

        foreach (string text in (string[])["x", "00000000-0000-0000-0000-000000000000"])
        {
            (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "1"), (AdminRoutes.IdempotencyKeyHeader, text))).Is(
                400,
                ProblemCodes.InvalidRequest,
                $"Idempotency-Key '{text}' is not a GUID other than zero. Make one for each change, and send it again when you ask again.");
        }

        Assert.Empty(host.Store.Passed);
    }

    [Fact]
    public async Task Values_that_are_too_large_together_are_refused()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        string half = new('x', AdminLimits.PublishBytesMax / 2);
        (await host.PostAsync(
            host.Publisher, HttpRig.Publish, $$"""{"set":[{"key":"a","text":"{{half}}"},{"key":"b","text":"{{half}}y"}]}""")).Is(
                413, ProblemCodes.TooLarge, "The values have 16777217 bytes together; a publish has at most 16777216. Publish in parts.");
    }

    [Fact]
    public async Task Of_one_token_so_many_changes_run_and_wait_and_no_more()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        host.Store.Hold();
        // 4 run, 32 wait.
        List<Task<HttpAnswer>> asked =
            [.. Enumerable.Range(0, 40).Select(i => host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", $"{i}")))];
        for (int i = 0; i < 4; i++)
        {
            Task<HttpAnswer> refused = await Task.WhenAny(asked);
            asked.Remove(refused);
            (await refused).Is(503, ProblemCodes.Busy, "The host has too much to do. Try again.");
        }

        host.Store.LetGo();
        Assert.All(await Task.WhenAll(asked), a => Assert.Equal(201, a.Status));
    }

    [Theory]
    [InlineData(nameof(StoreStatus.Refused))]
    [InlineData(nameof(StoreStatus.Busy))]
    public async Task A_store_that_does_not_take_the_commit_releases_nothing(string status)
    {
        await using HttpRig host = await HttpRig.StartAsync();
        host.Store.AnswerNextCommit(Enum.Parse<StoreStatus>(status), "why not");
        (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "1"))).Is(
            503, ProblemCodes.Busy, "Nothing was released: why not");
        Assert.Empty(host.Store.Passed);
        await host.PublishedAsync("a", "1");
        Assert.Equal(1UL, Assert.Single(host.Store.Passed[^1].Releases).Header.Release);
    }

    [Fact]
    public async Task A_store_that_failed_releases_nothing_until_its_disk_works_and_is_read_all_the_while()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        await host.PublishedAsync("a", "1");
        await host.PublishedAsync("a", "2");
        host.Store.Break("the disk is gone");
        (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "3"))).Is(
            503, ProblemCodes.StoreFailed, "Whether it was released is not known: the disk is gone"
                + " Ask again with the same publish id when the host's store works again.");
        (await host.PostAsync(host.Publisher, HttpRig.Publish, HttpRig.Set("a", "3"))).Is(
            503,
            ProblemCodes.StoreFailed,
            "The host's store failed; nothing is released until it works again. The host's log says what was reported.");
        (await host.PostAsync(host.Publisher, HttpRig.Rollback, """{"toRelease":1}""")).Is(
            503,
            ProblemCodes.StoreFailed,
            "The host's store failed; nothing is released until it works again. The host's log says what was reported.");
        Assert.Equal(200, (await host.GetAsync(host.Node, HttpRig.Publish)).Status);
        Assert.Equal(200, (await host.GetAsync(host.Node, "/v1/applications/shop/value?key=a&release=1")).Status);
        (await host.PostAsync(host.Admin, "/v1/applications", """{"name":"new"}""")).Is(
            503, ProblemCodes.StoreFailed, "The application was not created: the disk is gone");
        host.Store.BreakReads("the disk is gone");
        (await host.GetAsync(host.Node, HttpRig.Publish)).Is(503, ProblemCodes.StoreFailed, StoreFailed);
    }

    [Fact]
    public async Task A_store_that_is_full_is_busy()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        await host.PublishedAsync("a", "1");
        await host.PublishedAsync("a", "2");
        host.Store.TakeNotNextRead();
        (await host.PostAsync(host.Publisher, HttpRig.Rollback, """{"toRelease":1}""")).Is(503, ProblemCodes.Busy, StoreFull);
        host.Store.TakeNotNextRead();
        (await host.GetAsync(host.Node, HttpRig.Publish)).Is(503, ProblemCodes.Busy, StoreFull);
        host.Store.TakeNotNextRead();
        (await host.GetAsync(host.Node, "/v1/applications/shop/value?key=a&release=1")).Is(503, ProblemCodes.Busy, StoreFull);
        host.Store.TakeNotNextCommit();
        (await host.PostAsync(host.Admin, "/v1/applications", """{"name":"new"}""")).Is(
            503, ProblemCodes.Busy, StoreFull);
    }

    [Fact]
    public async Task A_rollback_to_what_is_not_there_or_to_what_is_there_already_is_refused()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        await host.PublishedAsync("a", "1");
        (await host.PostAsync(host.Publisher, HttpRig.Rollback, """{"toRelease":9}""")).Is(
            404, ProblemCodes.NotFound, "'shop' has no release 9; the newest is 1.");
        (await host.PostAsync(host.Publisher, HttpRig.Rollback, """{"toRelease":1}""")).Is(
            409, ProblemCodes.NothingChanged, "The publish changes nothing: the newest release already has the state asked for.");
        (await host.PostAsync(host.Publisher, HttpRig.Rollback, """{"toRelease":1}""", ("If-Match", "\"0\""))).Is(
            412, ProblemCodes.WrongExpectedRelease, "The newest release of 'shop' is 1, not 0. Read it, and publish again on top of it.");
        (await host.PostAsync(host.Publisher, HttpRig.Rollback, """{"toRelease":1,"note":"\u0007"}""")).Is(
            400, ProblemCodes.InvalidRequest, "The note has a control character (U+0007) at position 1. Remove it.");
    }

    [Fact]
    public async Task A_key_and_a_release_that_are_not_there_are_not_found()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        await host.PublishedAsync("a", "1");
        (await host.GetAsync(host.Node, "/v1/applications/shop/value?key=b")).Is(
            404, ProblemCodes.NotFound, "'shop' has no key 'b' at release 1.");
        (await host.GetAsync(host.Node, "/v1/applications/shop/releases/9")).Is(
            404, ProblemCodes.NotFound, "'shop' has no release 9; the newest is 1.");
        (await host.GetAsync(host.Node, "/v1/applications/shop/releases/0")).Is(
            404, ProblemCodes.NotFound, "'shop' has no release 0; the newest is 1.");
        (await host.GetAsync(host.Node, "/v1/applications/shop/releases?cursor=x")).Is(
            400, ProblemCodes.InvalidRequest, "The cursor 'x' is not one of a page before. Begin without one.");
    }

    [Fact]
    public async Task A_wait_that_cannot_begin_says_why()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        const string Waits = "/v1/applications/shop/waits";
        (await host.GetAsync(host.Node, Waits + "?release=1")).Is(
            404, ProblemCodes.NotFound, "Release 1 of 'shop' is not committed; the newest is 0. Wait for a committed release.");
        await host.PublishedAsync("a", "1");
        (await host.GetAsync(host.Node, Waits + "?release=0")).Is(
            404, ProblemCodes.NotFound, "Release 0 of 'shop' is not committed; the newest is 1. Wait for a committed release.");
        (await host.GetAsync(host.Node, Waits + "?release=1&timeoutSeconds=0")).Is(
            400, ProblemCodes.InvalidRequest, "timeoutSeconds is 0; give 1 to 3600.");
        (await host.GetAsync(host.Node, Waits + "?release=1&timeoutSeconds=3601")).Is(
            400, ProblemCodes.InvalidRequest, "timeoutSeconds is 3601; give 1 to 3600.");
        HttpAnswer unread = await host.GetAsync(host.Node, Waits + "?release=1&predicate=MIN(");
        Assert.StartsWith("The predicate is not one. At 4: ", AdminJsonText.Problem(unread.Text)!.Detail, StringComparison.Ordinal);
        unread.Is(400, ProblemCodes.InvalidPredicate, AdminJsonText.Problem(unread.Text)!.Detail);
        HttpAnswer unbound = await host.GetAsync(host.Node, Waits + "?release=1&predicate=MIN($ALL.tasted)");
        Assert.StartsWith("The wait cannot begin. At ", AdminJsonText.Problem(unbound.Text)!.Detail, StringComparison.Ordinal);
        // Nobody was a member when it was committed: there is nobody to wait for.
        HttpAnswer nobody = await host.GetAsync(host.Node, Waits + "?release=1");
        Assert.Equal((400, ProblemCodes.InvalidPredicate), (nobody.Status, AdminJsonText.Problem(nobody.Text)!.Code));
    }

    [Fact]
    public async Task An_application_that_cannot_be_made_is_refused()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        (await CreateAsync("shop")).Is(409, ProblemCodes.AlreadyExists, "The application 'shop' is there already.");
        (await CreateAsync("No Name")).Is(
            400,
            ProblemCodes.InvalidRequest,
            "The application name has 'N' at position 1. Use a-z 0-9 . _ - only, starting with a letter or digit.");
        (await CreateAsync("")).Is(
            400,
            ProblemCodes.InvalidRequest,
            "The application has no name. Give 1 to 100 characters of a-z 0-9 . _ -, starting with a letter or digit.");
        host.Store.AnswerNextCommit(StoreStatus.Refused, "a rule forbids it");
        (await CreateAsync("new")).Is(503, ProblemCodes.StoreFailed, "The application was not created: a rule forbids it");
        Assert.Equal(201, (await CreateAsync("new")).Status);

        Task<HttpAnswer> CreateAsync(string name) => host.PostAsync(host.Admin, "/v1/applications", $$"""{"name":"{{name}}"}""");
    }
}
