namespace Ripple.Engine.Frontier.Waits;

/// <summary>The progress of a wait.</summary>
/// <param name="Holding">Members that have the release at every level the predicate reads from them.</param>
/// <param name="Total">Members that the predicate names, excluding discounted ones.</param>
/// <param name="Behind">Names of up to <see cref="NamesMax"/> members that do not have it, by node id.</param>
internal sealed record FrontierWaitProgress(int Holding, int Total, IReadOnlyList<string> Behind)
{
    /// <summary>The most names listed.</summary>
    public const int NamesMax = 10;
}
