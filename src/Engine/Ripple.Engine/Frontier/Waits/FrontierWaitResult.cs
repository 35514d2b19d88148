namespace Ripple.Engine.Frontier.Waits;

/// <summary>
/// How a wait ended, and because of whom. Members stand by node id, then incarnation; each list is cut at <see cref="NamesMax"/>.
/// </summary>
/// <param name="Outcome">Which end.</param>
/// <param name="Value">The predicate's value then.</param>
/// <param name="Holding">Members that have the release at every level the predicate reads of them.</param>
/// <param name="Total">Members that the predicate names, without the discounted ones.</param>
/// <param name="Text">One sentence for a person; empty when held.</param>
/// <param name="Members">Who cannot get there, or, when the time ran out, who is behind. Empty when held.</param>
/// <param name="Discounted">Members that the predicate names and that were left out because they left or failed.</param>
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
