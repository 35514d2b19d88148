namespace Ripple.Admin.Contracts;

/// <summary>How far a wait is.</summary>
/// <param name="Holding">Members that have the release.</param>
/// <param name="Total">Members the wait is bound to.</param>
public sealed record WaitProgress(int Holding, int Total);
