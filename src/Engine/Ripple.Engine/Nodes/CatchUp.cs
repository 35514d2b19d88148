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

    /// <summary>Called at <see cref="DueNs"/>: true when a request must be sent now.</summary>
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
            // The replica advances by itself; check again later.
            _headWhenMarked = received.Release;
            DueNs = nowNs + _delayNs;
            return false;
        }

        _headWhenMarked = received.Release;
        _delayNs = Math.Min(_delayNs * 2, DelayNsMax);
        DueNs = nowNs + _delayNs;
        return true;
    }

    /// <summary>A host reported that it has sent everything.</summary>
    public void OnEnd(uint generation, ulong release)
    {
        _knownGeneration = generation;
        _knownRelease = release;
    }

    /// <summary>Resets the state: nothing is missing, or the connection is lost and the next join shows what is missing.</summary>
    public void Clear()
    {
        DueNs = long.MaxValue;
        _delayNs = _firstDelayNs;
        _knownRelease = 0;
        _knownGeneration = 0;
    }
}
