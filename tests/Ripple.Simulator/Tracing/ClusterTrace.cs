using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Core;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Tracing;

/// <summary>
/// Traces a cluster's host and publishers, and what nodes only count. It listens where the checkers listen; what nodes do is traced by
/// their witnesses.
/// </summary>
internal sealed class ClusterTrace : IChecker
{
    private readonly TraceLog _trace;
    private readonly SimulatedCluster _cluster;
    private readonly SortedDictionary<int, SimulatedClient> _clients = [];
    private readonly SortedDictionary<int, (NodeCounters Counters, long CatchUps, long Snapshots)> _seen = [];
    private readonly SortedSet<string> _committed = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, ReleaseLabel> _newest = new(StringComparer.Ordinal);

    private ClusterTrace(SimulatedCluster cluster, TraceLog trace)
    {
        _cluster = cluster;
        _trace = trace;
        foreach (SimulatedClient client in cluster.Clients.Concat(cluster.Publishers.Select(p => p.Client)))
        {
            _clients.Add(client.Machine.Index, client);
        }
    }

    /// <inheritdoc/>
    public string Name => "Trace";

    /// <summary>Connects to a cluster whose checkers are connected; does nothing where nothing is traced.</summary>
    public static ClusterTrace? Connect(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        if (cluster.World.Trace is not { } log)
        {
            return null;
        }

        var trace = new ClusterTrace(cluster, log);
        trace.Listen();
        return trace;
    }

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (_cluster.World.LastStepped is not { } machine
            || !_clients.TryGetValue(machine.Index, out SimulatedClient? client)
            || client.Node?.Counters is not { } counters)
        {
            return;
        }

        (NodeCounters before, long catchUps, long snapshots) = _seen.GetValueOrDefault(machine.Index);
        bool isNew = !ReferenceEquals(before, counters);
        if (counters.CatchUps > (isNew ? 0 : catchUps))
        {
            _trace.Add(TraceKind.CatchUp, machine, "asks the host for what it misses");
        }

        if (counters.Snapshots > (isNew ? 0 : snapshots))
        {
            _trace.Add(TraceKind.Snapshot, machine, "takes a snapshot");
        }

        _seen[machine.Index] = (counters, counters.CatchUps, counters.Snapshots);
    }

    private void Listen()
    {
        SimulatedHost host = _cluster.Host;
        _cluster.World.Add(this);
        Action<HostCore>? onReady = host.OnReady;
        host.OnReady = gms =>
        {
            IEnumerable<string> newest = _newest.Select(n => $"{n.Key} {n.Value}").DefaultIfEmpty("nothing");
            _trace.Add(TraceKind.Ready, host.Machine, $"is ready; the newest on its disk: {string.Join(", ", newest)}");
            // The next start may find an older disk.
            _newest.Clear();
            onReady?.Invoke(gms);
        };
        Action<ReleaseHeader> onFound = OnFound;
        host.OnFound = onFound + host.OnFound;
        foreach (SimulatedPublisher publisher in _cluster.Publishers)
        {
            Listen(publisher);
        }
    }

    private void Listen(SimulatedPublisher publisher)
    {
        SimulatedMachine machine = publisher.Client.Machine;
        Func<PublishIntent, PublishAsk> onAsked = publisher.OnAsked;
        Action<PublishAsk, PublishResult?> onAnswered = (ask, answer) => OnAnswered(machine, ask, answer);
        Action<WaitQuestion> onWaitSent = OnWaitSent;
        Action<WaitQuestion, WaitResult?> onWaitAnswered = OnWaitAnswered;
        publisher.OnAsked = intent =>
        {
            OnAsked(machine, intent);
            return onAsked(intent);
        };
        publisher.OnAnswered = onAnswered + publisher.OnAnswered;
        publisher.OnWaitSent = onWaitSent + publisher.OnWaitSent;
        publisher.OnWaitAnswered = onWaitAnswered + publisher.OnWaitAnswered;
    }

    /// <summary>Called before the checkers see a commit, or a release on the disk of a host that starts.</summary>
    public void OnRelease(ReleaseClaim claim, string did)
    {
        // At each start a host finds all of its releases; only those that nobody saw before say something.
        if (_committed.Add(claim.Name))
        {
            _trace.Add(
                TraceKind.Committed, _cluster.Host.Machine, $"{did} {claim.Label} of publish {claim.Publish}", claim.Label, claim.Publish);
        }
    }

    private void OnFound(ReleaseHeader header)
    {
        var claim = ReleaseClaim.Of(header);
        _newest[claim.Application] = claim.Label;
        OnRelease(claim, "finds on its disk");
    }

    private void OnAsked(SimulatedMachine machine, PublishIntent intent)
    {
        string what = intent.RollbackTo is { } release ? $"rolls back to {release}" : $"publishes {intent.Changes.Count} keys";
        string expected = intent.Expected is { } number ? $", on top of {number}" : string.Empty;
        _trace.Add(TraceKind.Asked, machine, $"{what} as {intent.Id}{expected}", publish: intent.Id);
    }

    private void OnAnswered(SimulatedMachine machine, PublishAsk ask, PublishResult? answer)
    {
        Guid id = ask.Intent.Id;
        if (answer is null)
        {
            _trace.Add(TraceKind.Answered, machine, $"is not told what became of publish {id}", publish: id);
        }
        else if (answer.Code != ErrorCode.None)
        {
            _trace.Add(TraceKind.Answered, machine, $"is refused publish {id}: {answer.Code}", publish: id);
        }
        else
        {
            var release = new ReleaseLabel(answer.Generation, answer.Release, answer.Id.ToString());
            _trace.Add(TraceKind.Answered, machine, $"is told that publish {id} is {release}", release, id);
        }
    }

    private void OnWaitSent(WaitQuestion question) => _trace.Add(
        TraceKind.WaitSent, question.Asker, $"asks {question}", question.Release.Label, wait: question.Label);

    private void OnWaitAnswered(WaitQuestion question, WaitResult? answer)
    {
        string outcome = answer switch
        {
            null => "has no answer: the connection was lost",
            { Code: not ErrorCode.None } => $"was refused: {answer.Code}",
            { Outcome: 0 } => "held",
            { Outcome: 1 } => "cannot hold",
            { Outcome: 2 } => "timed out",
            _ => $"ended as {answer.Outcome}",
        };
        _trace.Add(TraceKind.WaitAnswered, question.Asker, $"{question} {outcome}", question.Release.Label, wait: question.Label);
    }
}
