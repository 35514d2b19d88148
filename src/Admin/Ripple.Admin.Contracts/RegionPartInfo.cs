namespace Ripple.Admin.Contracts;

/// <summary>A part of a region's newest view: a ring of its own. What its rounds told is of that view; a new view begins anew.</summary>
public sealed record RegionPartInfo
{
    /// <summary>Its number in the view, from 0.</summary>
    public required int Index { get; init; }

    /// <summary>The number of its members.</summary>
    public required int MemberCount { get; init; }

    /// <summary>Its first member, which leads its ring.</summary>
    public required RegionMemberInfo First { get; init; }

    /// <summary>Its last member.</summary>
    public required RegionMemberInfo Last { get; init; }

    /// <summary>The member that led and told the newest round; null if there was none.</summary>
    public RegionMemberInfo? Leader { get; init; }

    /// <summary>
    /// The leader's place in the part: 0 for the first member, 1 or 2 for one that leads because those before it did not. Null without a
    /// round.
    /// </summary>
    public int? Rank { get; init; }

    /// <summary>The members before the leader, in whose place it leads; none with rank 0.</summary>
    public required IReadOnlyList<RegionMemberInfo> InPlaceOf { get; init; }

    /// <summary>The number of rounds told.</summary>
    public required long Rounds { get; init; }

    /// <summary>The time since the newest round, in milliseconds; null without one.</summary>
    public double? RoundAgeMs { get; init; }

    /// <summary>The smoothed mean of the time between rounds, in milliseconds; null before the second.</summary>
    public double? RoundIntervalMs { get; init; }

    /// <summary>The members that did not answer in the newest round; at most 64 are named.</summary>
    public required IReadOnlyList<RegionMemberInfo> Silent { get; init; }

    /// <summary>The packets that its members say they sent again to others, since each of them started.</summary>
    public long Repairs { get; init; }
}
