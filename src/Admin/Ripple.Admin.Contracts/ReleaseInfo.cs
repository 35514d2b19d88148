namespace Ripple.Admin.Contracts;

/// <summary>A release, as the history tells it.</summary>
public sealed record ReleaseInfo
{
    /// <summary>Its number.</summary>
    public required ulong Release { get; init; }

    /// <summary>Its generation.</summary>
    public required uint Generation { get; init; }

    /// <summary>Its id, 40 hexadecimal digits: the hash of its header.</summary>
    public required string Id { get; init; }

    /// <summary>The id of the one before it.</summary>
    public required string PreviousId { get; init; }

    /// <summary>When its primary ordered it, UTC.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>Who published it.</summary>
    public required string Actor { get; init; }

    /// <summary>What was said of it; may be empty.</summary>
    public required string Note { get; init; }

    /// <summary>The publish id; empty in a release that the host itself made (a restore).</summary>
    public required Guid PublishId { get; init; }

    /// <summary>The keys it set and removed.</summary>
    public required IReadOnlyList<KeyChangeInfo> Changes { get; init; }
}
