using Ripple.Engine.Core;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>Determines whether one application at one node needs catch-up from a host, and when to request it. Core thread.</summary>
internal sealed class CatchUp
{
    private const long DelayNsMax = 8_000_000_000;
    private readonly long _firstDelayNs;
    private ulong _headWhenMarked;
    private long _delayNs;
    private ulong _knownRelease;
    private uint _knownGeneration;
    private long _waitingSinceNs;
    private bool _hasAsked;
    private bool _isAnswered;

    public CatchUp(ApplicationReplica replica, long firstDelayNs)
    {
        Replica = replica;
        _firstDelayNs = firstDelayNs;
        _delayNs = firstDelayNs;
    }

    public ApplicationReplica Replica { get; }

    /// <summary>When to send the request; <see cref="long.MaxValue"/> while nothing is missing.</summary>
    public long DueNs { get; private set; } = long.MaxValue;

    /// <summary>
    /// Notes that received data could not be used, and gives the stream time to repair it. False when this was already noted.
    /// </summary>
    public bool Mark(long nowNs)
    {
        if (DueNs != long.MaxValue)
        {
            return false;
        }

        _headWhenMarked = Replica.Received.Keys.Release;
        _waitingSinceNs = nowNs;
        DueNs = nowNs + _delayNs;
        return true;
    }

    /// <summary>Records the host's newest release; returns whether this node differs from it.</summary>
    public bool Learn(uint generation, ulong release, in Digest160 id, long nowNs)
    {
        ReleaseState received = Replica.Received.Keys;
        if (received.Generation == generation && received.Release == release && received.Id == id)
        {
            return false;
        }

        _knownRelease = release;
        _knownGeneration = generation;
        Replica.Expect(generation, release);
        ReleaseState head = Replica.Head;
        if (!Replica.IsFetchingHead || head.Generation != generation || head.Release != release || head.Id != id)
        {
            Mark(nowNs);
        }

        return true;
    }

    /// <summary>Called at <see cref="DueNs"/>: true when a request must be sent now.</summary>
    /// <param name="nowNs">The time.</param>
    /// <param name="dataDrainedNs">
    /// Up to when all data that had arrived was handled. What this process has not come to read yet, it does not ask for: under load that
    /// would be more work for who is late already, here and at the host.
    /// </param>
    public bool IsStillBehind(long nowNs, long dataDrainedNs)
    {
        ReleaseState received = Replica.Received.Keys;
        bool moved = received.Release > _headWhenMarked;
        bool isKnownHeld = _knownGeneration == 0 || (received.Generation >= _knownGeneration && received.Release >= _knownRelease);
        if ((moved || _isAnswered) && isKnownHeld && Replica.PendingCount == 0)
        {
            Clear();
            return false;
        }

        bool isUnread = dataDrainedNs < _waitingSinceNs && nowNs - _waitingSinceNs < DelayNsMax;
        if (!moved && isUnread)
        {
            DueNs = nowNs + _firstDelayNs;
            return false;
        }

        _headWhenMarked = received.Release;
        _waitingSinceNs = nowNs;
        if (!moved && Replica.IsFetchingHead && Replica.Head.Generation == _knownGeneration && Replica.Head.Release >= _knownRelease)
        {
            // A host would bring what is here; values that do not come are said to be missing.
            DueNs = nowNs + _delayNs;
            return false;
        }

        if (!moved)
        {
            _delayNs = Math.Min(_delayNs * 2, DelayNsMax);
            DueNs = nowNs + _delayNs;
            return Ask();
        }

        _delayNs = _firstDelayNs;
        DueNs = nowNs + _delayNs;
        // While the stream or an answer moves the replica, check again later. An answer that ended brings no more.
        return _isAnswered && Ask();
    }

    /// <summary>
    /// Called when the replica may have moved: progress ends a long delay, so that what is still missing is asked for soon. True when
    /// <see cref="DueNs"/> is earlier now.
    /// </summary>
    public bool OnMoved(long nowNs)
    {
        if (DueNs == long.MaxValue || _delayNs == _firstDelayNs || Replica.Received.Keys.Release <= _headWhenMarked)
        {
            return false;
        }

        _delayNs = _firstDelayNs;
        DueNs = Math.Min(DueNs, nowNs + _delayNs);
        return true;
    }

