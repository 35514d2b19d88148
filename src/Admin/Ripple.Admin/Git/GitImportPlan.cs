namespace Ripple.Admin.Git;

/// <summary>What an import would do now.</summary>
/// <param name="Application">The application.</param>
/// <param name="Key">The key.</param>
/// <param name="Total">The number of commits that changed the file.</param>
/// <param name="Resumed">The number of commits processed by earlier runs.</param>
/// <param name="Remaining">The number of commits to release.</param>
/// <param name="NodeCount">The number of nodes that take the application now.</param>
/// <param name="NeedsReplay">
/// Whether old states would be released to nodes that run, one after another: an import does that with
/// <see cref="GitImportOptions.Replays"/> alone.
/// </param>
public sealed record GitImportPlan(
    string Application, string Key, int Total, int Resumed, int Remaining, int NodeCount, bool NeedsReplay);
