namespace Ripple.Mutants.Running;

/// <summary>Seeds in growing portions: what is found early is found soon, and what is not does not start a process a seed.</summary>
internal static class SeedSteps
{
    private const int FirstCount = 8;

    public static IEnumerable<(int First, int Last)> UpTo(int seeds)
    {
        int count = FirstCount;
        for (int first = 1; first <= seeds; first += count / 2)
        {
            yield return (first, Math.Min(seeds, first + count - 1));
            count *= 2;
        }
    }
}
