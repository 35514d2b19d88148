namespace Ripple.Engine.Frontier.Waits;

/// <summary>
/// How a wait ended, and the members that caused it. Lists are in order of node id, then incarnation, and hold up to <see cref="NamesMax"/>
/// members.
/// </summary>
/// <param name="Outcome">The outcome.</param>
/// <param name="Value">The predicate's value at that time.</param>
/// <param name="Holding">Members that have the release at every level the predicate reads from them.</param>
/// <param name="Total">Members that the predicate names, excluding discounted ones.</param>
/// <param name="Text">One sentence for display; empty when held.</param>
/// <param name="Members">Members that cannot reach the release, or, on a timeout, members that are behind. Members whose loss left too few
/// for a k are appended, up to <see cref="NamesMax"/> more. Empty when held.</param>
/// <param name="Discounted">Members that the predicate names but that are excluded because they left or failed.</param>
internal sealed record FrontierWaitResult(
    FrontierWaitOutcome Outcome,
    ulong Value,
    int Holding,
    int Total,
    string Text,
    IReadOnlyList<FrontierWaitMember> Members,
    IReadOnlyList<FrontierWaitMember> Discounted)
{
    /// <summary>The most members listed.</summary>
    public const int NamesMax = 500;
}
