using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>A small random table, and a model of it that a naive evaluator reads.</summary>
internal sealed class RandomTable
{
    public RandomTable(DeterministicRandom random, int membersMax, ulong valueMax)
    {
        Random = random;
        ValueMax = valueMax;
        ZoneCount = 1 + random.NextInt32(3);
        ZoneOf = new int[1 + random.NextInt32(membersMax)];
        Table = new FrontierTable(Tables.Application, 1);
        for (int i = 0; i < ZoneOf.Length; i++)
        {
            ZoneOf[i] = random.NextInt32(ZoneCount);
            string parity = (i % 2).ToString(CultureInfo.InvariantCulture);
            Rows.Add(Tables.Add(Table, (ulong)i + 1, $"n{i}", $"z{ZoneOf[i]}", labels: ("parity", parity)));
        }

        for (int i = random.NextInt32(ZoneOf.Length * 6); i > 0; i--)
        {
            AdvanceOne();
        }
    }

    public DeterministicRandom Random { get; }

    public FrontierTable Table { get; }

    public List<FrontierRow> Rows { get; } = [];

    public int[] ZoneOf { get; }

    public int ZoneCount { get; }

    public ulong ValueMax { get; }

    public ulong Read(int member, int slot) => Rows[member].ValueAt(slot / 2, slot % 2 == 1);

    public void AdvanceOne()
    {
        FrontierRow row = Rows[Random.NextInt32(Rows.Count)];
        Table.Advance(row, 1, Random.NextInt32(3), (ulong)Random.NextInt64((long)ValueMax + 1), Random.NextBool(0.5));
    }

    public (string Text, Func<Func<int, int, ulong>, ulong> Naive) MakePredicate(int depth) =>
        RandomPredicate.Make(Random, ZoneOf, ZoneCount, depth);
}