    /// <summary>A host reported that it has sent everything.</summary>
    public void OnEnd(uint generation, ulong release)
    {
        _knownGeneration = generation;
        _knownRelease = release;
        _isAnswered = _hasAsked;
    }

    /// <summary>
    /// A host confirmed that this node has the newest of everything. If it was asked after something could not be used, that was a forgery,
    /// and the host has nothing for it. If it was not asked yet, it may not know yet what is missing.
    /// </summary>
    public void OnConfirmed()
    {
        if (_hasAsked)
        {
            Clear();
        }
    }

    /// <summary>Resets the state: nothing is missing, or the connection is lost and the next join shows what is missing.</summary>
    public void Clear()
    {
        DueNs = long.MaxValue;
        _delayNs = _firstDelayNs;
        _knownRelease = 0;
        _knownGeneration = 0;
        _hasAsked = false;
        _isAnswered = false;
    }

    private bool Ask()
    {
        _hasAsked = true;
        _isAnswered = false;
        return true;
    }
}

/// <summary>The catch-up of every application of a node, driven by one alarm. Core thread.</summary>
internal sealed class CatchUpSchedule : IDisposable
{
    private readonly CoreLoop _core;
    private readonly Func<CatchUpRequest, bool> _trySend;
    private readonly SortedDictionary<string, CatchUp> _catchUps = new(StringComparer.Ordinal);
    // Those of which something is missing, by name.
    private readonly SortedDictionary<string, CatchUp> _missing = new(StringComparer.Ordinal);
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
        CatchUp catchUp = _catchUps[application];
        catchUp.Mark(_core.NowNs);
        Schedule(catchUp);
    }

    /// <summary>Records the newest release of an application at the host.</summary>
    public void Learn(TopicState topic)
    {
        if (topic.Release > 0 && Find(topic.Application) is { } catchUp)
        {
            catchUp.Learn(topic.Generation, topic.Release, topic.Id, _core.NowNs);
            Schedule(catchUp);
        }
    }

    /// <summary>Notes that the application may have moved.</summary>
    public void OnMoved(string application)
    {
        CatchUp catchUp = _catchUps[application];
        if (catchUp.OnMoved(_core.NowNs))
        {
            Schedule(catchUp);
        }
    }

    /// <summary>A host confirmed that this node has the newest of everything.</summary>
    public void OnConfirmed()
    {
        foreach (CatchUp catchUp in _missing.Values)
        {
            catchUp.OnConfirmed();
        }

        ForgetComplete();
    }

    /// <summary>Resets all: the connection is lost.</summary>
    public void Clear()
    {
        foreach (CatchUp catchUp in _catchUps.Values)
        {
            catchUp.Clear();
        }

        _missing.Clear();
        Dispose();
    }

    /// <summary>Stops the alarm.</summary>
    public void Dispose() => _core.Alarms.Cancel(_alarm);

    private void Schedule(CatchUp catchUp)
    {
        if (catchUp.DueNs != long.MaxValue)
        {
            _missing.TryAdd(catchUp.Replica.Name, catchUp);
            _core.Alarms.ScheduleNoLater(_alarm, catchUp.DueNs);
        }
    }

    private void ForgetComplete()
    {
        foreach (string application in _missing.Where(m => m.Value.DueNs == long.MaxValue).Select(m => m.Key).ToArray())
        {
            _missing.Remove(application);
        }
    }

    private void OnAlarm()
    {
        // A copy: all is forgotten when the link ends.
        foreach (CatchUp catchUp in _missing.Values.ToArray())
        {
            if (catchUp.DueNs <= _core.NowNs && catchUp.IsStillBehind(_core.NowNs, _core.DataDrainedNs))
            {
                ReleaseState received = catchUp.Replica.Received.Keys;
                _trySend(new CatchUpRequest(catchUp.Replica.Topic, received.Generation, received.Release, received.Id));
            }
        }

        ForgetComplete();
        foreach (CatchUp catchUp in _missing.Values)
        {
            Schedule(catchUp);
        }
    }
}
