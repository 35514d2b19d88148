using System.Globalization;

namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>The k of an operator: a number, the size of a set, or two of them and a sign. Immutable.</summary>
internal sealed class PredicateCount
{
    private readonly Func<IReadOnlyList<PredicateMember>, long?> _value;

    private PredicateCount(string text, Func<IReadOnlyList<PredicateMember>, long?> value, IEnumerable<MemberSet> sets)
    {
        Text = text;
        _value = value;
        Sets = [.. sets];
    }

    /// <summary>How it is written.</summary>
    public string Text { get; }

    /// <summary>The sets whose sizes it takes.</summary>
    public IReadOnlyList<MemberSet> Sets { get; }

    /// <summary>A number.</summary>
    public static PredicateCount Of(long number) => new(number.ToString(CultureInfo.InvariantCulture), _ => number, []);

    /// <summary>The number of elements of a set.</summary>
    public static PredicateCount SizeOf(MemberSet set) => new($"SIZEOF({set.Text})", members => set.Among(members).Count, [set]);

    /// <summary>Two of them with one of the signs + - * /, in parentheses; a division is whole.</summary>
    public static PredicateCount Compute(PredicateCount left, char sign, PredicateCount right)
    {
        ArgumentNullException.ThrowIfNull(left);
        ArgumentNullException.ThrowIfNull(right);
        return new PredicateCount(
            $"({left.Text} {sign} {right.Text})",
            members => (left.ValueAmong(members), right.ValueAmong(members)) switch
            {
                ({ } a, { } b) => sign switch
                {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    _ => b == 0 ? null : a / b,
                },
                _ => null,
            },
            [.. left.Sets, .. right.Sets]);
    }

    /// <summary>The number; null if it is none.</summary>
    public long? ValueAmong(IReadOnlyList<PredicateMember> members) => _value(members);
}
