namespace Ripple.Gms.Frontier.Monitors;

/// <summary>
/// How far a predicate has come. Points of a monitor never go back in the order of (generation, version, release): a stricter predicate has
/// a greater version, and may show an older release.
/// </summary>
/// <param name="Generation">The generation of the release.</param>
/// <param name="Version">The version of the predicate; 0 if it was given as text.</param>
/// <param name="Release">The newest release for which it holds; 0 for none.</param>
/// <param name="Problem">Why it cannot be evaluated now, as with nobody there that it names; null if it can.</param>
internal readonly record struct FrontierPoint(uint Generation, ulong Version, ulong Release, string? Problem)
{
    /// <summary>Whether it is beyond another point.</summary>
    public bool IsBeyond(FrontierPoint other) =>
        (Generation, Version, Release).CompareTo((other.Generation, other.Version, other.Release)) > 0;
}

/// <summary>
/// Somebody who follows a predicate. Disposing of it ends it without another word; does nothing when it has ended. Core thread.
/// </summary>
/// <param name="owner">The monitors of the application.</param>
/// <param name="name">The name by which it follows a predicate; null if it gave the text.</param>
/// <param name="lease">What it costs.</param>
/// <param name="onPoint">Called with each point, from the core's looks.</param>
/// <param name="onEnded">Called once, with the reason, if the host ends it.</param>
internal sealed class FrontierMonitor(
    FrontierMonitors owner, string? name, WaitLedger.Lease lease, Action<FrontierPoint> onPoint, Action<Refusal> onEnded) : IDisposable
{
    private FrontierPoint? _last;

    /// <summary>The name by which it follows a predicate; null if it gave the text.</summary>
    public string? Name => name;

    /// <summary>The version of the predicate.</summary>
    public ulong Version { get; set; }

    /// <summary>What it costs.</summary>
    public WaitLedger.Lease Lease => lease;

    /// <summary>True once it has ended.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Tells a point if it is beyond the last, or if why it cannot be evaluated came or went.</summary>
    public void Tell(uint generation, ulong release, string? problem)
    {
        var point = new FrontierPoint(generation, Version, release, problem);
        if (_last is { } last && !point.IsBeyond(last))
        {
            if (last.Problem is null == problem is null)
            {
                return;
            }

            point = last with { Problem = problem };
        }

        _last = point;
        onPoint(point);
    }

    /// <summary>Ends it with a reason.</summary>
    public void End(Refusal refusal)
    {
        if (!IsEnded)
        {
            Dispose();
            onEnded(refusal);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!IsEnded)
        {
            IsEnded = true;
            lease.Dispose();
            owner.OnEnded();
        }
    }
}
