using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Api;

namespace Ripple.Gms.Tests.Calls;

/// <summary>
/// Where the two doors of a host answer the same question differently now. Each test pins both, and its name says which answer stays; who makes the doors one turns the other
/// half round. Where the names of a door's own words are all that differs (a header, a status), nothing is said here.
/// </summary>
public sealed class DoorDifferenceTests
{
    private readonly CallRig _control = new();
    private readonly ControlCaller _publisher;

    public DoorDifferenceTests() => _publisher = _control.Connect(CallRig.Publisher);

    [Fact]
    public async Task A_role_taken_away_while_a_publish_is_prepared_stays_refused_differs_at_http()
    {
        _control.HoldsPreparations = true;
        _publisher.BeginPublish([("a", "1")]);
        _control.Run();
        _control.Change(AccessTokenChange.Withdraw(CallRig.Publisher, CallRig.Shop, 5, "test"));
        _control.Prepare();
        Assert.Equal(ErrorCode.NotAllowed, _publisher.Answer<Engine.Protocol.Calls.PublishResult>().Code);

        await using HttpRig http = await HttpRig.StartAsync();
        var gate = new TaskCompletionSource();
        http.PrepareGate = gate.Task;
        Task<HttpAnswer> asked = http.PostAsync(http.Publisher, HttpRig.Publish, HttpRig.Set("a", "1"));
        await http.Preparing.Task.WaitAsync(HttpRig.Cancel);
        await http.ChangeAsync(AccessTokenChange.Withdraw(http.Publisher.Id, "shop", 5, "test"));
        gate.SetResult();
        Assert.Equal(201, (await asked).Status);
    }

    [Fact]
    public async Task Bytes_of_publishes_under_way_stay_bounded_by_the_option_differs_at_http()
    {
        var control = new CallRig(uploadBytesMax: 1);
        Refusals.Is(ErrorCode.Busy, "Too many publishes are under way. Try again with the same publish id.", control.Connect(CallRig.Publisher).Publish("a", "1"));
        await using HttpRig http = await HttpRig.StartAsync(uploadBytesMax: 1);
        await http.PublishedAsync("a", "1");
    }

    [Fact]
    public async Task The_words_for_asking_again_stay_those_of_the_door_differs_at_http()
    {
        const string Text = "The host checks as many publishes as it may at one time. Try again with the same ";
        _control.IsPreparerFull = true;
        Refusals.Is(ErrorCode.Busy, Text + "publish id.", _publisher.Publish("a", "1"));
        await using HttpRig http = await HttpRig.StartAsync();
        http.IsPreparerFull = true;
        // The words of the other refusals say "publish id" at HTTP too.
        (await http.PostAsync(http.Publisher, HttpRig.Publish, HttpRig.Set("a", "1"))).Is(503, ProblemCodes.Busy, Text + "idempotency key.");
    }

