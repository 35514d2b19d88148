using System.Collections.Immutable;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Scripts;

namespace Ripple.Simulation.Stories;

/// <summary>
/// Removes faults, nodes and publishes from a failing run as long as the same checker still fails (delta debugging): first many at a time,
/// then fewer, at last one by one, until none of those that are left can be removed alone.
/// </summary>
internal sealed class Shrinker(SeedRun run, string checker, Action<string> log)
{
    /// <summary>The most runs it tries, so that it ends.</summary>
    public const int RunsMax = 1_000;

    // Runs with few nodes are the shortest.
    private static readonly RunItem[] Order = [RunItem.Node, RunItem.Fault, RunItem.Publish];
    private readonly HashSet<string> _passed = new(StringComparer.Ordinal);

    /// <summary>The number of runs it tried.</summary>
    public int RunCount { get; private set; }

    /// <summary>What is left; null if the whole does not fail again.</summary>
    public RunExcerpt? Shrink()
    {
        RunExcerpt excerpt = run.Excerpt;
        foreach (RunItem item in Order)
        {
            excerpt = excerpt.With(item, excerpt.Of(item) ?? ItemNames.SetOf(run.ItemsOf(item)));
        }

        if (!Fails(excerpt))
        {
            return null;
        }

        int before;
        do
        {
            before = CountOf(excerpt);
            foreach (RunItem item in Order)
            {
                excerpt = Reduce(excerpt, item);
                log($"shrink: {Text(excerpt)} after {RunCount} runs");
            }
        }
        while (CountOf(excerpt) < before && RunCount < RunsMax);
        return excerpt;
    }

    private static int CountOf(RunExcerpt excerpt) => Order.Sum(i => excerpt.Of(i)!.Count);

    private static string Text(RunExcerpt excerpt) =>
        $"{excerpt.Faults!.Count} faults, {excerpt.Nodes!.Count} nodes, {excerpt.Publishes!.Count} publishes";

    private RunExcerpt Reduce(RunExcerpt excerpt, RunItem item)
    {
        int size = excerpt.Of(item)!.Count;
        while (size > 0 && RunCount < RunsMax)
        {
            RunExcerpt before = excerpt;
            int start = 0;
            while (start < excerpt.Of(item)!.Count)
            {
                ImmutableSortedSet<string> kept = excerpt.Of(item)!;
                ImmutableSortedSet<string> fewer = kept.Except(kept.Skip(start).Take(size));
                if (Fails(excerpt.With(item, fewer)))
                {
                    excerpt = excerpt.With(item, fewer);
                }
                else
                {
                    start += size;
                }
            }

            bool hasChanged = !ReferenceEquals(before, excerpt);
            size = Math.Min(size, excerpt.Of(item)!.Count);
            size = size > 1 ? (size + 1) / 2 : hasChanged ? 1 : 0;
        }

        return excerpt;
    }

    private bool Fails(RunExcerpt excerpt)
    {
        string name = string.Join(' ', Order.Select(i => ItemNames.Format(excerpt.Of(i)!)));
        if (RunCount >= RunsMax || _passed.Contains(name))
        {
            return false;
        }

        RunCount++;
        if (run.Run(excerpt).Checker == checker)
        {
            return true;
        }

        _passed.Add(name);
        return false;
    }
}
