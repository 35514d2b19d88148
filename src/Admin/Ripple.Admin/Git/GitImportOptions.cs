using Ripple.Admin.Contracts;

namespace Ripple.Admin.Git;

/// <summary>What to import from a git repository, and where to. Immutable.</summary>
public sealed record GitImportOptions
{
    /// <summary>A folder in the repository, or a bare repository.</summary>
    public required string Repository { get; init; }

    /// <summary>The file, relative to <see cref="Repository"/>, with slashes.</summary>
    public required string Path { get; init; }

    /// <summary>The application whose releases the commits become.</summary>
    public required string Application { get; init; }

    /// <summary>The key that holds the file; null: <see cref="Path"/> as it stands.</summary>
    public string? Key { get; init; }

    /// <summary>Where the history ends: a branch, a tag or a commit. Default <c>HEAD</c>.</summary>
    public string Reference { get; init; } = "HEAD";

    /// <summary>
    /// True: only what the branch itself went through, a merge as one commit. False: every commit that changed the file, also those of
    /// merged branches, each after its parents. Default false.
    /// </summary>
    public bool IsFirstParentOnly { get; init; }

    /// <summary>
    /// True: a commit whose file the host refuses as <see cref="ProblemCodes.InvalidJson"/> is passed over and counted. False: it ends the
    /// import. Default false.
    /// </summary>
    public bool SkipsInvalid { get; init; }
}
