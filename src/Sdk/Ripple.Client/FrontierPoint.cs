namespace Ripple.Client;

/// <summary>How far a predicate has come; see <see cref="IRippleClient.MonitorAsync"/>. Immutable.</summary>
/// <param name="Generation">The generation of the release.</param>
/// <param name="Version">The version of the predicate: grows when a name gets another one; 0 if it was given as text.</param>
/// <param name="Release">The newest release for which it holds; 0 for none.</param>
/// <param name="Problem">Why it cannot be evaluated now, for example because nobody is there that it names; null if it can.</param>
public sealed record FrontierPoint(uint Generation, ulong Version, ulong Release, string? Problem)
{
    /// <summary>Whether it comes after another point of the same monitor.</summary>
    internal bool IsNewsAfter(FrontierPoint last)
    {
        int order = (Generation, Version, Release).CompareTo((last.Generation, last.Version, last.Release));
        return order > 0 || (order == 0 && Problem != last.Problem);
    }
}
