namespace Ripple.Admin.Git;

/// <summary>How far an import is.</summary>
/// <param name="Done">Commits that are done with, those of earlier runs among them.</param>
/// <param name="Total">Commits in all.</param>
/// <param name="Commit">The commit that was done last; null before the first.</param>
/// <param name="Release">The release it became; null when it became none.</param>
public sealed record GitImportProgress(int Done, int Total, GitCommit? Commit, ulong? Release);
