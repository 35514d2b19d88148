namespace Ripple.Gms.Server;

/// <summary>
/// The number of alarms that a host's core may have to schedule at a time. An alarm too many ends the core, so that each of its terms is a
/// limit that is enforced elsewhere.
/// </summary>
internal static class HostAlarms
{
    /// <summary>The host's own: ticks, evaluations, and a reserve.</summary>
    private const int FixedCount = 256;

    /// <summary>A region's view, paths, key, pace, beacon, stall, repairs and short trains, and half as many again.</summary>
    private const int PerRegion = 12;

    /// <summary>An application's waits and its repeated commits, the same of its companion, and as many again.</summary>
    private const int PerApplication = 8;

    /// <param name="options">The limits.</param>
    /// <param name="applicationCount">The applications that may be there: the limit, or what the store has if that is more.</param>
    public static int Sum(GmsOptions options, int applicationCount) =>
        FixedCount + (options.RegionsMax * PerRegion) + (applicationCount * PerApplication);
}
