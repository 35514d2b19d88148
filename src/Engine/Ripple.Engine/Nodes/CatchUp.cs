using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>Whether one application at one node must be brought forward by a host, and when to ask. Core thread.</summary>
internal sealed class CatchUp
{
    private const long DelayNsMax = 8_000_000_000;
    private readonly long _firstDelayNs;
    private ulong _headWhenMarked;
    private long _delayNs;
    private ulong _knownRelease;
    private uint _knownGeneration;

    public CatchUp(ApplicationReplica replica, long firstDelayNs)
    {
        Replica = replica;
        _firstDelayNs = firstDelayNs;
        _delayNs = firstDelayNs;
    }

    public ApplicationReplica Replica { get; }

    /// <summary>When to ask; <see cref="long.MaxValue"/> while nothing is missed.</summary>
    public long DueNs { get; private set; } = long.MaxValue;

    /// <summary>Something could not be used: give the stream a while to repair it. False when that was known already.</summary>
    public bool Mark(long nowNs)
    {
        if (DueNs != long.MaxValue)
        {
            return false;
        }

        _headWhenMarked = Replica.Received.Keys.Release;
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
        Mark(nowNs);
        return true;
    }

    /// <summary>Asked at <see cref="DueNs"/>: true when a request is to be sent now.</summary>
    public bool IsStillBehind(long nowNs)
    {
        ReleaseState received = Replica.Received.Keys;
        bool moved = received.Release > _headWhenMarked;
        bool isKnownHeld = _knownGeneration == 0 || (received.Generation >= _knownGeneration && received.Release >= _knownRelease);
        if (moved && isKnownHeld && Replica.PendingCount == 0)
        {
            Clear();
            return false;
        }

        if (moved)
        {
            // It moves by itself; look again.
            _headWhenMarked = received.Release;
            DueNs = nowNs + _delayNs;
            return false;
        }

        _headWhenMarked = received.Release;
        _delayNs = Math.Min(_delayNs * 2, DelayNsMax);
        DueNs = nowNs + _delayNs;
        return true;
    }

    /// <summary>A host said that it sent everything.</summary>
    public void OnEnd(uint generation, ulong release)
    {
        _knownGeneration = generation;
        _knownRelease = release;
    }

    /// <summary>Nothing is missed any more, or the connection is gone and a join will say.</summary>
    public void Clear()
    {
        DueNs = long.MaxValue;
        _delayNs = _firstDelayNs;
        _knownRelease = 0;
        _knownGeneration = 0;
    }
}
