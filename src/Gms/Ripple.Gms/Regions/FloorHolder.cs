using Ripple.Engine.Streams;

namespace Ripple.Gms.Regions;

/// <summary>
/// Which member a region's stream waits for, and since when: the one that each round of the newest view names as having least, while the
/// floor stands where that member is and most of the window is in use. Values use half of the window and no more, so that they never look
/// like a laggard. Core thread.
/// </summary>
/// <param name="options">The stream's sizes.</param>
internal sealed class FloorHolder(StreamOptions options)
{
    /// <summary>How long a member holds the floor before it is a laggard.</summary>
    public const long HoldNs = 250_000_000;

    /// <summary>A holder that was not named for this long is none: the host or the ring stood still meanwhile.</summary>
    private const long UnnamedNsMax = 250_000_000;

    private readonly ulong _usedMin = (ulong)options.WindowPackets * 3 / 4;
    private uint _slot;
    private long _sinceNs;
    private long _namedNs;

    /// <summary>A round names the member that has least of the stream. True when it has held the floor for too long.</summary>
    /// <param name="slot">The member's slot.</param>
    /// <param name="contiguous">The sequence up to which it has everything.</param>
    /// <param name="floor">The stream's floor.</param>
    /// <param name="highest">The newest sequence sent.</param>
    /// <param name="nowNs">The core time.</param>
    public bool OnLeast(uint slot, ulong contiguous, ulong floor, ulong highest, long nowNs)
    {
        if (contiguous != floor || highest - floor < _usedMin)
        {
            Clear();
            return false;
        }

        if (slot != _slot || nowNs - _namedNs > UnnamedNsMax)
        {
            (_slot, _sinceNs) = (slot, nowNs);
        }

        _namedNs = nowNs;
        return nowNs - _sinceNs >= HoldNs;
    }

    /// <summary>Nobody holds the floor any more.</summary>
    public void Clear() => _slot = 0;
}