    [Fact]
    public async Task A_lacking_role_stays_told_with_what_to_do_differs_at_http()
    {
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token node does not allow this in 'shop': it takes the role Publisher in that application. Ask an administrator.",
            _control.Connect(CallRig.Node).Publish("a", "1"));
        ControlCaller publisher = _control.Connect(CallRig.Publisher);
        publisher.Send(new CreateApplication(1, "new"));
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token publisher is not an administrator's of the cluster. Use the administrator credential the host wrote at its first start.",
            publisher.Answer<CallResult>());
        // These stay: they say the role as it is written where it is set.
        await using HttpRig http = await HttpRig.StartAsync();
        (await http.PostAsync(http.Node, HttpRig.Publish, HttpRig.Set("a", "1"))).Is(
            403, ProblemCodes.NotAllowed, $"The token {http.Node.Id} does not allow this: it takes the role publisher in 'shop'. Ask an administrator to set it.");
        (await http.PostAsync(http.Publisher, "/v1/applications", """{"name":"new"}""")).Is(
            403, ProblemCodes.NotAllowed, $"The token {http.Publisher.Id} does not allow this: it takes the role admin over all applications (*). Ask an administrator to set it.");
    }

    [Fact]
    public async Task One_value_that_is_too_large_stays_named_differs_at_http()
    {
        _publisher.Send(new PublishBegin(1, CallRig.Shop, Guid.NewGuid(), PublishBegin.AnyRelease, "", "", [new PublishKey("a", false, ReleaseLimits.BodyBytesMax + 1)]));
        Refusals.Is(
            ErrorCode.TooLarge,
            "The values have 16777217 bytes together; a publish has at most 16777216. Publish in parts.",
            _publisher.Answer<Engine.Protocol.Calls.PublishResult>());
        // This stays: in parts it would not go either.
        await using HttpRig http = await HttpRig.StartAsync();
        (await http.PostAsync(http.Publisher, HttpRig.Publish, HttpRig.Set("a", new string('x', ReleaseLimits.BodyBytesMax + 1)))).Is(
            413, ProblemCodes.TooLarge, "The value of 'a' has 16777217 bytes; at most 16777216 are allowed. Split it over several keys.");
    }

    [Fact]
    public async Task A_publish_id_of_zero_is_to_be_refused_as_it_is_now_differs_at_http()
    {
        Assert.Equal(ErrorCode.None, _publisher.Publish("a", "1", Guid.Empty).Code);
        await using HttpRig http = await HttpRig.StartAsync();
        (await http.PostAsync(http.Publisher, HttpRig.Publish, HttpRig.Set("a", "1"), (AdminRoutes.IdempotencyKeyHeader, Guid.Empty.ToString()))).Is(
            400,
            ProblemCodes.InvalidRequest,
            "Idempotency-Key '00000000-0000-0000-0000-000000000000' is not a GUID other than zero. Make one for each change, and send it again when you ask again.");
    }

    [Fact]
    public async Task An_empty_key_alone_is_to_be_refused_with_words_as_it_is_now_differs_at_http()
    {
        _publisher.BeginPublish([("", null)]);
        _control.Run();
        Assert.NotNull(_publisher.ClosedBecause);
        await using HttpRig http = await HttpRig.StartAsync();
        (await http.PostAsync(http.Publisher, HttpRig.Publish, """{"remove":[""]}""")).Is(
            400, ProblemCodes.InvalidRequest, "The key is empty. Give 1 to 512 bytes of UTF-8 without control characters.");
    }

    [Fact]
    public async Task Release_zero_is_to_be_nothing_to_go_back_to_as_it_is_now_differs_at_http()
    {
        _publisher.Publish("a", "1");
        Assert.Equal(ErrorCode.NothingChanged, _publisher.Rollback(0).Code);
        await using HttpRig http = await HttpRig.StartAsync();
        await http.PublishedAsync("a", "1");
        (await http.PostAsync(http.Publisher, HttpRig.Rollback, """{"toRelease":0}""")).Is(404, ProblemCodes.NotFound, "'shop' has no release 0 to go back to. Look at its history.");
    }

    [Fact]
    public async Task A_store_that_failed_is_to_be_told_so_by_a_rollback_as_it_is_now_differs_at_http()
    {
        _publisher.Publish("a", "1");
        _control.Store.Break("the disk is gone");
        Refusals.Is(ErrorCode.NotFound, "'shop' has no release 1 to go back to. Look at its history. the disk is gone", _publisher.Rollback(1));
        await using HttpRig http = await HttpRig.StartAsync();
        await http.PublishedAsync("a", "1");
        http.Store.Break("the disk is gone");
        (await http.PostAsync(http.Publisher, HttpRig.Rollback, """{"toRelease":1}""")).Is(
            503, ProblemCodes.StoreFailed, "The host's store did not do it; the host's log says more. Try again, and tell who runs the host if it stays.");
    }

    [Fact]
    public async Task A_store_that_failed_is_to_be_told_so_by_a_read_as_it_is_now_differs_at_http()
    {
        _publisher.Publish("a", "1");
        _publisher.Publish("a", "2");
        _control.Store.Break("the disk is gone");
        _publisher.Send(new ReadKey(9, CallRig.Shop, 1, "a"));
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'a' at release 1.", _publisher.Answer<ReadKeyResult>());
        await using HttpRig http = await HttpRig.StartAsync();
        await http.PublishedAsync("a", "1");
        await http.PublishedAsync("a", "2");
        http.Store.Break("the disk is gone");
        (await http.GetAsync(http.Node, "/v1/applications/shop/value?key=a&release=1")).Is(
            503, ProblemCodes.StoreFailed, "The host's store did not do it; the host's log says more. Try again, and tell who runs the host if it stays.");
    }

    [Fact]
    public async Task A_read_of_a_release_that_is_not_there_is_to_say_so_as_it_is_now_differs_at_http()
    {
        _publisher.Publish("a", "1");
        _publisher.Send(new ReadKey(9, CallRig.Shop, 9, "a"));
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'a' at release 9.", _publisher.Answer<ReadKeyResult>());
        await using HttpRig http = await HttpRig.StartAsync();
        await http.PublishedAsync("a", "1");
        (await http.GetAsync(http.Node, "/v1/applications/shop/value?key=a&release=9")).Is(404, ProblemCodes.NotFound, "'shop' has no release 9; the newest is 1.");
    }

    [Fact]
    public async Task Release_zero_of_a_read_stays_the_newest_and_is_the_empty_state_differs_at_http()
    {
        // Each door promises its own meaning: the frame's 0 is its "none given", which HTTP says by leaving the release out.
        _publisher.Publish("a", "1");
        _publisher.Send(new ReadKey(9, CallRig.Shop, 0, "a"));
        Assert.Equal(1UL, _publisher.Answer<ReadKeyResult>().Release);
        await using HttpRig http = await HttpRig.StartAsync();
        await http.PublishedAsync("a", "1");
        (await http.GetAsync(http.Node, "/v1/applications/shop/value?key=a&release=0")).Is(404, ProblemCodes.NotFound, "'shop' has no key 'a' at release 0.");
        Assert.Equal(new HttpAnswer(200, "1"), await http.GetAsync(http.Node, "/v1/applications/shop/value?key=a"));
    }

    [Fact]
    public async Task A_count_outside_its_bounds_stays_cut_and_is_refused_differs_at_http()
    {
        // Each door promises its own: a frame says "at most so many", a page is asked for by a number that is documented.
        _publisher.Publish("a", "1");
        _publisher.Send(new History(9, CallRig.Shop, ulong.MaxValue, 0));
        Assert.Single(_publisher.Answer<HistoryResult>().Entries);
        await using HttpRig http = await HttpRig.StartAsync();
        (await http.GetAsync(http.Node, HttpRig.Publish + "?limit=0")).Is(400, ProblemCodes.InvalidRequest, "limit is 0; give 1 to 200.");
        (await http.GetAsync(http.Node, HttpRig.Publish + "?limit=201")).Is(400, ProblemCodes.InvalidRequest, "limit is 201; give 1 to 200.");
    }

    [Fact]
    public async Task What_a_failed_store_says_stays_in_the_log_differs_at_http()
    {
        _control.Store.Break("the disk is gone");
        _publisher.Send(new History(9, CallRig.Shop, ulong.MaxValue, 1));
        Refusals.Is(ErrorCode.StoreFailed, "the disk is gone", _publisher.Answer<HistoryResult>());
        // This stays: a reason of the store names files of the host.
        await using HttpRig http = await HttpRig.StartAsync();
        http.Store.Break("the disk is gone");
        (await http.GetAsync(http.Node, HttpRig.Publish)).Is(
            503, ProblemCodes.StoreFailed, "The host's store did not do it; the host's log says more. Try again, and tell who runs the host if it stays.");
    }

    [Fact]
    public async Task A_store_that_is_full_stays_told_with_the_id_to_ask_again_differs_at_http()
    {
        _publisher.Publish("a", "1");
        _control.Store.TakeNotNextRead();
        Refusals.Is(ErrorCode.Busy, "The store is busy; try again with the same publish id.", _publisher.Rollback(1));
        await using HttpRig http = await HttpRig.StartAsync();
        await http.PublishedAsync("a", "1");
        http.Store.TakeNotNextRead();
        (await http.PostAsync(http.Publisher, HttpRig.Rollback, """{"toRelease":1}""")).Is(503, ProblemCodes.Busy, "The host's store has too much waiting. Try again.");
    }

    [Fact]
    public async Task A_plan_stays_with_http_and_judges_the_expected_release_in_its_own_words_differs_at_http()
    {
        _publisher.Publish("a", "1");
        Refusals.Is(ErrorCode.WrongExpectedRelease, "The newest release of 'shop' is 1, not 7. Read it, and publish again on top of it.", _publisher.Publish("a", "2", expected: 7));
        await using HttpRig http = await HttpRig.StartAsync();
        await http.PublishedAsync("a", "1");
        Problem wrong = (await http.PostAsync(http.Publisher, HttpRig.Publish + "?dryRun=true", HttpRig.Set("a", "2"), ("If-Match", "\"7\""))).Is(
            412, ProblemCodes.WrongExpectedRelease, "The newest release of 'shop' is 1, not 7. Read it, and plan again on top of it.");
        Assert.Equal(1UL, wrong.NewestRelease);
        // And what would change nothing is a plan without changes, not a refusal.
        Assert.Equal(200, (await http.PostAsync(http.Publisher, HttpRig.Publish + "?dryRun=true", """{"remove":["gone"]}""")).Status);
        Assert.Single(http.Store.Passed);
    }
}
