using Ripple.Engine.Core;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>All kinds of forgery, in a fixed order.</summary>
internal static class ForgeryKinds
{
    /// <summary>Any so many seeds in a row have every kind.</summary>
    public const int TurnSeeds = 20;

    /// <summary>One object of each kind.</summary>
    public static IReadOnlyList<IForgery> All() =>
    [
        new UnsignedClaims(),
        new FarAheadClaims(),
        new UnsignedBatches(),
        new WrongSignatures(),
        new AlteredReleases(),
        new GarbledSignatures(),
        new Positions(),
        new Parts(),
        new GroupPackets(),
        new Beacons(),
        new Skips(),
        new Tokens(),
        new NewerTokens(),
        new TokenAcks(),
        new AggregateAcks(),
        new Aggregates(),
        new NewerAggregates(),
        new RingRejections(),
        new Naks(),
        new PoisonedCounters(),
        new Replays(),
        new RepeatedFrames(),
        new Reports(),
        new Requests(),
        new Proofs(),
        new Calls(),
        new HostFrames(),
        new Leaves(),
        new Joins(),
        new EpochClaims(),
        new StrangerJoins(),
        new Floods(),
        new ValueParts(),
    ];

    /// <summary>The kinds of a seed: those whose turn it is, and others by chance.</summary>
    public static IReadOnlyList<IForgery> Draw(DeterministicRandom random, ulong seed)
    {
        ArgumentNullException.ThrowIfNull(random);
        var drawn = new List<IForgery>();
        foreach (IForgery kind in All())
        {
            // Chance is asked for each, so that what one draws does not shift the others.
            bool isDrawn = random.NextBool(kind.Share);
            if (isDrawn || kind.Turn == (int)(seed % TurnSeeds))
            {
                drawn.Add(kind);
            }
        }

        return drawn;
    }
}
