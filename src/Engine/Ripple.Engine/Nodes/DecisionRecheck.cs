using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Once a second, has the replicas that wait before they decide check whether what they wait for is still on its way. Core thread.
/// </summary>
internal sealed class DecisionRecheck : IDisposable
{
    internal const long IntervalNs = 1_000_000_000;
    private readonly CoreLoop _core;
    private readonly IReadOnlyCollection<ApplicationReplica> _replicas;
    private readonly Alarm _alarm;

    /// <param name="core">The core all calls are made on.</param>
    /// <param name="replicas">The node's replicas.</param>
    public DecisionRecheck(CoreLoop core, IReadOnlyCollection<ApplicationReplica> replicas)
    {
        _core = core;
        _replicas = replicas;
        _alarm = new Alarm(OnAlarm);
    }

    /// <inheritdoc/>
    public void Dispose() => _core.Alarms.Cancel(_alarm);

    /// <summary>Called when a replica may have begun to wait.</summary>
    public void Watch(ApplicationReplica replica)
    {
        if (replica.IsWaiting && !_alarm.IsScheduled)
        {
            _core.ScheduleIn(_alarm, IntervalNs);
        }
    }

    private void OnAlarm()
    {
        foreach (ApplicationReplica replica in _replicas)
        {
            if (replica.IsWaiting)
            {
                replica.LookAgain();
            }
        }

        foreach (ApplicationReplica replica in _replicas)
        {
            Watch(replica);
        }
    }
}
