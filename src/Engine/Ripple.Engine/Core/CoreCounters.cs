namespace Ripple.Engine.Core;

/// <summary>What a core has done. Written on the core thread; instruments read it from others, each value by itself.</summary>
public sealed class CoreCounters
{
    /// <summary>Turns of the loop.</summary>
    public long Turns { get; internal set; }

    /// <summary>Requests run.</summary>
    public long Requests { get; internal set; }

    /// <summary>Alarms run.</summary>
    public long Alarms { get; internal set; }

    /// <summary>Datagrams handled.</summary>
    public long Packets { get; internal set; }

    /// <summary>The latest any alarm was found overdue, in nanoseconds.</summary>
    public long AlarmLagNsMax { get; internal set; }
}
