namespace Ripple.Engine.Rings;

/// <summary>How far a member is in one stream.</summary>
/// <param name="Origin">The sender's incarnation.</param>
/// <param name="Contiguous">The highest sequence received with all owed before it.</param>
/// <param name="Highest">The highest sequence known to exist; never below <paramref name="Contiguous"/>.</param>
internal readonly record struct StreamProgress(ulong Origin, ulong Contiguous, ulong Highest);
