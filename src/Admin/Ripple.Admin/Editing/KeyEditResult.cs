using Ripple.Admin.Contracts;

namespace Ripple.Admin.Editing;

/// <summary>What an edit of a key did.</summary>
/// <param name="Release">The release that has the value: the one that was published, or, if nothing changed, the one that was read.</param>
/// <param name="Published">The release that was published; null if nothing changed.</param>
/// <param name="Tries">How often it was published: 1, and one more for each release of others that came between; 0 if nothing
/// changed.</param>
/// <param name="Before">The JSON text of the value that was at the place; null if there was none.</param>
/// <param name="After">The JSON text of the value that is at the place; null if there is none.</param>
public sealed record KeyEditResult(ReleaseNumber Release, PublishResult? Published, int Tries, string? Before, string? After);
