namespace Ripple.Engine.Releases;

/// <summary>Which past state is asked for.</summary>
/// <param name="Before">A release older than this one.</param>
/// <param name="IsMostApplied">Of those the one that most members have in effect; else the one right before it.</param>
internal readonly record struct PastQuestion(ulong Before, bool IsMostApplied);
