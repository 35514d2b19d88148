using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Api;

namespace Ripple.Gms.Tests.Calls;

/// <summary>
/// Both doors of a host answer the same question with the same code and the same text. What belongs to a door alone stands apart at the
/// end: the words of its own form (a header, a page), and what its form cannot say.
/// </summary>
public sealed class DoorAgreementTests
{
    private static readonly Dictionary<ErrorCode, (int Status, string Code)> Problems = new()
    {
        [ErrorCode.NotAllowed] = (403, ProblemCodes.NotAllowed),
        [ErrorCode.UnknownApplication] = (404, ProblemCodes.UnknownApplication),
        [ErrorCode.NotFound] = (404, ProblemCodes.NotFound),
        [ErrorCode.InvalidRequest] = (400, ProblemCodes.InvalidRequest),
        [ErrorCode.InvalidJson] = (400, ProblemCodes.InvalidJson),
        [ErrorCode.InvalidPredicate] = (400, ProblemCodes.InvalidPredicate),
        [ErrorCode.WrongExpectedRelease] = (412, ProblemCodes.WrongExpectedRelease),
        [ErrorCode.PublishIdReused] = (409, ProblemCodes.PublishIdReused),
        [ErrorCode.NothingChanged] = (409, ProblemCodes.NothingChanged),
        [ErrorCode.AlreadyExists] = (409, ProblemCodes.AlreadyExists),
        [ErrorCode.TooLarge] = (413, ProblemCodes.TooLarge),
        [ErrorCode.Busy] = (503, ProblemCodes.Busy),
        [ErrorCode.StoreFailed] = (503, ProblemCodes.StoreFailed),
    };

    /// <summary>What is asked.</summary>
    public static TheoryData<string> Asked => [.. DoorTable.All.Keys];

