using Ripple.Client.State;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;

namespace Ripple.Client.Calls;

/// <summary>
/// Levels of applications' own that this process says it has reached: told to the host, and again after each join, for a host keeps of a
/// node what the node's connection told it. Any thread.
/// </summary>
/// <param name="calls">The calls to the host.</param>
/// <param name="connection">Says when the client joined.</param>
/// <param name="timeout">How long a report may take.</param>
/// <param name="stopping">Ends the repeating.</param>
internal sealed class LevelReporter(HostCalls calls, ConnectionSignal connection, TimeSpan timeout, CancellationToken stopping)
{
    private readonly Lock _lock = new();
    private readonly SortedDictionary<(string Application, string Level), (uint Generation, ulong Release)> _reached = [];
    private bool _isRepeating;

    /// <summary>Reports a level; completes when a host has taken it.</summary>
    /// <exception cref="RippleException">The host refused.</exception>
    public async Task ReportAsync(
        string application, uint generation, ulong release, string level, CancellationToken cancellationToken)
    {
        // Before it is told: a join between the answer and this would not be noticed.
        long joins = connection.Now.Joins;
        await AskAsync(application, generation, release, level, cancellationToken).ConfigureAwait(false);
        lock (_lock)
        {
            _reached.TryGetValue((application, level), out (uint Generation, ulong Release) before);
            if ((generation, release).CompareTo(before) > 0)
            {
                _reached[(application, level)] = (generation, release);
            }

            if (_isRepeating)
            {
                return;
            }

            _isRepeating = true;
        }

        _ = RepeatAsync(joins);
    }

    /// <summary>Does not throw: what a host refuses then was not true any more, as after a restore.</summary>
    private async Task RepeatAsync(long joins)
    {
        try
        {
            while (true)
            {
                joins = await connection.WaitJoinedAsync(joins, stopping).ConfigureAwait(false);
                KeyValuePair<(string Application, string Level), (uint Generation, ulong Release)>[] reached;
                lock (_lock)
                {
                    reached = [.. _reached];
                }

                foreach (((string application, string level), (uint generation, ulong release)) in reached)
                {
                    try
                    {
                        await AskAsync(application, generation, release, level, stopping).ConfigureAwait(false);
                    }
                    catch (Exception e) when (e is RippleException or RippleTimeoutException)
                    {
                        // The next join repeats it.
                    }
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The client ends.
        }
    }

    private async Task AskAsync(
        string application, uint generation, ulong release, string level, CancellationToken cancellationToken)
    {
        CallResult answer = await calls.AskAsync<LevelReport, CallResult>(
            $"the report of '{level}' of '{application}'",
            call => new LevelReport(call, application, generation, release, level),
            a => a.Code,
            timeout,
            cancellationToken).ConfigureAwait(false);
        HostCalls.ThrowIfRefused(answer.Code, answer.Text);
    }
}
