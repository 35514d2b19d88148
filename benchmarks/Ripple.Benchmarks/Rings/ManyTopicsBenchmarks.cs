using Ripple.Benchmarks.Check;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Benchmarks.Rings;

/// <summary>A token with one topic passes a member that has many others, which rest.</summary>
[BenchmarkCategory(Categories.Core)]
public class ManyTopicsBenchmarks : IRingContribution
{
    private readonly RingToken _token = new() { Positions = 24 };
    private readonly ReportLog _reports = new();
    private LevelRow[] _rows = [];
    private int _taken;

    [Params(16, 1_024)]
    public int Topics { get; set; }

    int IRingContribution.StreamCount => 0;

    int IRingContribution.TopicCount => _rows.Length;

    int IRingContribution.RejectionCount => 0;

    StreamProgress IRingContribution.StreamAt(int index) => throw new InvalidOperationException("There is no stream.");

    LevelRow IRingContribution.TopicAt(int index) => _rows[index];

    bool IRingContribution.TryTakeChanged(out LevelRow row)
    {
        row = _taken < _rows.Length ? _rows[_taken++] : default;
        return row.Topic > 0;
    }

    RejectionRow IRingContribution.RejectionAt(int index) => throw new InvalidOperationException("There is no rejection.");

    void IRingContribution.OnFloor(ulong origin, ulong floor)
    {
    }

    [GlobalSetup]
    public void SetUp()
    {
        _rows = [.. Enumerable.Range(1, Topics).Select(t => new LevelRow((uint)t, 1, 5, 5, 5))];
        for (ulong round = 1; _reports.TopicCount > 0 || round == 1; round++)
        {
            // All is told, and the sender says that it has it.
            _token.Clear(view: 1, round);
            _token.SetConfirmed(round - 1, []);
            RingTokenVisit.Visit(_token, position: 0, this, _reports);
        }

        if (Visit() != 1)
        {
            throw new InvalidOperationException("The token does not have the one topic.");
        }
    }

    [Benchmark]
    public int Visit()
    {
        _token.Clear(view: 1, round: 1_000);
        _token.TryAddTopic(7, generation: 1, baseRelease: 5, from: 0);
        RingTokenVisit.Visit(_token, position: 0, this, _reports);
        return _token.Topics.Length;
    }
}
