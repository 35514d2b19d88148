using System.Text;
using Ripple.Client.Tests.Hosting;
using Ripple.Engine.Protocol;

namespace Ripple.Client.Tests;

/// <summary>Who accepts a release, who rejects it, and what the publisher learns of it.</summary>
public sealed class DecisionTests : ClientScenario
{
    [Fact]
    public async Task A_rejected_release_does_not_take_effect_and_the_wait_names_who_rejected_it()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using RippleClient picky = await ConnectAsync(host, new RippleClientOptions
        {
            Name = "picky",
            AcceptRelease = (release, _) => Encoding.UTF8.GetString(release.Values["a"].Span) switch
            {
                "bad" => ValueTask.FromResult(ReleaseDecision.Reject("'bad' is not a number")),
                "worse" => throw new InvalidOperationException("cannot even look at it"),
                _ => ValueTask.FromResult(ReleaseDecision.Accept),
            },
        });
        await publisher.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(picky, 1);

        await publisher.PublishAsync(Publish("a", "bad"), Token);
        WaitResult result = await publisher.WaitAsync("shop", 2, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: Token);
        Assert.Equal(WaitOutcome.CannotHold, result.Outcome);
        WaitMember member = Assert.Single(result.Members);
        Assert.Equal("picky", member.Name);
        Assert.Equal(picky.NodeId, member.Node);
        Assert.Contains("'bad' is not a number", member.Reason, StringComparison.Ordinal);
        Assert.Equal("1", ValueOf(picky, "a"));

        await publisher.PublishAsync(Publish("a", "worse"), Token);
        result = await publisher.WaitAsync("shop", 3, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: Token);
        Assert.Contains("cannot even look at it", Assert.Single(result.Members).Reason, StringComparison.Ordinal);

        await publisher.PublishAsync(Publish("b", "2", ("a", "4")), Token);
        RippleRelease seen = await SeeAsync(picky, 4);
        Assert.Equal(["a", "b"], seen.ChangedKeys);
        ApplicationStatus status = await publisher.StatusAsync("shop", Token);
        Assert.Equal(4ul, status.Release);
        Assert.Equal(["n1", "picky"], status.Members.Select(m => m.Name).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_client_that_rejects_the_newest_release_and_has_accepted_none_starts_in_the_background_alone()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await publisher.PublishAsync(Publish("a", "bad"), Token);
        var options = new RippleClientOptions
        {
            Name = "picky",
            // The directory is shared: what the publisher accepted may be in it already.
            SnapshotMode = SnapshotMode.Off,
            AcceptRelease = (release, _) => ValueTask.FromResult(
                Encoding.UTF8.GetString(release.Values["a"].Span) == "bad" ? ReleaseDecision.Reject("not bad") : ReleaseDecision.Accept),
        };

        RippleException e = await Assert.ThrowsAsync<RippleException>(() => ConnectAsync(host, options));
        Assert.Contains("rejects release 1", e.Message, StringComparison.Ordinal);
        Assert.Contains("not bad.", e.Message, StringComparison.Ordinal);

        await using RippleClient picky = await ConnectAsync(host, options with { StartupMode = StartupMode.Background });
        Assert.Equal(0ul, picky.Current().Release);
        await publisher.PublishAsync(Publish("a", "good"), Token);
        await SeeAsync(picky, 2);
    }

    [Fact]
    public async Task A_callback_that_does_not_answer_rejects()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using RippleClient slow = await ConnectAsync(host, new RippleClientOptions
        {
            Name = "slow",
            AcceptTimeout = TimeSpan.FromMilliseconds(50),
            AcceptRelease = async (_, stop) =>
            {
                await Task.Delay(Timeout.Infinite, stop);
                return ReleaseDecision.Accept;
            },
        });
        await publisher.PublishAsync(Publish("a", "1"), Token);
        WaitResult result = await publisher.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: Token);
        Assert.Equal(WaitOutcome.CannotHold, result.Outcome);
        Assert.Contains("did not answer", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_wait_times_out_with_names_and_can_be_given_up()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        var gate = new TaskCompletionSource();
        await using RippleClient client = await ConnectAsync(host, Gated(gate));
        await client.PublishAsync(Publish("a", "1"), Token);

        WaitResult behind = await client.WaitAsync(
            "shop", 1, "MIN($ALL.applied)", TimeSpan.FromMilliseconds(100), cancellationToken: Token);
        Assert.Equal(WaitOutcome.TimedOut, behind.Outcome);
        Assert.Equal(client.NodeId, Assert.Single(behind.Members).Node);

        using var stop = new CancellationTokenSource();
        Task<WaitResult> waiting = client.WaitAsync(
            "shop", 1, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: stop.Token);
        await client.StatusAsync("shop", Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);

        RippleException e = await Assert.ThrowsAsync<RippleException>(
            () => client.WaitAsync("shop", 1, "MINIMUM(", TimeSpan.FromSeconds(1), cancellationToken: Token));
        Assert.Equal(ErrorCode.InvalidPredicate, e.Code);
        var longest = TimeSpan.FromMilliseconds(int.MaxValue);
        e = await Assert.ThrowsAsync<RippleException>(
            () => client.WaitAsync("shop", 1, "MIN($ALL.applied)", longest + TimeSpan.FromTicks(1), cancellationToken: Token));
        Assert.Equal(ErrorCode.InvalidRequest, e.Code);
        gate.SetResult();
        Assert.Equal(
            WaitOutcome.Held,
            (await client.WaitAsync("shop", 1, "MIN($ALL.applied)", longest, cancellationToken: Token)).Outcome);
    }
}
