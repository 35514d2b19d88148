using System.Diagnostics.Metrics;

namespace Ripple.Extensions.Hosting.Telemetry;

/// <summary>The meter <c>Ripple.Hosting</c>. Tagged by application, never by key.</summary>
internal static class HostingMetrics
{
    public const string MeterName = "Ripple.Hosting";

    private const string ApplicationTag = "ripple.application";
    private static readonly Meter Meter = new(MeterName);
    private static readonly Counter<long> AppliedCount =
        Meter.CreateCounter<long>("ripple.hosting.releases.applied", "{release}", "Releases that became this process's configuration.");

    private static readonly Counter<long> RejectedCount =
        Meter.CreateCounter<long>("ripple.hosting.releases.rejected", "{release}", "Releases that this process's validation rejected.");

    private static readonly Counter<long> FailedCallbacks =
        Meter.CreateCounter<long>("ripple.hosting.callbacks.failed", "{callback}", "Callbacks of a reload that threw.");

    private static readonly Histogram<double> ReloadDuration =
        Meter.CreateHistogram<double>(
            "ripple.hosting.reload.duration",
            "s",
            "How long a release took from its arrival at the configuration to the end of the callbacks.");

    public static void Applied(string application, TimeSpan duration)
    {
        AppliedCount.Add(1, new KeyValuePair<string, object?>(ApplicationTag, application));
        ReloadDuration.Record(duration.TotalSeconds, new KeyValuePair<string, object?>(ApplicationTag, application));
    }

    public static void Rejected(string application) => RejectedCount.Add(1, new KeyValuePair<string, object?>(ApplicationTag, application));

    public static void CallbackFailed() => FailedCallbacks.Add(1);
}
