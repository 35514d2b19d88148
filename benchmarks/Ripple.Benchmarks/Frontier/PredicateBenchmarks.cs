using Ripple.Benchmarks.Check;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Benchmarks.Frontier;

/// <summary>A row of the table grows, and a bound predicate is asked for its value.</summary>
[BenchmarkCategory(Categories.Core)]
public class PredicateBenchmarks
{
    private readonly FrontierTable _table = new("shop", generation: 1);
    private BoundPredicate? _predicate;
    private ulong _release = 1;

    /// <summary>The members bound to.</summary>
    [Params(10, 500)]
    public int Members { get; set; }

    [Params("MIN($ALL.applied)", "KTH_MAX(SIZEOF($ALL)/2+1, $ALL)")]
    public string Text { get; set; } = string.Empty;

    [GlobalSetup]
    public void SetUp()
    {
        for (ulong id = 1; id <= (ulong)Members; id++)
        {
            _table.TryAdd(
                new FrontierMember { Node = new NodeId(0, id), Incarnation = 1, Name = $"n{id}", Zone = "z", Labels = [] },
                out FrontierRow? row);
            _table.Report(row!, 1, _release, _release, _release, isDirect: false);
        }

        if (!PredicateParser.TryParse(Text, out Predicate? predicate, out PredicateError? error)
            || !predicate.TryBind(new BindingContext { Table = _table }, out _predicate, out error))
        {
            throw new InvalidOperationException($"{Text}: {error}");
        }
    }

    [Benchmark]
    public ulong ReportAndEvaluate()
    {
        _release++;
        _table.Report(_table.Rows[0], 1, _release, _release, _release, isDirect: false);
        return _predicate!.Evaluate();
    }
}
