namespace Ripple.Admin.Git;

/// <summary>The result of an import.</summary>
/// <param name="Application">The application.</param>
/// <param name="Key">The key.</param>
/// <param name="Total">The number of commits that changed the file.</param>
/// <param name="Released">The number of releases made by this run.</param>
/// <param name="Resumed">The number of commits processed by earlier runs.</param>
/// <param name="Unchanged">The number of commits that did not change the value.</param>
/// <param name="Invalid">The number of commits skipped because their file is not JSON.</param>
/// <param name="FirstRelease">The first release of this run; null if there was none.</param>
/// <param name="LastRelease">The last release of this run; null if there was none.</param>
public sealed record GitImportResult(
    string Application,
    string Key,
    int Total,
    int Released,
    int Resumed,
    int Unchanged,
    int Invalid,
    ulong? FirstRelease,
    ulong? LastRelease);
