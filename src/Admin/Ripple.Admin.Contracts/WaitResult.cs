namespace Ripple.Admin.Contracts;

/// <summary>The result of a wait.</summary>
/// <param name="Outcome">The outcome.</param>
/// <param name="Text">Details for display; may be empty.</param>
/// <param name="Total">The number of members bound to the wait.</param>
/// <param name="Members">The members that kept the predicate from holding, with reasons; only some of them if there are very many.</param>
/// <param name="Discounted">Members left out because they left or failed.</param>
public sealed record WaitResult(
    WaitOutcome Outcome, string Text, int Total, IReadOnlyList<WaitMember> Members, IReadOnlyList<WaitMember> Discounted)
{
    /// <summary>The generation of the release that was waited for.</summary>
    public uint Generation { get; init; }
}
