namespace Ripple.Client;

/// <summary>How a wait ended, and because of whom.</summary>
public sealed record WaitResult
{
    /// <summary>How it ended.</summary>
    public required WaitOutcome Outcome { get; init; }

    /// <summary>How many members it was bound to; 0 when no host answered in time.</summary>
    public int Total { get; init; }

    /// <summary>Who kept it from holding; empty when it held.</summary>
    public IReadOnlyList<WaitMember> Members { get; init; } = [];

    /// <summary>Members left out because they left or failed.</summary>
    public IReadOnlyList<WaitMember> Discounted { get; init; } = [];

    /// <summary>What else there is to say, for people; may be empty.</summary>
    public string Text { get; init; } = string.Empty;
}
