using Ripple.Load.Processes;

namespace Ripple.Load.Push;

/// <summary>Reads what one client process tells.</summary>
internal sealed class ClientTally
{
    private readonly TaskCompletionSource<double[]> _before = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<double[]> _after = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<double[]> _rest = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>
    /// CPU ms, signatures checked, releases skipped, values that were wrong, RSS in MB, arrivals, the moment in ticks of the clock: before
    /// the measured part.
    /// </summary>
    public Task<double[]> Before => _before.Task;

    /// <summary>The same after it.</summary>
    public Task<double[]> After => _after.Task;

    /// <summary>The same once everything was told.</summary>
    public Task<double[]> Rest => _rest.Task;

    /// <summary>
    /// Reads until the process ends. <paramref name="arrived"/> is called for every publish: its number, release, first, last, and how many
    /// have it.
    /// </summary>
    public async Task ReadAsync(Child child, Action<int, ulong, long, long, int> arrived)
    {
        await foreach (string[] words in child.ReadAllAsync())
        {
            if (words[0] == "counters")
            {
                double[] values = [.. words.Skip(1).Select(ProcessCost.Read)];
                if (!_before.TrySetResult(values) && !_after.TrySetResult(values))
                {
                    _rest.TrySetResult(values);
                }
            }
            else if (words[0] == "all")
            {
                long[] values = [.. words.Skip(1).Select(long.Parse)];
                arrived((int)values[0], (ulong)values[1], values[2], values[3], (int)values[4]);
            }
        }

        var ended = new InvalidOperationException("A client process ended too early. What it printed is above.");
        _before.TrySetException(ended);
        _after.TrySetException(ended);
        _rest.TrySetException(ended);
    }
}
