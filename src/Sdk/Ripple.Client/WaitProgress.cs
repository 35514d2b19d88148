namespace Ripple.Client;

/// <summary>The progress of a wait.</summary>
/// <param name="Holding">The number of members that have the release.</param>
/// <param name="Total">The number of members bound to the wait.</param>
public sealed record WaitProgress(int Holding, int Total);
