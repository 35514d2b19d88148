using Ripple.Gms;
using Ripple.Gms.Core;

namespace Ripple.Simulator.Adversary;

/// <summary>What can be seen of a host before and after it handles one datagram or frame.</summary>
/// <param name="Refused">Datagrams that were not opened.</param>
/// <param name="Misread">Opened ones that were malformed, or that their sealer may not send.</param>
/// <param name="ControlRefused">Control frames that were malformed, unknown or not allowed.</param>
/// <param name="JoinsRefused">Joins refused.</param>
/// <param name="Table">The version of the frontier's table.</param>
/// <param name="Repairs">Repairs queued.</param>
/// <param name="CatchUps">Catch-ups and snapshots begun.</param>
/// <param name="Calls">Waits, and bytes of uploads, under way.</param>
internal readonly record struct HostReading(
    long Refused, long Misread, long ControlRefused, long JoinsRefused, long Table, long Repairs, long CatchUps, long Calls)
{
    /// <summary>Reads a host; null while none runs.</summary>
    public static HostReading? Of(HostCore? host, string application)
    {
        if (host is null)
        {
            return null;
        }

        GmsCounters counters = host.Counters;
        return new HostReading(
            counters.DatagramsRefused,
            counters.FramesRefused + host.Streams.Sum(s => s.Counters.NaksMalformed),
            counters.ControlRefused,
            counters.JoinsRefused,
            host.FrontierOf(application)?.Table.Version ?? 0,
            host.Streams.Sum(s => s.Counters.RepairsQueued),
            counters.CatchUps + counters.Snapshots,
            (host.FrontierOf(application)?.WaitCount ?? 0) + host.UploadBytes + host.TransientBytes);
    }

    /// <summary>Whether the delivery in between was opened and decoded.</summary>
    public bool IsOpenedSince(in HostReading before) =>
        Refused == before.Refused && Misread == before.Misread && ControlRefused == before.ControlRefused;

    /// <summary>Whether it changed a table, a queue or a call.</summary>
    public bool IsNewSince(in HostReading before) =>
        this != before with { Refused = Refused, Misread = Misread, ControlRefused = ControlRefused, JoinsRefused = JoinsRefused };
}
