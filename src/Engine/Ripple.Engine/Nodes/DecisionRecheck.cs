using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// The replicas that have something to decide: once a second those that wait check whether what they wait for is still on its way, and when
/// a host has said what is newest, they decide. Core thread.
/// </summary>
internal sealed class DecisionRecheck : IDisposable
{
    internal const long IntervalNs = 1_000_000_000;
    private readonly CoreLoop _core;
    private readonly SortedDictionary<string, ApplicationReplica> _watched = new(StringComparer.Ordinal);
    private readonly Alarm _alarm;

    /// <param name="core">The core all calls are made on.</param>
    public DecisionRecheck(CoreLoop core)
    {
        _core = core;
        _alarm = new Alarm(OnAlarm);
    }

    /// <summary>Whether one of them decides nothing until a host has said what is newest.</summary>
    public bool IsAwaitingHost => _watched.Count > 0 && _watched.Values.Any(r => r.IsAwaitingHost);

    /// <inheritdoc/>
    public void Dispose() => _core.Alarms.Cancel(_alarm);

    /// <summary>Called when a replica may have something to decide, or may have begun to wait.</summary>
    public void Watch(ApplicationReplica replica)
    {
        if (replica.MayDecide)
        {
            _watched[replica.Name] = replica;
            Schedule(replica);
        }
    }

    /// <summary>A host has said what is newest, or cannot be reached.</summary>
    public void OnHostHeard()
    {
        if (_watched.Count == 0)
        {
            return;
        }

        // A copy: who decides may wait for something else from then on.
        foreach (ApplicationReplica replica in _watched.Values.ToArray())
        {
            replica.OnHostHeard();
            if (!replica.MayDecide)
            {
                _watched.Remove(replica.Name);
            }
        }
    }

    private void OnAlarm()
    {
        ApplicationReplica[] watched = [.. _watched.Values];
        foreach (ApplicationReplica replica in watched)
        {
            if (replica.IsWaiting)
            {
                replica.LookAgain();
            }
        }

        foreach (ApplicationReplica replica in _watched.Values)
        {
            Schedule(replica);
        }
    }

    private void Schedule(ApplicationReplica replica)
    {
        if (replica.IsWaiting && !_alarm.IsScheduled)
        {
            _core.ScheduleIn(_alarm, IntervalNs);
        }
    }
}
