using System.Diagnostics.Metrics;
using Ripple.Engine.Core;
using Ripple.Gms.Core;
using Ripple.Gms.Endpoint;
using Ripple.Transports.Udp;

namespace Ripple.Gms.Server;

/// <summary>
/// The host's instruments, in the meters <see cref="GmsMeter"/> and <see cref="EngineMeter"/>. They read existing counters when a listener
/// collects, and cost nothing otherwise.
/// </summary>
public sealed class GmsMetrics : IDisposable
{
    /// <summary>The meter of membership, releases and control.</summary>
    public const string GmsMeter = "Ripple.Gms";

    /// <summary>The meter of the core.</summary>
    public const string EngineMeter = "Ripple.Engine";

    private readonly Meter _gms;
    private readonly Meter _engine;

    /// <summary>Creates the instruments of one host; its name is the tag <c>ripple.host</c> on all of them.</summary>
    internal GmsMetrics(
        string name,
        HostCore host,
        CoreCounters core,
        LinkEndpointCounters control,
        WrongCredentials wrong,
        UdpPorts ports,
        OpenedHostStore store)
    {
        KeyValuePair<string, object?>[] tags = [new("ripple.host", name)];
        _gms = new Meter(new MeterOptions(GmsMeter) { Tags = tags });
        _engine = new Meter(new MeterOptions(EngineMeter) { Tags = tags });
        GmsCounters c = host.Counters;
        Gauge("ripple.gms.members", "{member}", "Members in views now.", () => c.Members);
        Gauge("ripple.gms.sessions", "{session}", "Control connections now.", () => c.Sessions);
        Gauge("ripple.gms.upload.bytes", "By", "Bytes of publishes under way now.", () => host.UploadBytes);
        Count("ripple.gms.joins", "{join}", "Joins accepted.", () => c.Joins);
        Count("ripple.gms.joins.refused", "{join}", "Joins refused.", () => c.JoinsRefused);
        Count("ripple.gms.enrolments", "{enrolment}", "Certificates made for new nodes.", () => control.Enrolled);
        Count("ripple.gms.enrolments.refused", "{enrolment}", "Enrolments refused for their token.", () => control.WrongTokens);
        Count("ripple.gms.credentials.refused", "{credential}", "Credentials at the admin API that are not good here.", () => wrong.Count);
        Count(
            "ripple.gms.connections.refused",
            "{connection}",
            "Connections refused for their certificate, a revoked token, nonsense or a limit.",
            () => control.WrongCertificates + control.NotAdmitted + control.Malformed + control.OverLimit + control.PolicyErrors);
        long memoryAtStart = Environment.WorkingSet;
        Gauge("ripple.gms.session.memory", "By", "Resident memory of the process beyond what it had at its start, a control connection.",
            () => c.Sessions == 0 ? 0 : Math.Max(0, Environment.WorkingSet - memoryAtStart) / c.Sessions);
        Count(
            "ripple.gms.control.sent", "By", "Bytes sent over control connections, TLS records included.", () => control.Traffic.BytesSent);
        Count(
            "ripple.gms.control.received",
            "By",
            "Bytes received over control connections, TLS records included.",
            () => control.Traffic.BytesReceived);
        Count("ripple.gms.rounds", "{round}", "Rounds of rings that were told to this host.", () => c.Aggregates);
        Count("ripple.gms.rounds.gathered", "{round}", "Rounds told through the leader of another ring.", () => c.AggregatesGathered);
        Count(
            "ripple.gms.rounds.substituted",
            "{round}",
            "Rounds that the second or third member of a part led, because those before it did not.",
            () => c.RoundsSubstituted);
        _gms.CreateObservableGauge(
            "ripple.gms.rounds.age.max", () => c.RoundAgeNsMax / 1e9, "s", "The longest time since the newest round of a part now.");
        _gms.CreateObservableUpDownCounter("ripple.gms.parts", () => c.Parts, "{part}", "Parts of the regions' views, each a ring.");
        _gms.CreateObservableUpDownCounter(
            "ripple.gms.silent", () => c.Silent, "{member}", "Members that the newest rounds of their rings did not reach.");
        Count("ripple.gms.views", "{view}", "Views made.", () => c.Views);
        Count("ripple.gms.leaves.made", "{member}", "Times that a member became a leaf of its region.", () => c.LeavesMade);
        _gms.CreateObservableUpDownCounter(
            "ripple.gms.leaves", () => c.Leaves, "{member}", "Members that their region's view lacks, and that get all by catch-up.");
        Count("ripple.gms.key.changes", "{key}", "Changes of the regions' keys.", () => c.KeyChanges);
        Count(
            "ripple.gms.failures.ring",
            "{member}",
            "Members removed early because their ring did not hear them either.",
            () => c.FailuresByRing);
        Count("ripple.gms.failures", "{member}", "Members removed because they were silent or their connection broke.", () => c.Failures);
        Count("ripple.gms.expulsions", "{member}", "Members removed because their token was revoked.", () => c.Expulsions);
        Count("ripple.gms.releases.committed", "{release}", "Releases committed.", () => c.Committed);
        Count("ripple.gms.publishes.refused", "{publish}", "Publishes refused, whatever for.", () => c.PublishesRefused);
        Count("ripple.gms.store.full", "{group}", "Groups of commits that found no room.", () => store.FullCount());
        Count(
            "ripple.gms.store.failures",
            "{group}",
            "Groups of commits of which nobody knew whether they were written.",
            () => store.FailedCount());
        Gauge("ripple.gms.store.bytes", "By", "What the store takes, with its write-ahead log.", () => store.Space()?.FileBytes ?? 0);
        Gauge("ripple.gms.store.free", "By", "What is free within the store's file.", () => store.Space()?.FreePageBytes ?? 0);
        Gauge(
            "ripple.gms.store.disk.free",
            "By",
            "What is free on the store's disk; -1 if that is not known.",
            () => store.Space()?.DiskFreeBytes ?? -1);
        Count("ripple.gms.catchups", "{catchup}", "Nodes brought forward release by release.", () => c.CatchUps);
        Count("ripple.gms.deltas", "{value}", "Values that were released as what an edit changed, and not whole.", () => host.DeltaCount);
        Count("ripple.gms.streamed", "{value}", "Values given to streams behind their releases.", () => host.StreamedValueCount);
        Count("ripple.gms.compressed", "{value}", "Values that were released compressed.", () => host.CompressedCount);
        Count(
            "ripple.gms.stream.skips",
            "{release}",
            "Releases a region's stream left out because it did not keep up; its members caught up from the store.",
            () => c.StreamSkips);
        Gauge(
            "ripple.gms.multicast.members",
            "{member}",
            "Members that take their stream through a multicast group now.",
            () => c.GroupMembers);
        Count(
            "ripple.gms.multicast.refusals",
            "{member}",
            "Times that a member turned out not to hear its region's multicast group, and got its stream by unicast.",
            () => c.GroupRefusals);
        Count(
            "ripple.gms.paths.unreached",
            "{member}",
            "Times that a member was not reached at the address it named, and got everything over its control connection.",
            () => c.PathsUnreached);
        Count("ripple.gms.history.pruned", "{release}", "Releases that left the history of their application.", () => c.Pruned);
        Count("ripple.gms.snapshots", "{snapshot}", "Snapshots sent.", () => c.Snapshots);
        Count(
            "ripple.gms.evidence.refused",
            "{report}",
            "Levels and rejections refused because nobody can have them: of releases not committed, or of generations not begun.",
            () => c.EvidenceRefused);
        Count("ripple.gms.calls.refused", "{call}", "Calls refused because somebody asked for more than its share.", () => c.CallsRefused);
        Count(
            "ripple.gms.frames.held",
            "{time}",
            "Times that a connection's frames waited because somebody sent more than its share.",
            () => c.FramesHeld);
        Count("ripple.gms.space.emitted", "{event}", "Events by attributes that were taken from emitters.", () => c.EventsEmitted);
        Count("ripple.gms.space.delivered", "{delivery}", "Deliveries of these to subscribers.", () => c.EventsDelivered);
        Count(
            "ripple.gms.space.dropped",
            "{event}",
            "Events dropped for a subscriber that takes them more slowly than they come.",
            () => c.EventsDropped);
        Count(
            "ripple.gms.space.held",
            "{time}",
            "Times that an emitter was told to wait, because a subscriber that asked for it had no room.",
            () => c.EventsHeld);
        Count("ripple.gms.frames.refused", "{frame}", "Control frames refused.", () => c.ControlRefused);
        Count(
            "ripple.gms.datagrams.refused",
            "{datagram}",
            "Datagrams that were not opened, or whose content was refused.",
            () => c.DatagramsRefused + c.FramesRefused);
        Count("ripple.gms.events.dropped", "{event}", "Events that were not logged because they came too fast.", () => host.Events.Dropped);
        _engine.CreateObservableCounter("ripple.engine.turns", () => core.Turns, "{turn}", "Turns of the core's loop.");
        _engine.CreateObservableCounter("ripple.engine.packets", () => core.Packets, "{packet}", "Datagrams handled.");
        _engine.CreateObservableCounter(
            "ripple.engine.datagrams.dropped",
            () => ports.KernelDropped,
            "{datagram}",
            "Datagrams the kernel dropped because a receive buffer was full.");
        _engine.CreateObservableCounter("ripple.engine.requests", () => core.Requests, "{request}", "Requests run.");
        _engine.CreateObservableCounter("ripple.engine.alarms", () => core.Alarms, "{alarm}", "Alarms run.");
        _engine.CreateObservableCounter(
            "ripple.engine.control.wait",
            () => core.ControlWaitNs / 1e9,
            "s",
            "What control datagrams waited at most for a busy core, all together; divided by the count it is the mean.");
        _engine.CreateObservableCounter(
            "ripple.engine.control.waits", () => core.ControlWaits, "{datagram}", "Control datagrams that met a busy core.");
        _engine.CreateObservableGauge(
            "ripple.engine.control.wait.max",
            () => core.ControlWaitNsMax / 1e9,
            "s",
            "The longest that a control datagram can have waited for the core since the start.");
        _engine.CreateObservableGauge(
            "ripple.engine.alarm.lag.max", () => core.AlarmLagNsMax / 1e9, "s", "The latest any alarm was found overdue since the start.");
    }

    /// <summary>Removes the instruments.</summary>
    public void Dispose()
    {
        _gms.Dispose();
        _engine.Dispose();
    }

    private void Gauge(string name, string unit, string description, Func<long> read) =>
        _gms.CreateObservableGauge(name, read, unit, description);

    private void Count(string name, string unit, string description, Func<long> read) =>
        _gms.CreateObservableCounter(name, read, unit, description);
}
