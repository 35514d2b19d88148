using Ripple.Engine.Core;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Tests.Frontier;

public sealed class PredicatePropertyTests
{
    [Fact]
    public void Random_predicates_over_random_tables_agree_with_a_naive_evaluator()
    {
        for (ulong seed = 1; seed <= 3_000; seed++)
        {
            RandomTable random = new(new DeterministicRandom(seed), membersMax: 40, valueMax: 30);
            (string text, Func<Func<int, int, ulong>, ulong> naive) = random.MakePredicate(depth: 4);
            if (text.Length > PredicateLimits.TextCharsMax)
            {
                continue;
            }

            BoundPredicate bound = Tables.Bind(random.Table, text);
            for (int step = 0; step < 5; step++)
            {
                Assert.True(naive(random.Read) == bound.Evaluate(), $"seed {seed}: {text}");
                random.AdvanceOne();
            }

            // The canonical text means the same.
            Assert.Equal(bound.Evaluate(), Tables.Evaluate(random.Table, bound.Predicate.ToString()));
        }
    }

    [Fact]
    public void Growing_a_row_never_lowers_a_value()
    {
        for (ulong seed = 1; seed <= 1_000; seed++)
        {
            RandomTable random = new(new DeterministicRandom(seed), membersMax: 12, valueMax: 50);
            BoundPredicate bound = Tables.Bind(random.Table, random.MakePredicate(depth: 3).Text);
            ulong value = bound.Evaluate();
            for (int step = 0; step < 40; step++)
            {
                random.AdvanceOne();
                ulong next = bound.Evaluate();
                Assert.True(next >= value, $"seed {seed}: {bound.Predicate} fell from {value} to {next}");
                value = next;
            }
        }
    }

    [Fact]
    public void Order_statistics_agree_with_sorting()
    {
        DeterministicRandom random = new(7);
        for (int round = 0; round < 2_000; round++)
        {
            // Few different values as a rule, as frontiers have; sorted, reversed and equal runs too.
            ulong[] values = new ulong[1 + random.NextInt32(300)];
            long range = 1 + random.NextInt64(round % 3 == 0 ? 1_000_000 : 8);
            for (int i = 0; i < values.Length; i++)
            {
                values[i] = (ulong)random.NextInt64(range);
            }

            if (round % 5 == 0)
            {
                Array.Sort(values);
            }

            FrontierTable table = Tables.OfNodes(values);
            int k = 1 + random.NextInt32(values.Length);
            Assert.Equal(values.Order().ElementAt(k - 1), Tables.Evaluate(table, $"KTH_MIN({k}, $ALL)"));
            Assert.Equal(values.OrderDescending().ElementAt(k - 1), Tables.Evaluate(table, $"KTH_MAX({k}, $ALL)"));
        }
    }
}
