namespace Ripple.Mutants.Lists;

/// <summary>Takes some mutants of many so that rooms, and kinds of mistake, are represented evenly.</summary>
internal static class Sample
{
    /// <summary>Goes from room to room, and takes from each a mutant of the kind that was taken least. One list, one sample.</summary>
    public static List<Mutant> Of(IReadOnlyList<Mutant> mutants, int count)
    {
        List<List<Mutant>> rooms = [.. mutants.GroupBy(m => m.Room).Select(g => g.ToList())];
        var taken = new List<Mutant>();
        var ofClass = new Dictionary<string, int>(StringComparer.Ordinal);
        double step = Math.Max(1, (double)rooms.Count / Math.Max(1, count));
        for (double next = 0; taken.Count < Math.Min(count, mutants.Count); next += step)
        {
            List<Mutant> room = rooms[(int)next % rooms.Count];
            if (room.Count == 0)
            {
                continue;
            }

            Mutant mutant = room.MinBy(m => ofClass.GetValueOrDefault(m.Class))!;
            ofClass[mutant.Class] = ofClass.GetValueOrDefault(mutant.Class) + 1;
            room.Remove(mutant);
            taken.Add(mutant);
        }

        return taken;
    }
}
