namespace Ripple.Engine.Frontier;

/// <summary>A release that a member refused to put into effect.</summary>
/// <param name="Release">The release.</param>
/// <param name="Reason">The reason, in at most <see cref="FrontierRow.ReasonCharsMax"/> characters.</param>
internal readonly record struct FrontierRejection(ulong Release, string Reason);
