using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

/// <summary>A report is told when a round it was placed in was confirmed, and not by any other round.</summary>
public sealed class ReportLogTests
{
    private const ulong Step = 4;
    private static readonly LevelRow Row = new(1, 1, 7, 7, 7);
    private static readonly RejectionRow Rejection = new(1, 1, 8, "not valid");
    private readonly ReportLog _log = new() { RoundStep = Step };

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
            _log.OnPlaced(Row, 0, placed);
            _log.OnPlaced(Rejection, 0, placed);
        }

        _log.OnToken(new RingToken { Confirmed = round }, position: 3);
        Assert.Equal(isTold, _log.IsTold(Row, 0));
        Assert.Equal(isTold, _log.IsTold(Rejection, 0));
    }

    [Fact]
    public void A_round_that_it_was_not_placed_in_begins_the_range_anew()
    {
        _log.OnPlaced(Row, 0, 12);
        _log.OnPlaced(Row, 0, 20);
        _log.OnToken(new RingToken { Confirmed = 16 }, position: 3);
        Assert.False(_log.IsTold(Row, 0));
        _log.OnToken(new RingToken { Confirmed = 20 }, position: 3);
        Assert.True(_log.IsTold(Row, 0));
    }

    [Fact]
    public void Levels_that_changed_since_are_not_told()
    {
        _log.OnPlaced(Row, 0, 12);
        LevelRow newer = Row with { Applied = 8, Persisted = 8, Received = 8 };
        _log.OnToken(new RingToken { Confirmed = 12 }, position: 3);
        Assert.False(_log.IsTold(newer, 0));
        _log.OnPlaced(newer, 0, 16);
        Assert.False(_log.IsTold(newer, 0));
        _log.OnToken(new RingToken { Confirmed = 16 }, position: 3);
        Assert.True(_log.IsTold(newer, 0));
        Assert.False(_log.IsTold(Row, 0));
    }

    [Fact]
    public void A_round_in_which_this_position_was_silent_does_not_count()
    {
        _log.OnPlaced(Row, 0, 12);
        var token = new RingToken();
        token.SetConfirmed(12, [3]);
        _log.OnToken(token, position: 3);
        Assert.False(_log.IsTold(Row, 0));
        token.SetConfirmed(12, [4]);
        _log.OnToken(token, position: 3);
        Assert.True(_log.IsTold(Row, 0));
    }
}
