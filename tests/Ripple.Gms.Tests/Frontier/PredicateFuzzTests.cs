using System.Text;
using Ripple.Engine.Core;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Tests.Frontier;

public sealed class PredicateFuzzTests
{
    private static readonly string[] Pieces =
    [
        "MIN",
        "MAX",
        "KTH_MIN",
        "KTH_MAX",
        "SIZEOF",
        "(",
        ")",
        "(",
        ")",
        ",",
        ".",
        "+",
        "-",
        "*",
        "/",
        " ",
        "$ALL",
        "$ZONE_z0",
        "$ZONE(\"z0\")",
        "$NODE('n1')",
        "$LABEL(\"parity\",\"0\")",
        "$HOSTS",
        "$ALLWNODES",
        "$MYWNODE",
        "$AZ_x",
        "$1",
        "$",
        "applied",
        "persisted",
        "direct",
        "received",
        "0",
        "1",
        "2",
        "999999999999",
        "\"", "'", "\\", "\u00e9", "\ud83d", "\0", "$WNODE_", "_", "\t",
    ];

    [Fact]
    public void Random_pieces_never_throw()
    {
        DeterministicRandom random = new(11);
        FrontierTable table = Tables.OfNodes(1, 2, 3);
        int parsed = 0;
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            StringBuilder text = new();
            for (int n = random.NextInt32(24); n > 0; n--)
            {
                text.Append(random.NextBool(0.05) ? ((char)random.NextInt32(0x10000)).ToString() : Pieces[random.NextInt32(Pieces.Length)]);
            }

            parsed += Check(table, text.ToString()) ? 1 : 0;
        }

        Assert.True(parsed < FuzzCount.Value);
    }

    [Fact]
    public void Mutated_predicates_never_throw_and_what_parses_has_a_canonical_form()
    {
        DeterministicRandom random = new(12);
        int parsed = 0;
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            RandomTable some = new(random, membersMax: 6, valueMax: 9);
            string text = some.MakePredicate(depth: 2).Text;
            StringBuilder mutated = new(text);
            for (int n = random.NextInt32(4); n > 0 && mutated.Length > 0; n--)
            {
                int at = random.NextInt32(mutated.Length);
                switch (random.NextInt32(4))
                {
                    case 0:
                        mutated.Remove(at, Math.Min(mutated.Length - at, 1 + random.NextInt32(5)));
                        break;
                    case 1:
                        mutated.Insert(at, Pieces[random.NextInt32(Pieces.Length)]);
                        break;
                    case 2:
                        mutated[at] = (char)(32 + random.NextInt32(96));
                        break;
                    default:
                        int from = random.NextInt32(text.Length);
                        mutated.Insert(at, text.AsSpan(from, Math.Min(text.Length - from, 12)));
                        break;
                }
            }

            parsed += Check(some.Table, mutated.ToString()) ? 1 : 0;
        }

        // A quarter is not mutated at all.
        Assert.True(parsed > FuzzCount.Value / 5, $"only {parsed} of {FuzzCount.Value} parsed: the generator is broken");
    }

    private static bool Check(FrontierTable table, string text)
    {
        if (!PredicateParser.TryParse(text, out Predicate? predicate, out PredicateError? error))
        {
            Assert.InRange(error.Position, 0, text.Length);
            Assert.NotEmpty(error.Message);
            return false;
        }

        string canonical = predicate.ToString();
        if (canonical.Length <= PredicateLimits.TextCharsMax)
        {
            Assert.Equal(canonical, Tables.Parse(canonical).ToString());
        }

        if (predicate.TryBind(new BindingContext { Table = table, Zone = "z0" }, out BoundPredicate? bound, out error))
        {
            Assert.True(bound.EvaluateUpperBound(1) >= bound.Evaluate());
        }
        else
        {
            Assert.InRange(error.Position, 0, text.Length);
        }

        return true;
    }
}
