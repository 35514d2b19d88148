using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Load.Processes;

namespace Ripple.Load.Fanout;

/// <summary>
/// What a process used, as words of a sample. Taking and telling one allocates: what is allocated is counted from the end of one to the
/// begin of the next. One thread.
/// </summary>
internal static class ProcessSample
{
    private static long _betweenBytes;
    private static long _endBytes;

    /// <summary>Before anything of a sample is made.</summary>
    public static void Begin() => _betweenBytes += GC.GetTotalAllocatedBytes(precise: true) - _endBytes;

    /// <summary>Once it is told.</summary>
    public static void End() => _endBytes = GC.GetTotalAllocatedBytes(precise: true);

    public static string Text(long coreAllocatedBytes, CoreCounters core) => string.Create(
        CultureInfo.InvariantCulture,
        $"core_allocated={coreAllocatedBytes} allocated={_betweenBytes} pause_ms={GC.GetTotalPauseDuration().TotalMilliseconds:F3} "
        + $"control_wait_ns={core.ControlWaitNs} control_waits={core.ControlWaits} control_wait_max_ns={core.ControlWaitNsMax} "
        + $"cpu_ms={ProcessCost.CpuMs:F3} rss_mb={Environment.WorkingSet / 1e6:F1}");
}
