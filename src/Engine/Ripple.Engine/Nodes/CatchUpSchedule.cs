using Ripple.Engine.Core;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>The catch-up of every application of a node, driven by one alarm. Core thread.</summary>
internal sealed class CatchUpSchedule : IDisposable
{
    private readonly CoreLoop _core;
    private readonly Func<CatchUpRequest, bool> _trySend;
    private readonly SortedDictionary<string, CatchUp> _catchUps = new(StringComparer.Ordinal);
    private readonly Alarm _alarm;

    /// <param name="core">The node's core.</param>
    /// <param name="trySend">Sends a request to the host; false when the node is not joined, or the link has no room.</param>
    public CatchUpSchedule(CoreLoop core, Func<CatchUpRequest, bool> trySend)
    {
        _core = core;
        _trySend = trySend;
        _alarm = new Alarm(OnAlarm);
    }

    public void Add(CatchUp catchUp) => _catchUps.Add(catchUp.Replica.Name, catchUp);

    /// <summary>The catch-up of an application; null when the node does not have it.</summary>
    public CatchUp? Find(string application) => _catchUps.GetValueOrDefault(application);

    /// <summary>Notes that the application could not use received data; a request follows after a delay.</summary>
    public void Mark(string application)
    {
        _catchUps[application].Mark(_core.NowNs);
        Schedule();
    }

    /// <summary>Records the newest release of an application at the host.</summary>
    public void Learn(TopicState topic)
    {
        if (topic.Release > 0 && Find(topic.Application) is { } catchUp)
        {
            catchUp.Learn(topic.Generation, topic.Release, topic.Id, _core.NowNs);
            Schedule();
        }
    }

    /// <summary>Notes that the application may have moved.</summary>
    public void OnMoved(string application)
    {
        if (_catchUps[application].OnMoved(_core.NowNs))
        {
            Schedule();
        }
    }

    /// <summary>A host confirmed that this node has the newest of everything.</summary>
    public void OnConfirmed()
    {
        foreach (CatchUp catchUp in _catchUps.Values)
        {
            catchUp.OnConfirmed();
        }
    }

    /// <summary>Resets all: the connection is lost.</summary>
    public void Clear()
    {
        foreach (CatchUp catchUp in _catchUps.Values)
        {
            catchUp.Clear();
        }

        Dispose();
    }

    /// <summary>Stops the alarm.</summary>
    public void Dispose() => _core.Alarms.Cancel(_alarm);

    private void Schedule()
    {
        long dueNs = _catchUps.Values.Min(c => c.DueNs);
        if (dueNs != long.MaxValue)
        {
            _core.Alarms.ScheduleNoLater(_alarm, dueNs);
        }
    }

    private void OnAlarm()
    {
        foreach (CatchUp catchUp in _catchUps.Values)
        {
            if (catchUp.DueNs <= _core.NowNs && catchUp.IsStillBehind(_core.NowNs, _core.DataDrainedNs))
            {
                ReleaseState received = catchUp.Replica.Received.Keys;
                _trySend(new CatchUpRequest(catchUp.Replica.Topic, received.Generation, received.Release, received.Id));
            }
        }

        Schedule();
    }
}
