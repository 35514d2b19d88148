using Ripple.Benchmarks.Check;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Benchmarks.Frontier;

/// <summary>
/// What Stabilizer measures of its predicates (VI.A): five KTH operators over twenty operands are evaluated, and a text becomes a first
/// value. The paper has 200 microseconds and 30 milliseconds.
/// </summary>
public class PaperPredicateBenchmarks
{
    private const int Members = 20;

    private readonly FrontierTable _table = new("shop", generation: 1);
    private string _text = string.Empty;
    private BoundPredicate? _predicate;
    private ulong _release = 1;

    [GlobalSetup]
    public void SetUp()
    {
        for (ulong id = 1; id <= Members; id++)
        {
            _table.TryAdd(
                new FrontierMember { Node = new NodeId(0, id), Incarnation = 1, Name = $"n{id}", Zone = "z", Labels = [] },
                out FrontierRow? row);
            _table.Report(row!, 1, id, id, id, isDirect: false);
        }

        // Five operators with four operands each, as one predicate.
        string[] kths =
        [
            .. Enumerable.Range(0, 5).Select(
                i => $"KTH_MAX(2,{string.Join(',', Enumerable.Range((4 * i) + 1, 4).Select(n => $"$NODE_n{n}.applied"))})"),
        ];
        _text = $"MIN({string.Join(',', kths)})";
        _predicate = Bind();
    }

    /// <summary>A row grows, and the value is asked for.</summary>
    [Benchmark]
    [BenchmarkCategory(Categories.Core)]
    public ulong Evaluate()
    {
        _release++;
        _table.Report(_table.Rows[0], 1, Members + _release, Members + _release, Members + _release, isDirect: false);
        return _predicate!.Evaluate();
    }

    /// <summary>A text is read, bound and evaluated for the first time.</summary>
    [Benchmark]
    public ulong FirstValueOfText() => Bind().Evaluate();

    private BoundPredicate Bind() =>
        PredicateParser.TryParse(_text, out Predicate? predicate, out PredicateError? error)
        && predicate.TryBind(new BindingContext { Table = _table }, out BoundPredicate? bound, out error)
            ? bound
            : throw new InvalidOperationException($"{_text}: {error}");
}
