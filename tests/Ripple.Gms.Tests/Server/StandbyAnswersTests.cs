using Microsoft.Extensions.Time.Testing;
using Ripple.Gms.Api;
using Ripple.Gms.Server;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>What a standby tells nodes, and when, by a clock that the test moves.</summary>
public sealed class StandbyAnswersTests
{
    private static readonly HostEndpoint One = new("one", 1);
    private static readonly HostEndpoint Two = new("two", 2);
    private readonly FakeTimeProvider _time = new();
    private readonly HashSet<HostEndpoint> _there = [];
    private readonly List<HostEndpoint> _looks = [];
    private readonly StandbyAnswers _answers;
    private LeadingHost? _leading = new("one", One);

    public StandbyAnswersTests() => _answers = new StandbyAnswers(() => _leading, Accepts, _time);

    [Fact]
    public async Task A_leader_that_takes_connections_is_named_at_once_and_looked_for_once_for_all_who_come_together()
    {
        _there.Add(One);
        for (int i = 0; i < 100; i++)
        {
            Assert.Equal((LinkRefusalCode.NotLeader, One), Told(await AnswerAsync()));
        }

        Assert.Single(_looks);
        _time.Advance(StandbyAnswers.LookPeriod);
        Assert.Equal((LinkRefusalCode.NotLeader, One), Told(await AnswerAsync()));
        Assert.Equal(2, _looks.Count);
    }

    [Fact]
    public async Task Who_comes_while_the_leader_is_away_is_answered_when_another_is_there()
    {
        Task<LinkRefusal>[] held = [.. Enumerable.Range(0, 50).Select(_ => AnswerAsync())];
        await StepAsync(StandbyAnswers.LookPeriod, 3);
        Assert.All(held, h => Assert.False(h.IsCompleted));

        // The lease names the next, which listens later.
        _leading = new("two", Two);
        await StepAsync(StandbyAnswers.LookPeriod, 1);
        Assert.All(held, h => Assert.False(h.IsCompleted));
        _there.Add(Two);
        await StepAsync(StandbyAnswers.LookPeriod, 1);
        Assert.All(await Task.WhenAll(held), r => Assert.Equal((LinkRefusalCode.NotLeader, Two), Told(r)));
        Assert.InRange(_looks.Count, 1, 6);
    }

    [Theory]
    [InlineData(true, "not the leader: one at one:1 leads, and cannot be reached from here. Try again, or another host.")]
    [InlineData(false, LeadingHost.NotKnown)]
    public async Task Who_waited_for_as_long_as_it_may_is_told_to_try_again(bool isNamed, string text)
    {
        _leading = isNamed ? _leading : null;
        Task<LinkRefusal> held = AnswerAsync();
        await StepAsync(StandbyAnswers.LookPeriod, (int)(StandbyAnswers.HoldMax / StandbyAnswers.LookPeriod) - 1);
        Assert.False(held.IsCompleted);
        await StepAsync(StandbyAnswers.LookPeriod, 1);
        LinkRefusal told = await held;
        Assert.Equal((LinkRefusalCode.Busy, null), Told(told));
        Assert.Equal(text, told.Text);
    }

    [Fact]
    public async Task All_who_wait_are_told_when_this_host_is_about_to_lead_or_stops()
    {
        Task<LinkRefusal> held = AnswerAsync();
        _answers.End(Two);
        Assert.Equal((LinkRefusalCode.NotLeader, Two), Told(await held));
        Assert.Equal((LinkRefusalCode.NotLeader, Two), Told(await AnswerAsync()));

        var stopped = new StandbyAnswers(() => _leading, Accepts, _time);
        held = stopped.AnswerAsync(CancellationToken.None).AsTask();
        stopped.End(null);
        Assert.Equal((LinkRefusalCode.Busy, null), Told(await held));
    }

    [Fact]
    public async Task A_node_that_goes_waits_no_more()
    {
        using var gone = new CancellationTokenSource();
        Task<LinkRefusal> held = _answers.AnswerAsync(gone.Token).AsTask();
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => held);
    }

    private static (LinkRefusalCode Code, HostEndpoint? Leader) Told(LinkRefusal refusal) => (refusal.Code, refusal.Leader);

    private Task<LinkRefusal> AnswerAsync() => _answers.AnswerAsync(TestContext.Current.CancellationToken).AsTask();

    private Task<bool> Accepts(HostEndpoint endpoint, CancellationToken cancellationToken)
    {
        _looks.Add(endpoint);
        return Task.FromResult(_there.Contains(endpoint));
    }

    /// <summary>On a thread of the pool what a timer wakes goes on before the clock moves again.</summary>
    private Task StepAsync(TimeSpan by, int times) => Task.Run(() =>
    {
        for (int i = 0; i < times; i++)
        {
            _time.Advance(by);
        }
    });
}
