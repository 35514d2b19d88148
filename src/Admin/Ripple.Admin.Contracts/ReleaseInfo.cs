namespace Ripple.Admin.Contracts;

/// <summary>A release, as listed in the history.</summary>
public sealed record ReleaseInfo
{
    /// <summary>The release number.</summary>
    public required ulong Release { get; init; }

    /// <summary>The generation.</summary>
    public required uint Generation { get; init; }

    /// <summary>The id, 40 hexadecimal digits: the hash of the release's header.</summary>
    public required string Id { get; init; }

    /// <summary>The id of the previous release.</summary>
    public required string PreviousId { get; init; }

    /// <summary>The time at which the primary ordered it, UTC.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>The publisher.</summary>
    public required string Actor { get; init; }

    /// <summary>The publisher's note; may be empty.</summary>
    public required string Note { get; init; }

    /// <summary>The publish id; empty for a release made by the host itself (a restore).</summary>
    public required Guid PublishId { get; init; }

    /// <summary>The keys set and removed.</summary>
    public required IReadOnlyList<KeyChangeInfo> Changes { get; init; }
}
