namespace Ripple.Admin.Contracts;

/// <summary>
/// A region of one host: the nodes of one zone, application and interest, which get the host's stream and tell by rings how far they are.
/// </summary>
public sealed record RegionInfo
{
    /// <summary>Its name: 16 hexadecimal digits, the same after every start of the host.</summary>
    public required string Name { get; init; }

    /// <summary>The zone of its members.</summary>
    public required string Zone { get; init; }

    /// <summary>The application that its members belong to.</summary>
    public required string Application { get; init; }

    /// <summary>The applications whose releases its members take, sorted.</summary>
    public required IReadOnlyList<string> Interest { get; init; }

    /// <summary>The number of its newest view: the host's epoch, a dot, and a counter. It grows with each change of the members.</summary>
    public required string View { get; init; }

    /// <summary>The number of members of that view.</summary>
    public required int MemberCount { get; init; }

    /// <summary>The number of nodes that joined and are in no view yet.</summary>
    public required int EnteringCount { get; init; }

    /// <summary>
    /// The number of those that were admitted and have not shown that UDP reaches them: they get everything over their control connections,
    /// and stay outside of the view.
    /// </summary>
    public required int UnreachedCount { get; init; }

    /// <summary>
    /// The number of leaves: members that the view lacks because they held the others up or heard nothing, and that get everything over
    /// their control connections until they keep pace again.
    /// </summary>
    public int LeafCount { get; init; }

    /// <summary>The address and port of its multicast group; null if it has none.</summary>
    public string? GroupAddress { get; init; }

    /// <summary>The number of members that take the stream through the group; the others get it by unicast.</summary>
    public required int GroupMemberCount { get; init; }

    /// <summary>The packets of the host's stream to it since the region was made, each counted once.</summary>
    public required long Packets { get; init; }

    /// <summary>The packets sent again to single members since then.</summary>
    public required long Repairs { get; init; }

    /// <summary>The packets that its members say they sent again to each other, since each of them started.</summary>
    public long MemberRepairs { get; init; }

    /// <summary>The packets that they were asked for by each other and did not have, so that the host was asked.</summary>
    public long MemberRepairsMissed { get; init; }

    /// <summary>The current limit of the stream, in bytes per second to each destination.</summary>
    public required long PaceBytesPerSecond { get; init; }

    /// <summary>The number of parts of the view; 0 if it has no members.</summary>
    public required int PartCount { get; init; }

    /// <summary>The number of parts whose newest round was led by another than the first member.</summary>
    public required int SubstitutedPartCount { get; init; }

    /// <summary>The number of members that the newest rounds of the parts name as silent.</summary>
    public required int SilentCount { get; init; }

    /// <summary>
    /// The longest time since the newest round of a part, in milliseconds; for a part without a round, since the view was made. Null if the
    /// view has no members.
    /// </summary>
    public double? RoundAgeMs { get; init; }

    /// <summary>The parts of the view, by number; null in a list of regions.</summary>
    public IReadOnlyList<RegionPartInfo>? Parts { get; init; }

    /// <summary>The leaves, in the order in which they became leaves; null in a list of regions.</summary>
    public IReadOnlyList<RegionLeafInfo>? Leaves { get; init; }

    /// <summary>
    /// The members that the newest rounds of the parts did not hear, by part, each with who said so; at most 64 of a part and those in
    /// whose place another leads. Null in a list of regions.
    /// </summary>
    public IReadOnlyList<RegionAccusationInfo>? Accusations { get; init; }
}
