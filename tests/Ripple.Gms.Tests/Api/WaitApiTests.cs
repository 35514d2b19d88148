using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Client;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Trust;
using PublishResult = Ripple.Admin.Contracts.PublishResult;
using WaitMember = Ripple.Admin.Contracts.WaitMember;
using WaitOutcome = Ripple.Admin.Contracts.WaitOutcome;
using WaitProgress = Ripple.Admin.Contracts.WaitProgress;
using WaitResult = Ripple.Admin.Contracts.WaitResult;

namespace Ripple.Gms.Tests.Api;

/// <summary>Who has it, asked over HTTPS, with real nodes.</summary>
public sealed class WaitApiTests
{
    private static CancellationToken Cancel => ApiHarness.Cancel;

    [Fact]
    public async Task A_wait_tells_its_progress_and_how_it_ended()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using RippleClient quick = await NodeAsync(harness, "quick", null);
        await using RippleClient slow = await NodeAsync(harness, "slow", async _ =>
        {
            await gate.Task;
            return ReleaseDecision.Accept;
        });
        PublishPlan plan = await harness.Admin.PlanPublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        Assert.Equal(["quick", "slow"], plan.Nodes.Select(n => n.Name));
        PublishResult done = await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);

        var half = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<WaitResult> wait = harness.Admin.WaitAsync(
            ApiHarness.Shop, done.Release, "MIN($ALL.applied)", TimeSpan.FromMinutes(5), new Reporter(p =>
            {
                if (p is { Holding: 1, Total: 2 })
                {
                    half.TrySetResult();
                }
            }), Cancel);
        await half.Task.WaitAsync(TimeSpan.FromMinutes(2), Cancel);
        NodeInfo behind = Assert.Single(
            await ApiHarness.AllAsync(
                harness.Admin.ListNodesAsync(ApiHarness.Shop, new NodeQuery { BehindRelease = done.Release }, Cancel)));
        Assert.Equal(("slow", 0UL, NodeState.Present), (behind.Name, behind.Applied, behind.State));
        gate.SetResult();
        WaitResult result = await wait;
        Assert.Equal((WaitOutcome.Held, 2), (result.Outcome, result.Total));

        var frontier = await harness.Admin.GetFrontierAsync(ApiHarness.Shop, Cancel);
        Assert.Equal((2, 1UL, 0), (frontier.NodeCount, frontier.Release, frontier.RejectedCount));
        Assert.Equal([new FrontierCount(1, 2)], frontier.Applied);
    }

    [Fact]
    public async Task A_rejection_ends_a_wait_by_name_and_reason()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await using RippleClient good = await NodeAsync(harness, "good", null);
        await using RippleClient bad = await NodeAsync(
            harness, "bad", _ => Task.FromResult(ReleaseDecision.Reject("Limit must be positive")));
        PublishResult done = await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        WaitResult result = await harness.Admin.WaitAsync(
            ApiHarness.Shop, done.Release, "MIN($ALL.applied)", TimeSpan.FromMinutes(5), cancellationToken: Cancel);
        Assert.Equal(WaitOutcome.CannotHold, result.Outcome);
        WaitMember member = Assert.Single(result.Members);
        Assert.Equal("bad", member.Name);
        Assert.Contains("Limit must be positive", member.Reason, StringComparison.Ordinal);
        NodeInfo node = (await ApiHarness.AllAsync(harness.Admin.ListNodesAsync(ApiHarness.Shop, cancellationToken: Cancel)))
            .Single(n => n.Name == "bad");
        Assert.Equal((1UL, "Limit must be positive"), (node.Rejected, node.Reason));
        Assert.Equal(1, (await harness.Admin.GetFrontierAsync(ApiHarness.Shop, Cancel)).RejectedCount);
    }

    [Fact]
    public async Task A_wait_that_cannot_begin_says_why_and_one_whose_host_stops_ends()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await using RippleClient slow = await NodeAsync(harness, "slow", async _ =>
        {
            await Task.Delay(Timeout.Infinite, Cancel);
            return ReleaseDecision.Accept;
        });
        PublishResult done = await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        Assert.Equal(ProblemCodes.InvalidPredicate, (await FailAsync(1, "MIN(")).Code);
        Assert.Equal(ProblemCodes.NotFound, (await FailAsync(9, "MIN($ALL.applied)")).Code);
        WaitResult late = await harness.Admin.WaitAsync(
            ApiHarness.Shop, done.Release, "MIN($ALL.applied)", TimeSpan.FromSeconds(1), cancellationToken: Cancel);
        Assert.Equal((WaitOutcome.TimedOut, "slow"), (late.Outcome, Assert.Single(late.Members).Name));

        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<WaitResult> wait = harness.Admin.WaitAsync(
            ApiHarness.Shop, done.Release, "MIN($ALL.applied)", TimeSpan.FromMinutes(30), new Reporter(_ => begun.TrySetResult()), Cancel);
        await begun.Task.WaitAsync(TimeSpan.FromMinutes(2), Cancel);
        await harness.Host.Server.DisposeAsync();
        Assert.Equal(AdminFailure.Unreachable, (await ApiHarness.FailsAsync(() => wait)).Failure);

        Task<RippleAdminException> FailAsync(ulong release, string predicate) =>
            ApiHarness.FailsAsync(
                () => harness.Admin.WaitAsync(ApiHarness.Shop, release, predicate, TimeSpan.FromMinutes(5), cancellationToken: Cancel));
    }

    [Fact]
    public async Task A_wait_ends_with_the_right_it_began_with_and_says_so()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await using RippleClient slow = await NodeAsync(harness, "slow", async _ =>
        {
            await Task.Delay(Timeout.Infinite, Cancel);
            return ReleaseDecision.Accept;
        });
        PublishResult done = await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1"), cancellationToken: Cancel);
        await harness.Admin.CreateApplicationAsync("other", Cancel);
        RippleAdminClient revoked = await harness.CallerAsync(Role.Node, ApiHarness.Shop);
        RippleAdminClient withdrawn = await harness.CallerAsync(Role.Node, ApiHarness.Shop, "other");
        string revokedId = (await revoked.GetIdentityAsync(Cancel)).TokenId;
        string withdrawnId = (await withdrawn.GetIdentityAsync(Cancel)).TokenId;
        Task<WaitResult> first = await BeginAsync(revoked);
        Task<WaitResult> second = await BeginAsync(withdrawn);

        await harness.Admin.RevokeTokenAsync(revokedId, Cancel);
        await harness.Admin.RemoveRoleAsync(withdrawnId, ApiHarness.Shop, Cancel);

        TimeSpan soon = TimeSpan.FromMinutes(2);
        RippleAdminException ended = await ApiHarness.FailsAsync(() => first.WaitAsync(soon, Cancel));
        Assert.Equal((AdminFailure.Unauthorised, ProblemCodes.NotAllowed), (ended.Failure, ended.Code));
        Assert.Contains($"{revokedId} was revoked", ended.Message, StringComparison.Ordinal);
        ended = await ApiHarness.FailsAsync(() => second.WaitAsync(soon, Cancel));
        Assert.Contains("it takes the role node in 'shop'", ended.Message, StringComparison.Ordinal);

        // Nobody tells when a wait that reports nothing has begun: one that came after its token was revoked is made again.
        System.Net.HttpStatusCode third;
        do
        {
            third = await StatusOfRevokedAsync();
        }
        while (third == System.Net.HttpStatusCode.Unauthorized);
        Assert.Equal(System.Net.HttpStatusCode.Forbidden, third);

        async Task<System.Net.HttpStatusCode> StatusOfRevokedAsync()
        {
            CreatedToken quiet = await harness.Admin.CreateTokenAsync(
                new CreateTokenRequest { Applications = [ApiHarness.Shop], Role = Role.Node }, Cancel);
            HttpClient http = harness.Http(ConnectionString.Parse(quiet.ConnectionString).Token!.Reveal());
            // Its connection is there before: what is under way then is the wait.
            using (await http.GetAsync(new Uri("/v1/whoami", UriKind.Relative), Cancel))
            {
            }

            Task<HttpResponseMessage> wait = http.GetAsync(
                new Uri($"/v1/applications/shop/waits?release={done.Release}&timeoutSeconds=300", UriKind.Relative), Cancel);
            await harness.Admin.RevokeTokenAsync(quiet.Token.TokenId, Cancel);
            using HttpResponseMessage answer = await wait.WaitAsync(soon, Cancel);
            return answer.StatusCode;
        }

        async Task<Task<WaitResult>> BeginAsync(RippleAdminClient caller)
        {
            var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var reporter = new Reporter(_ => begun.TrySetResult());
            Task<WaitResult> wait = caller.WaitAsync(
                ApiHarness.Shop, done.Release, "MIN($ALL.applied)", TimeSpan.FromMinutes(5), reporter, Cancel);
            await begun.Task.WaitAsync(TimeSpan.FromMinutes(2), Cancel);
            return wait;
        }
    }

    private static Task<RippleClient> NodeAsync(ApiHarness harness, string name, Func<RippleRelease, Task<ReleaseDecision>>? accept) =>
        RippleClient.ConnectAsync(Reveal(harness.Host.Client), new RippleClientOptions
        {
            Name = name,
            Application = ApiHarness.Shop,
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = ControlHarness.Patience,
            AcceptRelease = accept is null ? null : (release, _) => new ValueTask<ReleaseDecision>(accept(release)),
            AcceptTimeout = TimeSpan.FromMinutes(30),
        }, Cancel);

    private static string Reveal(ConnectionString connection) =>
        $"Endpoints={string.Join(',', connection.Endpoints)};Authority=sha256:{Convert.ToHexStringLower(connection.Authority.Span)};Token="
            + $"{connection.Token!.Reveal()}";

    private sealed class Reporter(Action<WaitProgress> onProgress) : IProgress<WaitProgress>
    {
        public void Report(WaitProgress value) => onProgress(value);
    }
}
