namespace Ripple.Admin.Git;

/// <summary>The progress of an import.</summary>
/// <param name="Done">The number of commits processed, including those of earlier runs.</param>
/// <param name="Total">The total number of commits.</param>
/// <param name="Commit">The commit processed last; null before the first.</param>
/// <param name="Release">The release made from it; null if none.</param>
public sealed record GitImportProgress(int Done, int Total, GitCommit? Commit, ulong? Release);
