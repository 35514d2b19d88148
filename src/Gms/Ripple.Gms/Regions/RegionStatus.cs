using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Interest;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Regions;

/// <summary>A snapshot of a region, for administrators. Immutable.</summary>
internal sealed record RegionStatus
{
    /// <summary>The digits of a name.</summary>
    public const int NameDigits = 16;

    /// <summary>Its identity.</summary>
    public required RegionIdentity Identity { get; init; }

    /// <summary>The number of its newest view.</summary>
    public required ViewNumber View { get; init; }

    /// <summary>The members of that view.</summary>
    public required int MemberCount { get; init; }

    /// <summary>Nodes that joined and are in no view yet.</summary>
    public required int EnteringCount { get; init; }

    /// <summary>Those of them that were admitted and are not reached at the address that they named.</summary>
    public required int UnreachedCount { get; init; }

    /// <summary>Its leaves.</summary>
    public required IReadOnlyList<LeafStatus> Leaves { get; init; }

    /// <summary>Its multicast group; null when it has none.</summary>
    public required NodeAddress? Group { get; init; }

    /// <summary>The members that take the stream through the group.</summary>
    public required int GroupMemberCount { get; init; }

    /// <summary>Packets of the host's stream to it, each counted once.</summary>
    public required long Packets { get; init; }

    /// <summary>Packets that were sent again to single members.</summary>
    public required long Repairs { get; init; }

    /// <summary>
    /// What its members say that they sent again to each other, and what they were asked for in vain, since each of them started.
    /// </summary>
    public required MemberRepairs MemberRepairs { get; init; }

    /// <summary>The most bytes of frames that the stream sends in a second to each destination now.</summary>
    public required long PaceBytesPerSecond { get; init; }

    /// <summary>The longest time since a part's newest round: see <see cref="PartProgress.RoundAgeNsMax"/>.</summary>
    public required long RoundAgeNsMax { get; init; }

    /// <summary>The parts of the newest view; none while it has no members.</summary>
    public required IReadOnlyList<PartStatus> Parts { get; init; }

    /// <summary>Its name: the number in its packets, which every host computes alike.</summary>
    public string Name => NameOf(Identity.RegionId);

    /// <summary>The name of the region of this number.</summary>
    public static string NameOf(ulong regionId) => regionId.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>Reads a name, or the beginning of one, into the numbers of the regions whose names begin so.</summary>
    public static bool TryParseName(string text, out ulong first, out ulong last)
    {
        (first, last) = (0, 0);
        if (text.Length is 0 or > NameDigits
            || !ulong.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong digits))
        {
            return false;
        }

        int missingBits = 4 * (NameDigits - text.Length);
        first = digits << missingBits;
        last = first | ((1UL << missingBits) - 1);
        return true;
    }
}

/// <summary>A part of a region's newest view, as its rounds tell of it. Immutable.</summary>
/// <param name="Index">Its number in the view, from 0.</param>
/// <param name="MemberCount">Its members.</param>
/// <param name="First">The first of them, which leads its ring.</param>
/// <param name="Last">The last of them.</param>
/// <param name="Leader">Who told the newest round; null while none was told.</param>
/// <param name="Rounds">The rounds it told.</param>
/// <param name="AgeNs">The time since the newest round; null while none was told.</param>
/// <param name="Silent">The members that the newest round named as silent.</param>
/// <param name="InPlaceOf">The members before the leader, in whose place it leads.</param>
/// <param name="Accusations">What it thereby says of those of both kinds that are still connected.</param>
/// <param name="Repairs">What its members sent again to others.</param>
internal sealed record PartStatus(
    int Index,
    int MemberCount,
    MemberName First,
    MemberName Last,
    MemberName? Leader,
    PartRounds Rounds,
    long? AgeNs,
    IReadOnlyList<MemberName> Silent,
    IReadOnlyList<MemberName> InPlaceOf,
    IReadOnlyList<AccusationStatus> Accusations,
    MemberRepairs Repairs);

/// <summary>That a part's newest round did not hear a member, and what the host knows of that member. Immutable.</summary>
/// <param name="Member">The member.</param>
/// <param name="Accuser">Who told the round.</param>
/// <param name="AgeNs">For how long each round of the part says so.</param>
/// <param name="Rounds">How many rounds have said so one after the other since the host heard the member last.</param>
/// <param name="HeardNs">The time since then.</param>
internal sealed record AccusationStatus(MemberName Member, MemberName Accuser, long AgeNs, int Rounds, long HeardNs);

/// <summary>What members say of repairs among themselves.</summary>
/// <param name="Made">Packets that they sent again to each other.</param>
/// <param name="Missed">Packets that they were asked for and did not have.</param>
internal readonly record struct MemberRepairs(long Made, long Missed)
{
    /// <summary>A member says what it likes: more than this of one, and sums would overflow.</summary>
    private const ulong CountMax = 1UL << 48;

    /// <summary>The sum over some members.</summary>
    public static MemberRepairs Of(IEnumerable<IRegionMember?> members)
    {
        var sum = default(MemberRepairs);
        foreach (IRegionMember? member in members)
        {
            if (member?.Repairs is { } told)
            {
                sum = new(sum.Made + (long)Math.Min(told.Made, CountMax), sum.Missed + (long)Math.Min(told.Missed, CountMax));
            }
        }

        return sum;
    }
}

/// <summary>A member that the view lacks. Immutable.</summary>
/// <param name="Member">The member.</param>
/// <param name="Reason">Why it is a leaf.</param>
/// <param name="AgeNs">For how long.</param>
/// <param name="IsReturning">Whether it has joined again, and waits for the view that has it.</param>
internal sealed record LeafStatus(MemberName Member, string Reason, long AgeNs, bool IsReturning);

/// <summary>A member of a view by name.</summary>
/// <param name="Node">Its node.</param>
/// <param name="Name">What it calls itself; empty when it is gone since.</param>
internal sealed record MemberName(NodeId Node, string Name);
