namespace Ripple.Engine.Rings;

/// <summary>A member's progress in one stream.</summary>
/// <param name="Origin">The sender's incarnation.</param>
/// <param name="Contiguous">The highest sequence received along with all owed before it.</param>
/// <param name="Highest">The highest sequence known to exist; never below <paramref name="Contiguous"/>.</param>
internal readonly record struct StreamProgress(ulong Origin, ulong Contiguous, ulong Highest);
