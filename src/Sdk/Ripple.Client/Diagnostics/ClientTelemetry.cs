using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Ripple.Engine.Caching;
using Ripple.Transports.Udp;

namespace Ripple.Client.Diagnostics;

/// <summary>
/// A client's metrics and traces: the meter and activity source <c>Ripple.Client</c>. Durations are in seconds. Applications are tags; keys
/// are not, since their number is unbounded.
/// </summary>
internal static class ClientTelemetry
{
    private const string Name = "Ripple.Client";
    private const string ApplicationTag = "ripple.application";

    private static readonly ActivitySource Source = new(Name);
    private static readonly Meter Meter = new(Name);
    private static readonly Counter<long> AppliedCount = Meter.CreateCounter<long>(
        "ripple.client.releases.applied", "{release}", "Releases that took effect in this process.");

    private static readonly Counter<long> RejectedCount = Meter.CreateCounter<long>(
        "ripple.client.releases.rejected", "{release}", "Releases this process rejected.");

    private static readonly Counter<long> ConnectionCount = Meter.CreateCounter<long>(
        "ripple.client.connection.changes", "{change}", "Changes of the connection's state, by the state it came to.");

    private static readonly Histogram<double> DecisionSeconds = Meter.CreateHistogram<double>(
        "ripple.client.decision.duration", "s", "How long the application took to accept or reject a release.");

    private static readonly ConcurrentDictionary<UdpPorts, bool> Ports = [];

    private static readonly ObservableCounter<long> DroppedCount = Meter.CreateObservableCounter(
        "ripple.client.datagrams.dropped", Dropped, "{datagram}", "Datagrams the kernel dropped because a receive buffer was full.");

    private static readonly Lock RepairsGate = new();
    private static readonly HashSet<CachingCounters> Repairs = [];

    private static readonly ObservableCounter<long> RepairsMade = Meter.CreateObservableCounter(
        "ripple.client.repairs.made", () => Sum(0), "{packet}", "Packets given to other processes that had lost them.");

    private static readonly ObservableCounter<long> RepairsReceived = Meter.CreateObservableCounter(
        "ripple.client.repairs.received", () => Sum(1), "{packet}", "Lost packets that other processes gave to this one.");

    private static readonly ObservableCounter<long> RepairsMissed = Meter.CreateObservableCounter(
        "ripple.client.repairs.missed", () => Sum(2), "{packet}", "Packets that others asked for and this process did not have.");

    // Of nodes that ended.
    private static readonly long[] RepairsBefore = new long[3];

    private static long _droppedBefore;

    /// <summary>Counts the datagrams dropped at these ports from now on.</summary>
    public static void Opened(UdpPorts ports)
    {
        _ = DroppedCount;
        Ports[ports] = true;
    }

    /// <summary>Stops tracking these ports, which are closed; their drops so far remain in the count.</summary>
    public static void Closed(UdpPorts ports)
    {
        if (Ports.TryRemove(ports, out _))
        {
            Interlocked.Add(ref _droppedBefore, ports.KernelDropped);
        }
    }

    /// <summary>Counts the repairs of a node from now on.</summary>
    public static void Started(CachingCounters repairs)
    {
        _ = (RepairsMade, RepairsReceived, RepairsMissed);
        lock (RepairsGate)
        {
            Repairs.Add(repairs);
        }
    }

    /// <summary>Stops counting those of a node that ended; what it did remains in the count.</summary>
    public static void Ended(CachingCounters repairs)
    {
        lock (RepairsGate)
        {
            for (int i = 0; i < RepairsBefore.Length && Repairs.Contains(repairs); i++)
            {
                RepairsBefore[i] += ValueOf(repairs, i);
            }

            Repairs.Remove(repairs);
        }
    }

    /// <summary>Starts the trace of a publish by this process; null if there are no listeners.</summary>
    public static Activity? StartPublish(string application) =>
        Source.StartActivity("ripple.publish", ActivityKind.Producer)?.SetTag(ApplicationTag, application);

    /// <summary>The W3C trace context to send with a publish; empty if there is none.</summary>
    public static string TraceParent(Activity? activity) =>
        (activity ?? Activity.Current) is { IdFormat: ActivityIdFormat.W3C, Id: { } id } ? id : string.Empty;

    /// <summary>
    /// Starts the trace of a release about to take effect, as part of its publish's trace; null if there are no listeners.
    /// </summary>
    public static Activity? StartApply(RippleRelease release)
    {
        if (!Source.HasListeners())
        {
            return null;
        }

        _ = ActivityContext.TryParse(release.TraceParent, null, isRemote: true, out ActivityContext parent);
        return Source.StartActivity("ripple.apply", ActivityKind.Consumer, parent)?
            .SetTag(ApplicationTag, release.Application)
            .SetTag("ripple.release", (long)release.Release)
            .SetTag("ripple.generation", (long)release.Generation);
    }

    /// <summary>Counts a release that took effect.</summary>
    public static void Applied(RippleRelease release) => AppliedCount.Add(1, Tag(release.Application));

    /// <summary>Records how long user code took to accept or reject a release, and counts a rejection.</summary>
    public static void Decided(RippleRelease release, string? rejection, TimeSpan duration, Activity? activity)
    {
        string outcome = rejection is null ? "accepted" : "rejected";
        DecisionSeconds.Record(duration.TotalSeconds, Tag(release.Application), new("ripple.outcome", outcome));
        if (rejection is not null)
        {
            RejectedCount.Add(1, Tag(release.Application));
            activity?.SetStatus(ActivityStatusCode.Error, rejection);
        }
    }

    /// <summary>Counts a change of the connection's state.</summary>
    public static void Connection(string application, ConnectionState state) =>
        ConnectionCount.Add(1, Tag(application), new("ripple.state", state.ToString()));

    private static long Dropped() => Ports.Keys.Sum(p => p.KernelDropped) + Interlocked.Read(ref _droppedBefore);

    private static long Sum(int which)
    {
        lock (RepairsGate)
        {
            return Repairs.Sum(r => ValueOf(r, which)) + RepairsBefore[which];
        }
    }

    private static long ValueOf(CachingCounters repairs, int which) => which switch
    {
        0 => repairs.Repairs,
        1 => repairs.Received,
        _ => repairs.Misses,
    };

    private static KeyValuePair<string, object?> Tag(string application) => new(ApplicationTag, application);
}
