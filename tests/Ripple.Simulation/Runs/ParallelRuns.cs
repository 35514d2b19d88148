namespace Ripple.Simulation.Runs;

/// <summary>
/// Does pieces of work on several threads, each piece on one thread, and hands out the results in the order of the pieces, each as soon as
/// those before it are there: what is printed and hashed does not depend on the number of threads.
/// </summary>
internal static class ParallelRuns
{
    public static void Run<T>(int count, int threads, Func<int, T> work, Action<T> onResult)
        where T : class
    {
        var results = new T?[count];
        var gate = new Lock();
        int next = -1;
        int handedOut = 0;
        Exception? failure = null;
        var workers = new Thread[Math.Min(threads, Math.Max(1, count))];
        for (int i = 0; i < workers.Length; i++)
        {
            // Scenarios recurse little, but an exception's stack in a deep protocol deserves room.
            workers[i] = new Thread(Work, 16 * 1_024 * 1_024) { Name = $"simulation {i}" };
            workers[i].Start();
        }

        foreach (Thread worker in workers)
        {
            worker.Join();
        }

        if (failure is not null)
        {
            throw new InvalidOperationException("A run ended with an exception that is no violation.", failure);
        }

        void Work()
        {
            int index;
            while ((index = Interlocked.Increment(ref next)) < count)
            {
                try
                {
                    T result = work(index);
                    lock (gate)
                    {
                        results[index] = result;
                        while (handedOut < count && results[handedOut] is { } ready)
                        {
                            results[handedOut++] = null;
                            onResult(ready);
                        }
                    }
                }
                catch (Exception e)
                {
                    lock (gate)
                    {
                        failure ??= e;
                    }

                    Interlocked.Exchange(ref next, count);
                }
            }
        }
    }
}
