using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Load.Processes;

namespace Ripple.Load.Fanout;

/// <summary>What a process used, as words of a sample. The sample itself allocates: what is allocated between two is from the end of one to the start of the next.</summary>
internal static class ProcessSample
{
    /// <param name="allocatedAtStart">Bytes of the process before anything of the sample was made.</param>
    /// <param name="coreAllocatedBytes">Bytes of its core.</param>
    /// <param name="core">The core's counters.</param>
    public static string Text(long allocatedAtStart, long coreAllocatedBytes, CoreCounters core) => string.Create(
        CultureInfo.InvariantCulture,
        $"core_allocated={coreAllocatedBytes} allocated_start={allocatedAtStart} pause_ms={GC.GetTotalPauseDuration().TotalMilliseconds:F3} "
        + $"control_wait_ns={core.ControlWaitNs} control_waits={core.ControlWaits} control_wait_max_ns={core.ControlWaitNsMax} "
        + $"cpu_ms={ProcessCost.CpuMs:F3} rss_mb={Environment.WorkingSet / 1e6:F1} allocated_end={AllocatedBytes}");

    /// <summary>Of the whole process, so far.</summary>
    public static long AllocatedBytes => GC.GetTotalAllocatedBytes(precise: true);
}
