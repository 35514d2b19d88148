namespace Ripple.Simulator.Oracles.Costs;

/// <summary>
/// What a run may cost: about twice of what some hundred runs cost. Times in simulated nanoseconds; counts are of a minute, at the worst
/// machine unless something else is said.
/// </summary>
internal sealed record CostLimits
{
    private const long MillisecondNs = 1_000_000;

    /// <summary>
    /// A joiner is sent what it is owed once its address is proven; new packets may come first, so that it asks for the others.
    /// </summary>
    private const long JoinerRequests = 10;

    /// <summary>What a joiner is owed may have reached it by its group before its address was proven: the packets of one commit.</summary>
    private const long JoinerRepetitions = 32;

    /// <summary>From a commit until a node near the host has received the release.</summary>
    public long NearNs { get; init; } = 50 * MillisecondNs;

    /// <summary>The same for a node 20 ms away.</summary>
    public long FarNs { get; init; } = 700 * MillisecondNs;

    /// <summary>From there until it is in effect.</summary>
    public long ApplyNs { get; init; } = 50 * MillisecondNs;

    /// <summary>From there until it is on the node's disk.</summary>
    public long PersistNs { get; init; } = 1_500 * MillisecondNs;

    /// <summary>From the start of a node or the host until nodes have what was committed before.</summary>
    public long ReturnNs { get; init; } = 1_000 * MillisecondNs;

    /// <summary>From the moment that a predicate is true until who waits for it is told.</summary>
    public long WaitNs { get; init; } = 150 * MillisecondNs;

    /// <summary>By how much an alarm may be late.</summary>
    public long AlarmLagNs { get; init; } = MillisecondNs;

    /// <summary>Waits that time out.</summary>
    public long TimedOut { get; init; }

    /// <summary>Turns of a node's core.</summary>
    public long NodeTurns { get; init; } = 8_000;

    /// <summary>Turns of the host's core for each machine.</summary>
    public long HostTurns { get; init; } = 1_300;

    /// <summary>Datagrams for each machine.</summary>
    public long Datagrams { get; init; } = 3_000;

    /// <summary>Control frames for each machine.</summary>
    public long ControlFrames { get; init; } = 1_000;

    /// <summary>At rest: turns of the host, datagrams and control frames, for each machine in a second.</summary>
    public double RestEach { get; init; } = 4;

    /// <summary>At rest: turns of a node in a second.</summary>
    public double RestTurns { get; init; } = 15;

    /// <summary>Joins of a process.</summary>
    public long Joins { get; init; } = 1;

    /// <summary>Requests to the host for releases that did not come.</summary>
    public long CatchUps { get; init; }

    /// <summary>Snapshots taken.</summary>
    public long Snapshots { get; init; }

    /// <summary>Datagrams and frames that a node did not take: a group's may come before its key.</summary>
    public long Refused { get; init; } = 50;

    /// <summary>Requests for repair, of one receiver, and repairs of one sender.</summary>
    public long Repairs { get; init; }

    /// <summary>
    /// Requests for repair of what every member has by now: one that was asked again may be on its way while the repair and its
    /// acknowledgement pass it.
    /// </summary>
    public long LateRequests { get; init; }

    /// <summary>
    /// Packets that a receiver gave up: a joiner's that all others had before its address was proven; it catches up by release.
    /// </summary>
    public long GivenUp { get; init; } = JoinerRequests;

    /// <summary>Packets that came twice.</summary>
    public long Duplicates { get; init; } = JoinerRepetitions;

    /// <summary>Tokens sent again.</summary>
    public long TokenRetransmits { get; init; } = 10;

    /// <summary>Tokens that passed over a member.</summary>
    public long TokenSkips { get; init; }

    /// <summary>Tokens that came twice, late, or of another view, and rounds given up.</summary>
    public long StrayTokens { get; init; }

    /// <summary>Views of all regions together, for each machine.</summary>
    public long Views { get; init; } = 2;

    /// <summary>Members that the host found failed.</summary>
    public long Failures { get; init; }

    /// <summary>The limits of a run.</summary>
    /// <param name="happens">What happens in it.</param>
    /// <param name="hasRealClients">Whether some nodes are real clients: they validate for seconds and save lazily.</param>
    /// <param name="hasMix">Whether several applications have large values, interests and many reads.</param>
    public static CostLimits Of(CostEvent happens, bool hasRealClients, bool hasMix)
    {
        var limits = new CostLimits();
        limits = happens switch
        {
            CostEvent.NodeCrash => limits with
            {
                CatchUps = 4,
                Repairs = JoinerRequests,
                TokenRetransmits = 30,
                TokenSkips = 30,
                StrayTokens = 20,
                Failures = 1,
            },
            CostEvent.HostCrash => limits with
            {
                NearNs = 2_000 * MillisecondNs,
                FarNs = 2_000 * MillisecondNs,
                ReturnNs = 8_000 * MillisecondNs,
                Joins = 2,
                CatchUps = 4,
                Repairs = JoinerRequests,
                StrayTokens = 80,
            },
            CostEvent.Loss => limits with
            {
                NearNs = 1_500 * MillisecondNs,
                FarNs = 1_500 * MillisecondNs,
                WaitNs = 800 * MillisecondNs,
                CatchUps = 6,
                Repairs = 100,
                LateRequests = 5,
                Duplicates = 100,
                TokenRetransmits = 100,
                TokenSkips = 10,
                StrayTokens = 50,
            },
            _ => limits,
        };
        limits = hasRealClients || hasMix ? limits with { ApplyNs = 5_000 * MillisecondNs, PersistNs = 5_000 * MillisecondNs } : limits;
        return !hasMix
            ? limits
            : limits with
            {
                // Values of 16 MiB take their time, and a request in vain puts off the next by seconds.
                NearNs = long.MaxValue / 4,
                FarNs = long.MaxValue / 4,
                ReturnNs = long.MaxValue / 4,
                WaitNs = 1_000 * MillisecondNs,
                TimedOut = 5,
                NodeTurns = 20_000,
                HostTurns = 4_000,
                ControlFrames = 5_000,
                RestEach = 12,
                RestTurns = 50,
                CatchUps = 50,
                Snapshots = 5,
                // Where links carry large values, a token's acknowledgement is late now and then.
                TokenRetransmits = Math.Max(limits.TokenRetransmits, 40),
            };
    }
}
