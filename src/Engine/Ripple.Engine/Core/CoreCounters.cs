namespace Ripple.Engine.Core;

/// <summary>What a core has done. Written on the core thread; instruments read it from others, each value by itself.</summary>
internal sealed class CoreCounters
{
    /// <summary>Turns of the loop.</summary>
    public long Turns { get; internal set; }

    /// <summary>Requests run.</summary>
    public long Requests { get; internal set; }

    /// <summary>Alarms run.</summary>
    public long Alarms { get; internal set; }

    /// <summary>Datagrams handled.</summary>
    public long Packets { get; internal set; }

    /// <summary>
    /// The longest that control packets can have waited between their arrival and their handling while the core was busy, in nanoseconds:
    /// from one reading of the sockets to the next.
    /// </summary>
    public long ControlWaitNsMax { get; private set; }

    /// <summary>The sum of those waits over all control packets handled by a busy core, in nanoseconds.</summary>
    public long ControlWaitNs { get; private set; }

    /// <summary>How many control packets that was.</summary>
    public long ControlWaits { get; private set; }

    /// <summary>The latest any alarm was found overdue, in nanoseconds.</summary>
    public long AlarmLagNsMax { get; internal set; }

    internal void AddControlWait(long waitNs, int packets)
    {
        if (packets > 0)
        {
            ControlWaitNsMax = Math.Max(ControlWaitNsMax, waitNs);
            ControlWaitNs += waitNs * packets;
            ControlWaits += packets;
        }
    }
}
