using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Load.Processes;

namespace Ripple.Load.Fanout;

/// <summary>What a process used, as words of a sample.</summary>
internal static class ProcessSample
{
    public static string Text(long coreAllocatedBytes, CoreCounters core) => string.Create(
        CultureInfo.InvariantCulture,
        $"core_allocated={coreAllocatedBytes} allocated={GC.GetTotalAllocatedBytes(precise: true)} pause_ms={GC.GetTotalPauseDuration().TotalMilliseconds:F3} "
        + $"control_wait_ns={core.ControlWaitNs} control_waits={core.ControlWaits} control_wait_max_ns={core.ControlWaitNsMax} "
        + $"cpu_ms={ProcessCost.CpuMs:F3} rss_mb={Environment.WorkingSet / 1e6:F1}");
}
