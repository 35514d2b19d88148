using Ripple.Admin.Contracts;
using Ripple.Admin.Following;
using static Ripple.Admin.Tests.FakeHost;

namespace Ripple.Admin.Tests.Following;

/// <summary>Who has a release is told as it comes, and the end is never missed.</summary>
public sealed class ReleaseFollowerTests : IDisposable
{
    private readonly FakeHost _host = new();
    private readonly RippleAdminClient _client;
    private readonly CancellationTokenSource _limit =
        CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);

    public ReleaseFollowerTests()
    {
        _client = _host.Client();
        _limit.CancelAfter(TimeSpan.FromMinutes(2));
    }

    private static FollowOptions Often { get; } = new() { RefreshInterval = TimeSpan.FromMilliseconds(10) };

    public void Dispose()
    {
        _client.Dispose();
        _host.Dispose();
        _limit.Dispose();
    }

    [Fact]
    public async Task Counts_come_as_nodes_acknowledge_and_the_last_snapshot_has_the_result()
    {
        FakeWait wait = _host.AddWait();
        _host.SetNodes(Node("a", 6), Node("b", 6), Node("c", 7));
        await using IAsyncEnumerator<FollowSnapshot> snapshots = Follow(Often);

        wait.Progress(1, 3);
        FollowSnapshot first = await NextAsync(snapshots, s => s.Holding == 1);
        _host.SetNodes(Node("a", 7), Node("b", 6), Node("c", 7));
        wait.Progress(2, 3);
        FollowSnapshot second = await NextAsync(snapshots, s => s.Holding == 2 && s.Laggards.Count == 1);
        _host.SetNodes(Node("a", 7), Node("b", 7), Node("c", 7));
        wait.End(new WaitResult(WaitOutcome.Held, string.Empty, 3, [], []));
        FollowSnapshot last = await NextAsync(snapshots, s => s.Result is not null);

        Assert.Equal((3, 33), (first.Total, first.Percent));
        Assert.Equal(["b"], second.Laggards.Select(n => n.Name));
        Assert.Equal((3, 3, 100), (last.Holding, last.Total, last.Percent));
        Assert.Empty(last.Laggards);
        Assert.False(await snapshots.MoveNextAsync());
    }

    [Fact]
    public async Task Laggards_of_every_page_are_named()
    {
        _host.AddWait().End(new WaitResult(WaitOutcome.TimedOut, "too late", 5, [], []));
        _host.SetNodes(Node("a", 6), Node("b", 5), Node("c", 6), Node("d", 0), Node("e", 6));

        FollowSnapshot last = await LastAsync(Follow(Often));

        Assert.Equal(["a", "b", "c", "d", "e"], last.Laggards.Select(n => n.Name));
        Assert.Equal(WaitOutcome.TimedOut, last.Result!.Outcome);
        Assert.True(last.Percent < 100);
    }

    [Fact]
    public async Task A_rejection_is_told_with_its_reason_while_the_wait_goes_on()
    {
        FakeWait wait = _host.AddWait();
        _host.SetNodes(Node("a", 6), Node("b", 6, rejected: 7, reason: "limits.json: 'max' is missing"));
        await using IAsyncEnumerator<FollowSnapshot> snapshots = Follow(Often);

        FollowSnapshot seen = await NextAsync(snapshots, s => s.Rejections.Count > 0);
        wait.End(new WaitResult(WaitOutcome.CannotHold, string.Empty, 2, [new WaitMember("b", "b", 6, "rejected")], []));

        Assert.Null(seen.Result);
        NodeInfo rejected = Assert.Single(seen.Rejections);
        Assert.Equal(("b", "limits.json: 'max' is missing"), (rejected.Name, rejected.Reason));
        Assert.Equal(["a"], seen.Laggards.Select(n => n.Name));
        Assert.Equal(WaitOutcome.CannotHold, (await NextAsync(snapshots, s => s.Result is not null)).Result!.Outcome);
    }

    [Fact]
    public async Task A_node_that_rejected_it_and_applied_a_later_one_is_not_a_rejection()
    {
        _host.AddWait().End(new WaitResult(WaitOutcome.Held, string.Empty, 1, [], []));
        _host.SetNodes(Node("a", 8, rejected: 7, reason: "was bad"));

        Assert.Empty((await LastAsync(Follow(Often))).Rejections);
    }

    [Theory]
    [InlineData(FollowLevel.Applied, "MIN($ALL.applied)", "a,b,c")]
    [InlineData(FollowLevel.Received, "MIN($ALL.received)", "a")]
    [InlineData(FollowLevel.Persisted, "MIN($ALL.persisted)", "a,b,d")]
    public async Task The_level_decides_who_lags_and_what_is_waited_for(FollowLevel level, string predicate, string laggards)
    {
        _host.AddWait().End(new WaitResult(WaitOutcome.TimedOut, string.Empty, 4, [], []));
        _host.SetNodes(Node("a", 6), Node("b", 6, received: 7), Node("c", 6, received: 7, persisted: 7), Node("d", 7));

        FollowSnapshot last = await LastAsync(Follow(Often with { Level = level }));

        Assert.Equal(laggards, string.Join(',', last.Laggards.Select(n => n.Name)));
        Uri asked = Assert.Single(_host.Asked, u => u.AbsolutePath == "/v1/applications/orders/waits");
        Assert.Contains($"predicate={Uri.EscapeDataString(predicate)}", asked.Query, StringComparison.Ordinal);
        Assert.Contains("release=7", asked.Query, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Who_has_it_is_counted_though_the_wait_ends_as_it_begins()
    {
        _host.AddWait().End(new WaitResult(WaitOutcome.CannotHold, string.Empty, 4, [], []));
        _host.SetNodes(Node("a", 7), Node("b", 7), Node("c", 6), Node("d", 6, rejected: 7, reason: "no"));

        FollowSnapshot last = await LastAsync(Follow(Often));

        Assert.Equal((2, 4, 50), (last.Holding, last.Total, last.Percent));
    }

    [Fact]
    public async Task A_lost_connection_is_made_again()
    {
        FakeWait lost = _host.AddWait();
        FakeWait again = _host.AddWait();
        _host.SetNodes(Node("a", 6));
        await using IAsyncEnumerator<FollowSnapshot> snapshots = Follow(Often);
        lost.Progress(0, 1);
        await NextAsync(snapshots, s => s.Total == 1);

        lost.Break();
        again.Progress(1, 1);
        again.End(new WaitResult(WaitOutcome.Held, string.Empty, 1, [], []));

        Assert.Equal(1, (await NextAsync(snapshots, s => s.Result is not null)).Holding);
        Assert.Equal(2, _host.Asked.Count(u => u.AbsolutePath.EndsWith("/waits", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task What_is_asked_again_is_the_release_that_the_host_took_the_wait_for()
    {
        FakeWait lost = _host.AddWait();
        FakeWait again = _host.AddWait();
        await using IAsyncEnumerator<FollowSnapshot> snapshots = Follow(Often);
        lost.Progress(0, 1, generation: 2);
        await NextAsync(snapshots, s => s.Total == 1);

        lost.Break();
        again.End(new WaitResult(WaitOutcome.CannotHold, "Generation 2 ended.", 0, [], []) { Generation = 2 });
        await NextAsync(snapshots, s => s.Result is not null);

        Uri[] waits = [.. _host.Asked.Where(u => u.AbsolutePath.EndsWith("/waits", StringComparison.Ordinal))];
        Assert.DoesNotContain("generation", waits[0].Query, StringComparison.Ordinal);
        Assert.Contains("generation=2&release=7", waits[1].Query, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_release_that_a_host_does_not_know_yet_is_asked_for_again()
    {
        // The client asks twice itself.
        _host.AddWait("not known here yet");
        _host.AddWait("not known here yet");
        _host.AddWait().End(new WaitResult(WaitOutcome.Held, string.Empty, 1, [], []));

        FollowSnapshot last = await LastAsync(Follow(Often with { Generation = 3 }));

        Assert.Equal(WaitOutcome.Held, last.Result!.Outcome);
        Uri[] waits = [.. _host.Asked.Where(u => u.AbsolutePath.EndsWith("/waits", StringComparison.Ordinal))];
        Assert.Equal(3, waits.Length);
        Assert.All(waits, w => Assert.Contains("generation=3", w.Query, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_connection_that_is_lost_again_and_again_ends_it()
    {
        for (int i = 0; i < 10; i++)
        {
            _host.AddWait().Break();
        }

        RippleAdminException failure = await Assert.ThrowsAsync<RippleAdminException>(async () => await LastAsync(Follow(Often)));

        Assert.Equal("unreachable", failure.Code);
    }

    [Fact]
    public async Task A_wait_that_is_refused_ends_it_with_the_hosts_words()
    {
        RippleAdminException failure = await Assert.ThrowsAsync<RippleAdminException>(async () => await LastAsync(Follow(Often)));

        Assert.Equal((ProblemCodes.NotFound, "There is no such release."), (failure.Code, failure.Message));
    }

    [Fact]
    public async Task Cancelling_ends_it_at_once()
    {
        _host.AddWait();
        using var cancel = CancellationTokenSource.CreateLinkedTokenSource(_limit.Token);
        IAsyncEnumerator<FollowSnapshot> snapshots =
            new ReleaseFollower(_client).FollowAsync("orders", 7, null, cancel.Token).GetAsyncEnumerator(cancel.Token);
        ValueTask<bool> next = snapshots.MoveNextAsync();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await next);
        Assert.False(_limit.IsCancellationRequested);
        await snapshots.DisposeAsync();
    }

    [Fact]
    public async Task No_more_nodes_are_looked_at_than_allowed()
    {
        _host.AddWait().End(new WaitResult(WaitOutcome.TimedOut, string.Empty, 9, [], []));
        _host.SetNodes([.. Enumerable.Range(0, 9).Select(i => Node($"n{i}", 0))]);

        FollowSnapshot last = await LastAsync(Follow(Often with { NodesMax = 3 }));

        Assert.Equal(3, last.Laggards.Count);
    }

    private IAsyncEnumerator<FollowSnapshot> Follow(FollowOptions options) =>
        new ReleaseFollower(_client).FollowAsync("orders", 7, options, _limit.Token).GetAsyncEnumerator(_limit.Token);

    private static async Task<FollowSnapshot> NextAsync(IAsyncEnumerator<FollowSnapshot> snapshots, Func<FollowSnapshot, bool> isMeant)
    {
        while (await snapshots.MoveNextAsync())
        {
            if (isMeant(snapshots.Current))
            {
                return snapshots.Current;
            }
        }

        throw new InvalidOperationException("It ended before.");
    }

    private static async Task<FollowSnapshot> LastAsync(IAsyncEnumerator<FollowSnapshot> snapshots)
    {
        FollowSnapshot? last = null;
        await using (snapshots)
        {
            while (await snapshots.MoveNextAsync())
            {
                last = snapshots.Current;
            }
        }

        return last!;
    }
}
