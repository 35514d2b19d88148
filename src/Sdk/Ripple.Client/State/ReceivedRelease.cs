namespace Ripple.Client.State;

/// <summary>The newest release that a process has whole, in effect or not. Immutable.</summary>
/// <param name="Release">The release; 0 for none.</param>
/// <param name="UndecidedSince">Since when, by the timestamp of the client's clock, a release waits for a decision of this process; null
/// while none does.</param>
internal sealed record ReceivedRelease(ulong Release, long? UndecidedSince)
{
    /// <summary>Whether it is rejected, none was accepted, and a past one is looked for.</summary>
    public bool IsSearching { get; init; }
}
