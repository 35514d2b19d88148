namespace Ripple.Client.State;

/// <summary>A release that this process rejects, newer than the one in effect. Immutable.</summary>
/// <param name="Release">The release.</param>
/// <param name="Reason">Why.</param>
internal sealed record StandingRejection(ulong Release, string Reason)
{
    /// <summary>The other releases that this process looked at and rejects, oldest first.</summary>
    public IReadOnlyList<StandingRejection> Others { get; init; } = [];
}
