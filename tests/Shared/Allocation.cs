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
}
