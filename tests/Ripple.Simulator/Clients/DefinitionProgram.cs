using Ripple.Client;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Clients;

/// <summary>
/// Changes what an application says about itself while everything else goes on: the predicate <c>safe</c>, an area, a level, and an
/// external that reports it. Keeps the book of what was reported, for those who follow it.
/// </summary>
/// <param name="world">The world.</param>
/// <param name="application">The application.</param>
internal sealed class DefinitionProgram(SimulatedWorld world, string application)
{
    /// <summary>The predicate with a name that changes.</summary>
    public const string Named = "safe";

    /// <summary>What the external reports.</summary>
    public const string Reported = "MIN($EXTERNAL_bench.seen)";

    private const string Name = "Definitions";

    private static readonly string[] Texts =
    [
        "MIN($ALL.applied)",
        "KTH_MAX(2, $ALL.received)",
        "MAX($ALL.persisted)",
        "MIN($AREA_near.received)",
        "MIN(MAX($ALL.received), MIN($EXTERNAL_bench.seen))",
    ];

    private static readonly string[] Zones = ["east", "west", "east,west"];

    private readonly SortedSet<(uint Generation, ulong Release)> _asked = [];
    private (uint Generation, ulong Release) _told;

    /// <summary>The number of changes that were answered with a release.</summary>
    public long ChangedCount { get; private set; }

    /// <summary>The number of points that told how far the external has come.</summary>
    public long PointCount { get; private set; }

    /// <summary>The greatest report that a host said it has, of its generation; none if a copy of the disk came since.</summary>
    public (uint Generation, ulong Release) Told => _told;

    /// <summary>A copy of the disk replaces it: what was told since then may be gone.</summary>
    public void OnRestored() => _told = default;

    /// <summary>Makes one change, through a client whose token allows it. What becomes of it need not be known.</summary>
    public async Task ChangeAsync(RippleClient client, DeterministicRandom random)
    {
        int kind = random.NextInt32(6);
        string text = Texts[random.NextInt32(Texts.Length)];
        string zones = Zones[random.NextInt32(Zones.Length)];
        byte[] id = new byte[16];
        BitConverter.TryWriteBytes(id, random.NextInt64(long.MaxValue));
        BitConverter.TryWriteBytes(id.AsSpan(8), 1 + random.NextInt64(long.MaxValue - 1));
        var publishId = new Guid(id);
        try
        {
            if (kind > 2)
            {
                await ReportAsync(client, publishId).ConfigureAwait(false);
                return;
            }

            (string Key, string Value)[] changes = kind switch
            {
                0 => [("areas/near", zones)],
                1 =>
                [
                    ($"predicates/{Named}", text), ("areas/near", zones), ("levels/seen", string.Empty), ("externals/bench", string.Empty),
                ],
                // Again and again, as by somebody who is not sure.
                _ => [("levels/seen", string.Empty), ("externals/bench", text), ($"predicates/{Named}", "MIN($EXTERNAL_bench.seen)")],
            };
            await PublishAsync(client, publishId, changes).ConfigureAwait(false);
            ChangedCount++;
        }
        catch (RippleException)
        {
            // It changes nothing, names what is not there yet, or nobody knows.
        }
    }

    /// <summary>Judges a point of who follows what the external reported.</summary>
    /// <param name="machine">Where it was told.</param>
    /// <param name="point">The point.</param>
    /// <param name="toldBefore">What a host had when the monitor was asked for, if this is its first point.</param>
    public void Check(SimulatedMachine machine, FrontierPoint point, (uint Generation, ulong Release)? toldBefore)
    {
        if (point.Problem is not null)
        {
            return;
        }

        PointCount += point.Release > 0 ? 1 : 0;
        if (point.Release > 0 && !_asked.Contains((point.Generation, point.Release)))
        {
            world.Fail(Name, $"{machine} is told that the external has {point}, which it never reported", machine);
        }

        if (toldBefore is { Release: > 0 } told && told == _told && told.Generation == point.Generation && point.Release < told.Release)
        {
            world.Fail(Name, $"{machine} is told that the external has {point}, and a host had {told} of it", machine);
        }
    }

    private async Task ReportAsync(RippleClient client, Guid publishId)
    {
        ApplicationStatus status = await client.StatusAsync(application).ConfigureAwait(false);
        if (status.Release == 0)
        {
            return;
        }

        (uint Generation, ulong Release) report = (status.Generation, status.Release);
        _asked.Add(report);
        await PublishAsync(
            client, publishId, ("reports/bench/seen", $"{report.Generation}/{report.Release}")).ConfigureAwait(false);
        ChangedCount++;
        _told = report.CompareTo(_told) > 0 ? report : _told;
    }

    private Task<PublishResult> PublishAsync(RippleClient client, Guid publishId, params (string Key, string Value)[] changes)
    {
        var set = new SortedDictionary<string, ReadOnlyMemory<byte>>(StringComparer.Ordinal);
        foreach ((string key, string value) in changes)
        {
            set.Add(key, System.Text.Encoding.UTF8.GetBytes(value));
        }

        return client.PublishAsync(new PublishRequest { Application = CompanionName.Of(application), PublishId = publishId, Set = set });
    }
}
