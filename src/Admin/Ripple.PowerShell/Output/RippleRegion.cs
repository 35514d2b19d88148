using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>A region of a host.</summary>
public sealed class RippleRegion
{
    internal RippleRegion(RegionInfo info)
    {
        Name = info.Name;
        Zone = info.Zone;
        Application = info.Application;
        Interest = info.Interest;
        View = info.View;
        Members = info.MemberCount;
        Entering = info.EnteringCount;
        Unreached = info.UnreachedCount;
        Leaves = info.LeafCount;
        GroupAddress = info.GroupAddress;
        GroupMembers = info.GroupMemberCount;
        Packets = info.Packets;
        Repairs = info.Repairs;
        MemberRepairs = info.MemberRepairs;
        MemberRepairsMissed = info.MemberRepairsMissed;
        PaceBytesPerSecond = info.PaceBytesPerSecond;
        PartCount = info.PartCount;
        Substituted = info.SubstitutedPartCount;
        Silent = info.SilentCount;
        RoundAgeMs = info.RoundAgeMs;
        Parts = info.Parts ?? [];
        LeafMembers = info.Leaves ?? [];
        Accusations = info.Accusations ?? [];
    }

    /// <summary>The region's name, 16 hexadecimal digits.</summary>
    public string Name { get; }

    /// <summary>The zone of its members.</summary>
    public string Zone { get; }

    /// <summary>The application that its members belong to.</summary>
    public string Application { get; }

    /// <summary>The applications whose releases its members take.</summary>
    public IReadOnlyList<string> Interest { get; }

    /// <summary>The number of its newest view.</summary>
    public string View { get; }

    /// <summary>The number of members of that view.</summary>
    public int Members { get; }

    /// <summary>The number of nodes that joined and are in no view yet.</summary>
    public int Entering { get; }

    /// <summary>The number of those that UDP has not reached.</summary>
    public int Unreached { get; }

    /// <summary>The number of members that the view lacks, and that get everything over their control connections.</summary>
    public int Leaves { get; }

    /// <summary>Its multicast group; null if it has none.</summary>
    public string? GroupAddress { get; }

    /// <summary>The number of members that take the stream through the group.</summary>
    public int GroupMembers { get; }

    /// <summary>The packets of the host's stream to it.</summary>
    public long Packets { get; }

    /// <summary>The packets sent again to single members.</summary>
    public long Repairs { get; }

    /// <summary>The packets that its members say they sent again to each other.</summary>
    public long MemberRepairs { get; }

    /// <summary>The packets that they were asked for by each other and did not have.</summary>
    public long MemberRepairsMissed { get; }

    /// <summary>The current limit of the stream, in bytes per second to each destination.</summary>
    public long PaceBytesPerSecond { get; }

    /// <summary>The number of parts of the view.</summary>
    public int PartCount { get; }

    /// <summary>The number of parts whose newest round was led by another than the first member.</summary>
    public int Substituted { get; }

    /// <summary>The number of members that the newest rounds name as silent.</summary>
    public int Silent { get; }

    /// <summary>The longest time since the newest round of a part, in milliseconds; null if the view has no members.</summary>
    public double? RoundAgeMs { get; }

    /// <summary>The parts of the view; empty unless the region was asked for by name.</summary>
    public IReadOnlyList<RegionPartInfo> Parts { get; }

    /// <summary>The leaves; empty unless the region was asked for by name.</summary>
    public IReadOnlyList<RegionLeafInfo> LeafMembers { get; }

    /// <summary>
    /// The members that the newest rounds did not hear, each with the member that said so; empty unless the region was asked for by name.
    /// </summary>
    public IReadOnlyList<RegionAccusationInfo> Accusations { get; }
}
