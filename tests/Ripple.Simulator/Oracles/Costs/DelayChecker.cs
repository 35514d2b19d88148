using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles.Costs;

/// <summary>Nothing takes longer than it must: releases come, are saved and take effect in time, and who waits is told in time.</summary>
internal sealed class DelayChecker(SimulatedWorld world, SimulatedCluster cluster, CostLimits limits)
{
    private const string Name = "Delays";
    private const string FarZone = "west";
    private const byte Held = 0;
    private const byte TimedOut = 2;
    // A wait that is given so little time may end by it.
    private const long ShortNs = 1_000_000_000;
    private long _hostEndedNs = long.MaxValue;
    private long _hostStartedNs;
    private long _timedOutCount;

    /// <summary>Listens to the answers to waits.</summary>
    public void Start()
    {
        foreach (SimulatedPublisher publisher in cluster.Publishers)
        {
            Action<WaitQuestion, WaitResult?> others = publisher.OnWaitAnswered;
            publisher.OnWaitAnswered = (question, answer) =>
            {
                others(question, answer);
                OnWaitAnswered(question, answer);
            };
        }
    }

    /// <summary>Called when the host has ended.</summary>
    public void OnHostEnded() => _hostEndedNs = world.Scheduler.NowNs;

    /// <summary>Called when the host has started again.</summary>
    public void OnHostStarted() => _hostStartedNs = world.Scheduler.NowNs;

    /// <summary>Judges each release at each node; called at the end.</summary>
    public void CheckEnd()
    {
        foreach (NodeRecord node in cluster.Oracles.Members.Nodes)
        {
            // When what was decided in the place of a release, and rejected, was committed.
            long rejectedNs = long.MaxValue;
            for (ModelRelease? release = cluster.Oracles.Model.Of(node.Application).Newest; release is not null; release = release.Previous)
            {
                long dueNs = DueNs(node, release);
                Check(node, release, NodeLevel.Received, dueNs);
                Check(node, release, NodeLevel.Persisted, dueNs + limits.PersistNs);
                if (node.HasRejected(release.Generation, release.Release))
                {
                    rejectedNs = release.CommittedNs;
                }
                else if (rejectedNs > dueNs + limits.ApplyNs)
                {
                    // The newest is decided: one that came before it was its turn, and was rejected, leaves what is before it in effect.
                    Check(node, release, NodeLevel.Applied, dueNs + limits.ApplyNs);
                    rejectedNs = long.MaxValue;
                }
            }
        }
    }

    /// <summary>When a node must have a release: what was due before the host ended has no grace for its return.</summary>
    private long DueNs(NodeRecord node, ModelRelease release)
    {
        long dueNs = release.CommittedNs + (node.Machine.Zone == FarZone ? limits.FarNs : limits.NearNs);
        long startedNs = dueNs < _hostEndedNs ? node.StartedNs : Math.Max(node.StartedNs, _hostStartedNs);
        return Math.Max(dueNs, startedNs + limits.ReturnNs);
    }

    private void Check(NodeRecord node, ModelRelease release, NodeLevel level, long dueNs)
    {
        long reachedNs = node.ReachedNs(level, release.Generation, release.Release);
        // What a validator rejected afterwards may have been the only later one.
        bool isReached = reachedNs != long.MaxValue || level != NodeLevel.Applied;
        if (isReached && reachedNs > dueNs)
        {
            world.Fail(
                Name,
                $"{node} has {level} {release} {(reachedNs - release.CommittedNs) / 1_000_000} ms after its commit; due were "
                    + $"{(dueNs - release.CommittedNs) / 1_000_000}",
                node,
                release);
        }
    }

    private void OnWaitAnswered(WaitQuestion question, WaitResult? answer)
    {
        if (answer is not { Code: ErrorCode.None })
        {
            return;
        }

        _timedOutCount += answer.Outcome == TimedOut && question.DeadlineNs - question.AskedNs > ShortNs ? 1 : 0;
        if (_timedOutCount > limits.TimedOut)
        {
            world.Fail(Name, $"{question} timed out, though nothing is in its way", question);
        }

        long trueNs = TrueSinceNs(question);
        long nowNs = world.Scheduler.NowNs;
        if (answer.Outcome == Held && trueNs < nowNs - limits.WaitNs)
        {
            world.Fail(
                Name,
                $"{question} was told to hold {(nowNs - trueNs) / 1_000_000} ms after it did, and {(nowNs - question.AskedNs) / 1_000_000} "
                    + $"ms after it was asked; due were {limits.WaitNs / 1_000_000}",
                question);
        }
    }

    /// <summary>
    /// Since when all members have what the predicate is about, which is enough for any; not before the question, nor before all are back
    /// at a host that started again.
    /// </summary>
    private long TrueSinceNs(WaitQuestion question)
    {
        long sinceNs = Math.Max(question.AskedNs, _hostStartedNs == 0 ? 0 : _hostStartedNs + limits.ReturnNs);
        foreach (NodeRecord node in cluster.Oracles.Members.Of(question.Release.Claim.Application))
        {
            foreach (NodeLevel level in question.Term.LevelsOf(node.Member))
            {
                sinceNs = Math.Max(sinceNs, node.ReachedNs(level, question.Release.Generation, question.Release.Release));
            }
        }

        return sinceNs;
    }
}
