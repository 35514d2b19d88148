using Ripple.Engine.Core;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>
/// A random predicate over nodes n0, n1 ... in zones, as text and, independently of the engine, as a function of each member's value at
/// each of six slots. Every set has an element and every k is in range.
/// </summary>
internal sealed class RandomPredicate
{
    private static readonly string[] Suffixes =
        ["", ".received", ".persisted", ".applied", ".direct", ".received.direct", ".persisted.direct", ".applied.direct"];
    private static readonly int[] Slots = [0, 0, 2, 4, 1, 1, 3, 5];

    private readonly DeterministicRandom _random;
    private readonly int[] _zoneOf;
    private readonly int _zoneCount;

    private RandomPredicate(DeterministicRandom random, int[] zoneOf, int zoneCount)
    {
        _random = random;
        _zoneOf = zoneOf;
        _zoneCount = zoneCount;
    }

    /// <summary>Gives the text and its meaning: read(member, slot) to value.</summary>
    public static (string Text, Func<Func<int, int, ulong>, ulong> Naive) Make(
        DeterministicRandom random, int[] zoneOf, int zoneCount, int depth)
    {
        RandomPredicate maker = new(random, zoneOf, zoneCount);
        return maker.Operator(depth);
    }

    private (string Text, Func<Func<int, int, ulong>, ulong> Naive) Operator(int depth)
    {
        List<string> texts = [];
        List<Func<Func<int, int, ulong>, IEnumerable<ulong>>> values = [];
        int count = 0;
        int arguments = 1 + _random.NextInt32(3);
        for (int i = 0; i < arguments; i++)
        {
            if (depth > 0 && _random.NextBool(0.4))
            {
                (string text, Func<Func<int, int, ulong>, ulong> inner) = Operator(depth - 1);
                texts.Add(text);
                values.Add(read => [inner(read)]);
                count++;
            }
            else
            {
                (string text, HashSet<int> set) = NonEmptySet();
                int suffix = _random.NextInt32(Suffixes.Length);
                texts.Add(text.Contains(" - ", StringComparison.Ordinal) ? $"({text}){Suffixes[suffix]}" : text + Suffixes[suffix]);
                values.Add(read => set.Select(member => read(member, Slots[suffix])));
                count += set.Count;
            }
        }

        string list = string.Join(", ", texts);
        IEnumerable<ulong> All(Func<int, int, ulong> read) => values.SelectMany(v => v(read));
        int k = 1 + _random.NextInt32(count);
        string kText = K(k);
        return _random.NextInt32(4) switch
        {
            0 => ($"MIN({list})", read => All(read).Min()),
            1 => ($"MAX({list})", read => All(read).Max()),
            2 => ($"KTH_MIN({kText}, {list})", read => All(read).Order().ElementAt(k - 1)),
            _ => ($"KTH_MAX({kText}, {list})", read => All(read).OrderDescending().ElementAt(k - 1)),
        };
    }

    /// <summary>A k in one of several spellings.</summary>
    private string K(int k)
    {
        (string set, HashSet<int> members) = Set();
        int size = members.Count;
        return _random.NextInt32(4) switch
        {
            0 => $"SIZEOF({set}) + {k + 3} - {size + 3}",
            1 => $"({2 * k} + 1)/2",
            2 => $"{k}*1",
            _ => $"{k}",
        };
    }

    private (string Text, HashSet<int> Members) NonEmptySet()
    {
        while (true)
        {
            (string text, HashSet<int> members) = Set();
            if (members.Count > 0)
            {
                return (text, members);
            }
        }
    }

    private (string Text, HashSet<int> Members) Set()
    {
        (string text, HashSet<int> members) = Operand();
        while (_random.NextBool(0.25))
        {
            (string removedText, HashSet<int> removed) = _random.NextBool(0.3) ? Group(Set()) : Operand();
            text = $"{text} - {removedText}";
            members = [.. members.Except(removed)];
        }

        return (text, members);
    }

    private static (string Text, HashSet<int> Members) Group((string Text, HashSet<int> Members) set) => ($"({set.Text})", set.Members);

    private (string Text, HashSet<int> Members) Operand()
    {
        int zone = _random.NextInt32(_zoneCount);
        int node = _random.NextInt32(_zoneOf.Length);
        IEnumerable<int> all = Enumerable.Range(0, _zoneOf.Length);
        return _random.NextInt32(5) switch
        {
            0 => ("$ALL", [.. all]),
            1 => ($"$ZONE_z{zone}", [.. all.Where(i => _zoneOf[i] == zone)]),
            2 => ($"$NODE(\"n{node}\")", [node]),
            3 => ($"$LABEL(\"parity\", \"{zone % 2}\")", [.. all.Where(i => i % 2 == zone % 2)]),
            _ => ($"$AREA('z{zone}')", [.. all.Where(i => _zoneOf[i] == zone)]),
        };
    }
}
