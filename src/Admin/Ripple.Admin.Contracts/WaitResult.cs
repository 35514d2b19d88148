namespace Ripple.Admin.Contracts;

/// <summary>How a wait ended.</summary>
/// <param name="Outcome">How.</param>
/// <param name="Text">For people; may be empty.</param>
/// <param name="Total">Members the wait was bound to.</param>
/// <param name="Members">Who kept it from holding, with reasons; some, when they are very many.</param>
/// <param name="Discounted">Members left out because they left or failed.</param>
public sealed record WaitResult(
    WaitOutcome Outcome, string Text, int Total, IReadOnlyList<WaitMember> Members, IReadOnlyList<WaitMember> Discounted);
