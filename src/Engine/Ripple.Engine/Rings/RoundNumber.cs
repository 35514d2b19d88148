using Ripple.Engine.Regions;

namespace Ripple.Engine.Rings;

/// <summary>
/// How rounds are numbered. In a view that is cut, the first members of a part may all lead its ring, and two of them never give one
/// number: it is 4n + rank, where the rank is the leader's place in the part. In one ring for members that know no parts, the first leads
/// and counts by one.
/// </summary>
internal static class RoundNumber
{
    /// <summary>How many members of a part may lead it.</summary>
    public const int LeadersMax = 3;

    private const ulong RanksStep = 4;

    /// <summary>How many members of each part may lead it.</summary>
    public static int LeadersOf(RegionView view) => view.PartMembers > 0 ? LeadersMax : 1;

    /// <summary>By how much the numbers of one leader's rounds differ.</summary>
    public static ulong StepOf(RegionView view) => view.PartMembers > 0 ? RanksStep : 1;

    /// <summary>The rank of the member that leads a round; <see cref="LeadersOf"/> or more for a number that nobody gives.</summary>
    public static int RankOf(ulong round, RegionView view) => (int)(round % StepOf(view));

    /// <summary>The lowest number above another that a member of this rank may give.</summary>
    public static ulong Next(ulong round, int rank, RegionView view)
    {
        ulong step = StepOf(view);
        return (((round / step) + 1) * step) + (ulong)rank;
    }
}
