using System.Text;
using Ripple.Client.Tests.Hosting;

namespace Ripple.Client.Tests;

/// <summary>A client that rejects the newest release, and has accepted none, starts from an earlier one that it accepts.</summary>
public sealed class PastReleaseTests : ClientScenario
{
    [Fact]
    public async Task A_new_client_starts_from_what_most_members_have_in_effect()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient first = await StartAsync(host, Picky("first", "5"));
        await using RippleClient second = await StartAsync(host, Picky("second", "4", "5"));
        await using RippleClient third = await StartAsync(host, Picky("third", "4", "5"));
        await PublishAsync(first, 5);
        await UntilAppliedAsync(first, ("first", 4), ("second", 3), ("third", 3));

        await using RippleClient late = await StartAsync(host, Picky("late", "5"));

        // It would accept 4 as well; what most run is what is known to work.
        Assert.Equal((3ul, "3"), (late.Current().Release, ValueOf(late, "a")));
        MemberStatus row = (await first.StatusAsync("shop", Token)).Members.Single(m => m.Name == "late");
        await UntilAppliedAsync(first, ("late", 3));
        row = (await first.StatusAsync("shop", Token)).Members.Single(m => m.Name == "late");
        Assert.Equal((5ul, 3ul, 5ul), (row.Received, row.Applied, row.Rejected));
        Assert.Contains(Log.Lines, l => l.Contains("shop 1/3 takes effect though release 5 is newer", StringComparison.Ordinal));

        await first.PublishAsync(Publish("a", "6"), Token);
        Assert.Equal(6ul, (await SeeAsync(late, 6)).Release);
    }

    [Fact]
    public async Task It_goes_back_from_the_newest_where_it_rejects_what_most_have()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient first = await StartAsync(host, Picky("first", "5"));
        await PublishAsync(first, 5);
        await UntilAppliedAsync(first, ("first", 4));

        await using RippleClient late = await StartAsync(host, Picky("late", "3", "4", "5"));

        Assert.Equal(2ul, late.Current().Release);
    }

    [Fact]
    public async Task What_it_started_from_is_what_it_accepted_after_a_restart_without_a_host()
    {
        RippleClientOptions options = Picky("late", "5");
        await using (TestHost host = await TestHost.StartNewAsync("shop"))
        {
            await using RippleClient first = await StartAsync(host, Picky("first", "4", "5"));
            await PublishAsync(first, 5);
            await UntilAppliedAsync(first, ("first", 3));
            await using (RippleClient late = await StartAsync(host, options))
            {
                Assert.Equal(3ul, late.Current().Release);
                await UntilAsync(first, members => members.Any(m => m.Name == "late" && m.Persisted >= 3));
            }

            Connection = host.ConnectionStringFor("shop");
        }

        await using RippleClient again = await RippleClient.ConnectAsync(
            Connection,
            options with { SnapshotDirectory = Path.Combine(Folder.Path, "late"), ConnectTimeout = TimeSpan.FromSeconds(2) },
            Token);

        Assert.Equal((3ul, "3"), (again.Current().Release, ValueOf(again, "a")));
    }

    [Fact]
    public async Task The_start_fails_with_every_release_it_looked_at_and_why()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient first = await StartAsync(host, Picky("first"));
        await PublishAsync(first, 12);
        // The host is asked which release most have in effect: not one on the way.
        await UntilAppliedAsync(first, ("first", 12));
        string[] all = [.. Enumerable.Range(1, 12).Select(i => $"{i}")];

        RippleException e = await Assert.ThrowsAsync<RippleException>(() => StartAsync(host, Picky("late", all)));

        Assert.Contains("rejects release 12", e.Message, StringComparison.Ordinal);
        for (int release = 4; release <= 11; release++)
        {
            Assert.Contains($"{release}: '{release}' is not for late.", e.Message, StringComparison.Ordinal);
        }

        Assert.DoesNotContain("3: '3'", e.Message, StringComparison.Ordinal);
    }

    private string Connection { get; set; } = string.Empty;

    /// <summary>Each has a directory of its own: one of another client on the machine would be the state it starts from.</summary>
    private Task<RippleClient> StartAsync(TestHost host, RippleClientOptions options) => RippleClient.ConnectAsync(
        host.ConnectionStringFor("shop"),
        Patient(options) with { SnapshotDirectory = Path.Combine(Folder.Path, options.Name!), LoggerFactory = Log },
        Token);

    private static RippleClientOptions Picky(string name, params string[] rejected) => new()
    {
        Name = name,
        AcceptRelease = (release, _) => ValueTask.FromResult(
            !release.Values.TryGetValue("a", out ReadOnlyMemory<byte> value) || Encoding.UTF8.GetString(value.Span) is not { } text
            || !rejected.Contains(text)
                ? ReleaseDecision.Accept
                : ReleaseDecision.Reject($"'{text}' is not for {name}")),
    };

    private static async Task PublishAsync(RippleClient client, int count)
    {
        for (int i = 1; i <= count; i++)
        {
            PublishResult result = await client.PublishAsync(Publish("a", $"{i}"), Token);
            Assert.Equal((ulong)i, result.Release);
            // One that is superseded before it is decided takes effect nowhere, and a wait ends with the first that rejects it.
            await UntilAsync(client, members => members.All(m => Math.Max(m.Applied, m.Rejected) == result.Release));
        }
    }

    private static Task UntilAppliedAsync(RippleClient client, params (string Name, ulong Release)[] expected) =>
        UntilAsync(client, members => expected.All(e => members.Any(m => m.Name == e.Name && m.Applied == e.Release)));

    private static async Task UntilAsync(RippleClient client, Func<IReadOnlyList<MemberStatus>, bool> condition)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(Patience);
        while (!condition((await client.StatusAsync("shop", limit.Token)).Members))
        {
            await Task.Delay(20, limit.Token);
        }
    }
}
