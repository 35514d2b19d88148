namespace Ripple.Client;

/// <summary>The outcome of a wait, and the members responsible for it.</summary>
public sealed record WaitResult
{
    /// <summary>The outcome of the wait.</summary>
    public required WaitOutcome Outcome { get; init; }

    /// <summary>The generation of the release that was waited for; 0 if no host answered in time.</summary>
    public uint Generation { get; init; }

    /// <summary>The number of members bound to the wait; 0 if no host answered in time.</summary>
    public int Total { get; init; }

    /// <summary>The members that kept the predicate from holding; empty if it held.</summary>
    public IReadOnlyList<WaitMember> Members { get; init; } = [];

    /// <summary>Members left out because they left or failed.</summary>
    public IReadOnlyList<WaitMember> Discounted { get; init; } = [];

    /// <summary>Further details for display; may be empty.</summary>
    public string Text { get; init; } = string.Empty;
}
