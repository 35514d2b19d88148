using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

/// <summary>A report is told when a round it was placed in was confirmed, and not by any other round.</summary>
public sealed class ReportLogTests
{
    private const ulong Step = 4;
    private const int Position = 3;
    private static readonly LevelRow Row = new(1, 1, 7, 7, 7);
    private static readonly RejectionRow Rejection = new(1, 1, 8, "not valid");
    private readonly ReportLog _log = new() { RoundStep = Step };
    private readonly FakeContribution _has = new();

    public ReportLogTests()
    {
        _has.Set(Row.Topic, Row.Received, Row.Persisted, Row.Applied);
        Confirm(0);
    }

    [Theory]
    [InlineData(8, false)]
    [InlineData(12, true)]
    [InlineData(13, false)]
    [InlineData(14, false)]
    [InlineData(15, false)]
    [InlineData(16, true)]
    [InlineData(20, true)]
    [InlineData(24, false)]
    public void Only_a_round_of_the_leader_that_it_was_placed_in_confirms_it(ulong round, bool isTold)
    {
        for (ulong placed = 12; placed <= 20; placed += Step)
        {
            _log.OnPlaced(Row, placed, isTurn: true);
            _log.OnPlaced(Rejection, 0, placed);
        }

        Confirm(round);
        Assert.Equal(isTold, !_log.IsOpen(Row.Topic));
        Assert.Equal(isTold, _log.IsTold(Rejection, 0));
    }

    [Fact]
    public void A_round_that_it_was_not_placed_in_begins_the_range_anew()
    {
        _log.OnPlaced(Row, 12, isTurn: true);
        _log.OnPlaced(Row, 20, isTurn: true);
        Confirm(16);
        Assert.True(_log.IsOpen(Row.Topic));
        Confirm(20);
        Assert.False(_log.IsOpen(Row.Topic));
    }

    [Fact]
    public void Levels_that_changed_since_are_not_told()
    {
        _log.OnPlaced(Row, 12, isTurn: true);
        _has.Set(Row.Topic, 8, 8, 8);
        Confirm(12);
        Assert.True(_log.IsOpen(Row.Topic));
        _log.OnPlaced(_log.TopicAt(0), 16, isTurn: true);
        Confirm(12);
        Assert.True(_log.IsOpen(Row.Topic));
        Confirm(16);
        Assert.False(_log.IsOpen(Row.Topic));
    }

    [Fact]
    public void A_round_in_which_this_position_was_silent_does_not_count()
    {
        _log.OnPlaced(Row, 12, isTurn: true);
        Confirm(12, Position);
        Assert.True(_log.IsOpen(Row.Topic));
        Confirm(12, Position + 1);
        Assert.False(_log.IsOpen(Row.Topic));
    }

    private void Confirm(ulong round, params ReadOnlySpan<ushort> silent)
    {
        var token = new RingToken();
        token.SetConfirmed(round, silent);
        _log.OnToken(token, Position, _has);
    }
}
