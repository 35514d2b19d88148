using System.Diagnostics;
using System.Reflection;

namespace Ripple.Benchmarks.Check;

/// <summary>Counts the bytes a benchmark allocates once it is warm.</summary>
internal static class AllocationMeter
{
    private const int Rounds = 5;
    private static readonly TimeSpan RoundTime = TimeSpan.FromMilliseconds(10);
    private static readonly MethodInfo AsActionOf = typeof(AllocationMeter).GetMethod(
        nameof(AsAction), BindingFlags.NonPublic | BindingFlags.Static)!;

    /// <summary>
    /// The bytes of one operation: the least of some rounds, for the runtime itself may allocate in one. On this thread for a benchmark of
    /// the core, else in the whole process.
    /// </summary>
    public static double Measure(BenchmarkCase benchmark)
    {
        object instance = benchmark.MakeInstance();
        try
        {
            Action call = CallOf(benchmark.Method, instance);
            int calls = CallsInTime(call);
            long least = long.MaxValue;
            for (int i = 0; i < Rounds && least > 0; i++)
            {
                least = Math.Min(least, Count(call, calls, benchmark.IsCore));
            }

            return (double)least / calls / benchmark.OperationsPerCall;
        }
        finally
        {
            benchmark.Release(instance);
        }
    }

    private static long Count(Action call, int calls, bool isThreadOnly)
    {
        long before = isThreadOnly ? GC.GetAllocatedBytesForCurrentThread() : GC.GetTotalAllocatedBytes(precise: true);
        for (int i = 0; i < calls; i++)
        {
            call();
        }

        return (isThreadOnly ? GC.GetAllocatedBytesForCurrentThread() : GC.GetTotalAllocatedBytes(precise: true)) - before;
    }

    /// <summary>Warms up, and finds how many calls make a round.</summary>
    private static int CallsInTime(Action call)
    {
        int calls = 8;
        while (true)
        {
            long begin = Stopwatch.GetTimestamp();
            for (int i = 0; i < calls; i++)
            {
                call();
            }

            if (Stopwatch.GetElapsedTime(begin) >= RoundTime)
            {
                return calls;
            }

            calls *= 2;
        }
    }

    private static Action CallOf(MethodInfo method, object instance) => method.ReturnType == typeof(void)
        ? method.CreateDelegate<Action>(instance)
        : (Action)AsActionOf.MakeGenericMethod(method.ReturnType).Invoke(null, [method, instance])!;

    private static Action AsAction<T>(MethodInfo method, object instance)
    {
        Func<T> function = method.CreateDelegate<Func<T>>(instance);
        return () => function();
    }
}
