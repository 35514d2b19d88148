namespace Ripple.Admin.Git;

/// <summary>What an import did.</summary>
/// <param name="Application">The application.</param>
/// <param name="Key">The key.</param>
/// <param name="Total">Commits that changed the file.</param>
/// <param name="Released">Releases made by this run.</param>
/// <param name="Resumed">Commits that earlier runs were done with.</param>
/// <param name="Unchanged">Commits that left the value as it was.</param>
/// <param name="Invalid">Commits passed over because their file is not JSON.</param>
/// <param name="FirstRelease">The first release of this run; null when there was none.</param>
/// <param name="LastRelease">The last release of this run; null when there was none.</param>
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
