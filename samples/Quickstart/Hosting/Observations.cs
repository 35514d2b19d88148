using Quickstart.Nodes;

namespace Quickstart.Hosting;

/// <summary>Everything the nodes reported. Any thread.</summary>
internal sealed class Observations
{
    private const string Conflict = "two different hashes for one release";

    private readonly Lock _lock = new();
    private readonly Dictionary<(int Node, ulong Release), NodeReport> _applied = [];
    private readonly Dictionary<(string Kind, int Node), NodeReport> _newest = [];
    private TaskCompletionSource _changed = NewSignal();
    private string? _failure;

    public void Add(NodeReport report)
    {
        if (report.Kind == NodeReport.Failed)
        {
            Fail(report.Text);
            return;
        }

        TaskCompletionSource changed;
        lock (_lock)
        {
            _newest[(report.Kind, report.Node)] = report;
            if (report.Kind == NodeReport.Applied)
            {
                (int, ulong) at = (report.Node, report.Release);
                _applied[at] = _applied.TryGetValue(at, out NodeReport? before) && before.Hash != report.Hash
                    ? report with { Hash = Conflict }
                    : before ?? report;
            }

            changed = _changed;
            _changed = NewSignal();
        }

        changed.TrySetResult();
    }

    /// <summary>Everyone who waits throws; the first failure stands.</summary>
    public void Fail(string failure)
    {
        TaskCompletionSource changed;
        lock (_lock)
        {
            _failure ??= failure;
            changed = _changed;
            _changed = NewSignal();
        }

        changed.TrySetResult();
    }

    /// <summary>The newest report of a kind; null when there was none.</summary>
    public NodeReport? Newest(string kind, int node)
    {
        lock (_lock)
        {
            return _newest.GetValueOrDefault((kind, node));
        }
    }

    /// <summary>The report that a node put a release in effect; null when there was none.</summary>
    public NodeReport? Applied(int node, ulong release)
    {
        lock (_lock)
        {
            return _applied.GetValueOrDefault((node, release));
        }
    }

    /// <summary>True if a node has put a release in effect, or a newer one.</summary>
    public bool HasApplied(int node, ulong release) => Newest(NodeReport.Applied, node) is { } newest && newest.Release >= release;

    /// <summary>Forgets the newest reports of a kind, before new ones are asked for.</summary>
    public void Forget(string kind, IEnumerable<int> nodes)
    {
        lock (_lock)
        {
            foreach (int node in nodes)
            {
                _newest.Remove((kind, node));
            }
        }
    }

    /// <summary>Waits until a condition holds for every node; false when the time runs out.</summary>
    /// <exception cref="QuickstartException">A node or a process failed.</exception>
    public async Task<bool> UntilAsync(
        IReadOnlyCollection<int> nodes, Func<int, bool> condition, TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout);
        while (true)
        {
            Task changed;
            lock (_lock)
            {
                if (_failure is not null)
                {
                    throw new QuickstartException(_failure);
                }

                changed = _changed.Task;
            }

            if (nodes.All(condition))
            {
                return true;
            }

            try
            {
                await changed.WaitAsync(limit.Token);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                return false;
            }
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
