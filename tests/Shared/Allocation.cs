namespace Ripple.Tests.Shared;

/// <summary>What code allocates once it is warm.</summary>
internal static class Allocation
{
    /// <summary>The least bytes of five rounds: the runtime itself may allocate in one, when it compiles hot code again, and a
    /// collection counts what was left of this thread's room for allocations.</summary>
    public static long Of(Action round)
    {
        round();
        long least = long.MaxValue;
        for (int i = 0; i < 5; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            round();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    /// <summary>
    /// The shortest list of rounds that allocated, of up to three measurements that each begin anew: what the code itself allocates is in
    /// each of them.
    /// </summary>
    public static IReadOnlyList<string> Again(Func<IReadOnlyList<string>> measure)
    {
        IReadOnlyList<string> least = measure();
        for (int i = 0; i < 2 && least.Count > 0; i++)
        {
            IReadOnlyList<string> next = measure();
            least = next.Count < least.Count ? next : least;
        }

        return least;
    }
}