    [Theory]
    [MemberData(nameof(Asked))]
    public async Task Both_doors_refuse_with_the_same_code_and_text(string asked)
    {
        (DoorQuestion question, ErrorCode code, string text) = DoorTable.All[asked];
        Assert.Equal((code, text.Replace("{token}", question.By, StringComparison.Ordinal)), question.Ask(Control()));
        await using HttpRig http = await HttpAsync();
        (int status, string problem) = Problems[code];
        (await question.AskAsync(http)).Is(
            status, problem, text.Replace("{token}", http.TokenOf(question.By).Id, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("MIN(", "The predicate is not one. At 4: ")]
    [InlineData("MIN($ALL.tasted)", "The wait cannot begin. At ")]
    [InlineData("MIN($ALL.applied)", "The wait cannot begin. At ")]
    public async Task Both_doors_say_the_same_of_a_predicate_that_cannot_hold(string predicate, string begin)
    {
        // Nobody was a member when release 1 was committed: the last is over nobody.
        (ErrorCode code, string text) = DoorQuestion.Wait(1, predicate).Ask(Control());
        Assert.Equal(ErrorCode.InvalidPredicate, code);
        Assert.StartsWith(begin, text, StringComparison.Ordinal);
        await using HttpRig http = await HttpAsync();
        (await DoorQuestion.Wait(1, predicate).AskAsync(http)).Is(400, ProblemCodes.InvalidPredicate, text);
    }

    [Fact]
    public async Task Both_doors_say_the_same_of_a_value_that_is_no_json()
    {
        DoorQuestion question = DoorQuestion.Publish([("a.json", "{ \"a\": }")]);
        (ErrorCode code, string text) = question.Ask(Control());
        Assert.Equal(ErrorCode.InvalidJson, code);
        Assert.StartsWith("The value of 'a.json' is not what .NET's JSON configuration provider accepts: ", text, StringComparison.Ordinal);
        await using HttpRig http = await HttpAsync();
        (await question.AskAsync(http)).Is(400, ProblemCodes.InvalidJson, text);
    }

    [Fact]
    public async Task Both_doors_refuse_values_that_are_too_large_together_or_alone()
    {
        const string Text = "The values have 16777217 bytes together; a publish has at most 16777216. Publish in parts.";
        const uint Half = ReleaseLimits.PublishBytesMax / 2;
        ControlCaller caller = new CallRig().Connect(CallRig.Publisher);
        PublishKey[][] tooLarge = [[new("a", false, Half), new("b", false, Half + 1)], [new("a", false, (2 * Half) + 1)]];
        foreach (PublishKey[] keys in tooLarge)
        {
            caller.Send(new PublishBegin(caller.NextCall(), CallRig.Shop, Guid.NewGuid(), PublishBegin.AnyRelease, "", "", keys));
            Refusals.Is(ErrorCode.TooLarge, Text, caller.Answer<Engine.Protocol.Calls.PublishResult>());
        }

        await using HttpRig http = await HttpRig.StartAsync();
        string half = new('x', (int)Half);
        string together = $$"""{"set":[{"key":"a","text":"{{half}}"},{"key":"b","text":"{{half}}y"}]}""";
        (await http.PostAsync(http.Publisher, HttpRig.Publish, together)).Is(413, ProblemCodes.TooLarge, Text);
        (await http.PostAsync(http.Publisher, HttpRig.Publish, HttpRig.Set("a", half + half + "y"))).Is(413, ProblemCodes.TooLarge, Text);
    }

    [Fact]
    public async Task Both_doors_bound_the_bytes_of_publishes_under_way()
    {
        var control = new CallRig(new GmsOptions { UploadBytesMax = 5_000 });
        Refusals.Is(ErrorCode.Busy, DoorTable.TooMany, control.Connect(CallRig.Publisher).Publish("a", new string('x', 5_001)));
        await using HttpRig http = await HttpRig.StartAsync(uploadBytesMax: 5_000);
        string tooLong = HttpRig.Set("a", new string('x', 5_001));
        (await http.PostAsync(http.Publisher, HttpRig.Publish, tooLong)).Is(503, ProblemCodes.Busy, DoorTable.TooMany);
        (await http.PostAsync(http.Publisher, HttpRig.Publish + "?dryRun=true", tooLong)).Is(503, ProblemCodes.Busy, DoorTable.TooMany);

        // What is being prepared counts, names included, and what is a plan.
        const int HeadBytes = 512 + 1 + 7;
        var gate = new TaskCompletionSource();
        http.PrepareGate = gate.Task;
        Task<HttpAnswer> planned = http.PostAsync(
            http.Publisher, HttpRig.Publish + "?dryRun=true", HttpRig.Set("a", new string('x', 3_000)));
        await http.Preparing.Task.WaitAsync(HttpRig.Cancel);
        Assert.Equal(3_000L + HeadBytes, await http.UploadBytesAsync());
        (await http.PostAsync(http.Publisher, HttpRig.Publish, HttpRig.Set("a", new string('x', 2_001 - (2 * HeadBytes))))).Is(
            503, ProblemCodes.Busy, DoorTable.TooMany);
        gate.SetResult();
        Assert.Equal(200, (await planned).Status);
        Assert.Equal(0L, await http.UploadBytesAsync());
        string longest = HttpRig.Set("a", new string('x', 5_000 - HeadBytes));
        Assert.Equal(201, (await http.PostAsync(http.Publisher, HttpRig.Publish, longest)).Status);
        Assert.Equal(0L, await http.UploadBytesAsync());
    }

    [Fact]
    public async Task Both_doors_count_what_they_refuse()
    {
        DoorQuestion[] refused =
        [
            DoorQuestion.Publish([]),
            DoorQuestion.Publish(DoorTable.One, expected: 7),
            DoorQuestion.Publish(DoorTable.One, application: "nowhere") with { By = CallRig.Admin },
            DoorQuestion.Rollback(9),
            DoorQuestion.Publish(DoorTable.One) with { IsPreparerFull = true },
        ];
        CallRig control = Control();
        await using HttpRig http = await HttpAsync();
        Assert.Equal((0L, 0L), (control.RefusedCount, await http.RefusedCountAsync()));
        for (int i = 0; i < refused.Length; i++)
        {
            refused[i].Ask(control);
            await refused[i].AskAsync(http);
            Assert.Equal((i + 1L, i + 1L), (control.RefusedCount, await http.RefusedCountAsync()));
        }
    }

    [Theory]
    [InlineData("withdrawn", DoorTable.NeedsPublisher)]
    [InlineData("revoked", "The token {token} was revoked, or its time ended. Ask an administrator for another.")]
    [InlineData("expired", "The token {token} was revoked, or its time ended. Ask an administrator for another.")]
    public async Task A_token_that_ends_while_a_request_is_prepared_releases_nothing_as_at_the_control_door(string how, string text)
    {
        // The same at the control door: PreparationTests.
        await using HttpRig http = await HttpRig.StartAsync();
        var token = Trust.AccessTokenSecret.New();
        long endsMicros = http.UnixMicros + 1_000_000;
        await http.ChangeAsync(AccessTokenChange.Create(
            new AccessToken(token.Id, token.Hash, AccessTokenGrant.For(["shop"], AccessRole.Publisher), 1, endsMicros, null), "test"));
        var gate = new TaskCompletionSource();
        http.PrepareGate = gate.Task;
        Task<HttpAnswer> asked = http.PostAsync(token, HttpRig.Publish, HttpRig.Set("a", "1"));
        await http.Preparing.Task.WaitAsync(HttpRig.Cancel);
        switch (how)
        {
            case "withdrawn":
                await http.ChangeAsync(AccessTokenChange.Withdraw(token.Id, "shop", 5, "test"));
                break;
            case "revoked":
                await http.ChangeAsync(AccessTokenChange.Revoke(token.Id, 5, "test"));
                break;
            default:
                http.UnixMicros = endsMicros;
                break;
        }

        gate.SetResult();
        (await asked).Is(403, ProblemCodes.NotAllowed, text.Replace("{token}", token.Id, StringComparison.Ordinal));
        Assert.Empty(http.Store.Passed);
        Assert.Equal((0L, 1L), (await http.UploadBytesAsync(), await http.RefusedCountAsync()));
    }

    [Fact]
    public async Task Release_zero_of_a_read_is_the_newest_at_the_control_door_and_the_empty_state_at_http()
    {
        // The frame has no null: its 0 is "none given", which HTTP says by leaving the release out.
        ControlCaller caller = Control().Connect(CallRig.Publisher);
        caller.Send(new ReadKey(9, CallRig.Shop, 0, "a"));
        Assert.Equal((ErrorCode.None, 2UL), caller.Answer<ReadKeyResult>() is { } found ? (found.Code, found.Release) : default);
        await using HttpRig http = await HttpAsync();
        (await http.GetAsync(http.Node, "/v1/applications/shop/value?key=a&release=0")).Is(
            404, ProblemCodes.NotFound, "'shop' has no key 'a' at release 0.");
        HttpAnswer newest = await http.GetAsync(http.Node, "/v1/applications/shop/value?key=a");
        Assert.Equal((200, "2"), (newest.Status, newest.Text));
    }

    [Fact]
    public async Task A_count_outside_its_bounds_is_cut_at_the_control_door_and_refused_at_http()
    {
        // A frame says "at most so many"; a page is asked for by a number that is documented.
        ControlCaller caller = Control().Connect(CallRig.Publisher);
        caller.Send(new History(9, CallRig.Shop, ulong.MaxValue, 0));
        Assert.Single(caller.Answer<HistoryResult>().Entries);
        caller.Send(new History(10, CallRig.Shop, ulong.MaxValue, 201));
        Assert.Equal(2, caller.Answer<HistoryResult>().Entries.Count);
        await using HttpRig http = await HttpAsync();
        (await http.GetAsync(http.Node, HttpRig.Publish + "?limit=0")).Is(400, ProblemCodes.InvalidRequest, "limit is 0; give 1 to 200.");
        (await http.GetAsync(http.Node, HttpRig.Publish + "?limit=201")).Is(
            400, ProblemCodes.InvalidRequest, "limit is 201; give 1 to 200.");
    }

    [Fact]
    public async Task A_plan_is_for_http_alone_and_judges_the_expected_release_in_its_own_words()
    {
        await using HttpRig http = await HttpAsync();
        const string Plan = HttpRig.Publish + "?dryRun=true";
        Problem wrong = (await http.PostAsync(http.Publisher, Plan, HttpRig.Set("a", "2"), ("If-Match", "\"7\""))).Is(
            412, ProblemCodes.WrongExpectedRelease, "The newest release of 'shop' is 2, not 7. Read it, and plan again on top of it.");
        Assert.Equal(2UL, wrong.NewestRelease);
        (await http.PostAsync(http.Publisher, Plan, """{"remove":[null]}""")).Is(
            400, ProblemCodes.InvalidRequest, "The key is empty. Give 1 to 512 bytes of UTF-8 without control characters.");
        Assert.Equal(404, (await http.PostAsync(http.Publisher, HttpRig.Rollback + "?dryRun=true", """{"toRelease":9}""")).Status);
        Assert.Equal(0L, await http.RefusedCountAsync());
        // And what would change nothing is a plan without changes, not a refusal.
        Assert.Equal(200, (await http.PostAsync(http.Publisher, Plan, """{"remove":["gone"]}""")).Status);
        Assert.Equal(2, http.Store.Passed.Count);
    }

    private static CallRig Control()
    {
        var host = new CallRig();
        // Publish ids are their actor's own: the caller that asks later is this same node.
        ControlCaller caller = host.Connect(CallRig.Publisher);
        Assert.Equal(1UL, caller.Publish("a", "1").Release);
        Assert.Equal(2UL, caller.Publish("a", "2", DoorTable.KnownId).Release);
        return host;
    }

    private static async Task<HttpRig> HttpAsync()
    {
        HttpRig host = await HttpRig.StartAsync();
        await host.PublishedAsync("a", "1");
        HttpAnswer second = await host.PostAsync(
            host.Publisher, HttpRig.Publish, HttpRig.Set("a", "2"), (AdminRoutes.IdempotencyKeyHeader, DoorTable.KnownId.ToString()));
        Assert.Equal(201, second.Status);
        return host;
    }
}
