using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Has replicas look again, once a second, whether what they wait for before they decide still comes. Core thread.
/// </summary>
internal sealed class DecisionPatience : IDisposable
{
    internal const long LookEveryNs = 1_000_000_000;
    private readonly CoreLoop _core;
    private readonly IReadOnlyCollection<ApplicationReplica> _replicas;
    private readonly Alarm _alarm;

    /// <param name="core">The core all calls are made on.</param>
    /// <param name="replicas">The node's replicas.</param>
    public DecisionPatience(CoreLoop core, IReadOnlyCollection<ApplicationReplica> replicas)
    {
        ArgumentNullException.ThrowIfNull(core);
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
            _core.ScheduleIn(_alarm, LookEveryNs);
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
