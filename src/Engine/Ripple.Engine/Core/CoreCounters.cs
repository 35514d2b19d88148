namespace Ripple.Engine.Core;

/// <summary>Activity counters of a core. Written on the core thread; instruments read each value independently, from any thread.</summary>
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
    /// The longest time, in nanoseconds, that control packets may have waited between arrival and handling while the core was busy,
    /// measured from one read of the sockets to the next.
    /// </summary>
    public long ControlWaitNsMax { get; private set; }

    /// <summary>The sum of these waits over all control packets handled by a busy core, in nanoseconds.</summary>
    public long ControlWaitNs { get; private set; }

    /// <summary>The number of control packets in that sum.</summary>
    public long ControlWaits { get; private set; }

    /// <summary>The longest time that an alarm was found overdue, in nanoseconds.</summary>
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
