using Ripple.Admin.Contracts;

namespace Ripple.Admin.Editing;

/// <summary>What another changed at the place of an edit, on its way to it, or in an array that it goes through.</summary>
/// <param name="Pointer">The place that changed: that of the edit, or one above it.</param>
/// <param name="Before">The JSON text that was there when the edit began; null if nothing was.</param>
/// <param name="Now">The JSON text that is there now; null if nothing is.</param>
/// <param name="Release">The release at which it was read last; null if the key was gone.</param>
public sealed record KeyEditConflict(string Pointer, string? Before, string? Now, ReleaseNumber? Release);
