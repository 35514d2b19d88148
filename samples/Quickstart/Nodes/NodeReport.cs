namespace Quickstart.Nodes;

/// <summary>One line from a node process to its parent.</summary>
internal sealed record NodeReport
{
    public const string Joined = "joined";
    public const string Applied = "applied";
    public const string Rejected = "rejected";
    public const string Current = "current";
    public const string Failed = "failed";

    /// <summary>What happened; one of the constants.</summary>
    public required string Kind { get; init; }

    /// <summary>The node's number; 0 for the whole process.</summary>
    public int Node { get; init; }

    /// <summary>The release it is about.</summary>
    public ulong Release { get; init; }

    /// <summary>For applied and current: the hash of all values, see <see cref="ValuesHash"/>.</summary>
    public string Hash { get; init; } = string.Empty;

    /// <summary>The node's id, a reason, or an error.</summary>
    public string Text { get; init; } = string.Empty;

    /// <summary>When it happened, on the machine's monotonic clock, which all processes share.</summary>
    public long Timestamp { get; init; }
}
