namespace Ripple.Engine.Frontier.Waits;

/// <summary>How far a wait is.</summary>
/// <param name="Holding">Members that have the release at every level the predicate reads of them.</param>
/// <param name="Total">Members that the predicate names, without the discounted ones.</param>
/// <param name="Behind">Names of up to <see cref="NamesMax"/> that do not have it, by node id.</param>
internal sealed record FrontierWaitProgress(int Holding, int Total, IReadOnlyList<string> Behind)
{
    /// <summary>The most names listed.</summary>
    public const int NamesMax = 10;
}
