using System.Globalization;
using Ripple.Load.Processes;

namespace Ripple.Load.Fanout;

/// <summary>What a process used, as words of a sample.</summary>
internal static class ProcessSample
{
    public static string Text(long coreAllocatedBytes) => string.Create(
        CultureInfo.InvariantCulture,
        $"core_allocated={coreAllocatedBytes} allocated={GC.GetTotalAllocatedBytes(precise: true)} pause_ms={GC.GetTotalPauseDuration().TotalMilliseconds:F3} "
        + $"cpu_ms={ProcessCost.CpuMs:F3} rss_mb={Environment.WorkingSet / 1e6:F1}");
}
