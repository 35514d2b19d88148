using Ripple.Admin.Contracts;

namespace Ripple.Admin.Git;

/// <summary>The source in a git repository, and the target of an import. Immutable.</summary>
public sealed record GitImportOptions
{
    /// <summary>A folder in the repository, or a bare repository.</summary>
    public required string Repository { get; init; }

    /// <summary>The file, relative to <see cref="Repository"/>, with slashes.</summary>
    public required string Path { get; init; }

    /// <summary>The application whose releases the commits become.</summary>
    public required string Application { get; init; }

    /// <summary>The key that receives the file; null for <see cref="Path"/> unchanged.</summary>
    public string? Key { get; init; }

    /// <summary>The end of the history to import: a branch, a tag or a commit. Default <c>HEAD</c>.</summary>
    public string Reference { get; init; } = "HEAD";

    /// <summary>
    /// If true, imports only the first-parent history of the branch, with each merge as one commit. If false (the default), imports every
    /// commit that changed the file, including those of merged branches, each after its parents.
    /// </summary>
    public bool IsFirstParentOnly { get; init; }

    /// <summary>
    /// If true, the history is released though nodes run that take the application. Each state of it is in effect there while it is the
    /// newest, for as long as the import takes to get on. If false (the default), an import of more than one commit is refused then.
    /// </summary>
    public bool Replays { get; init; }

    /// <summary>
    /// If true, a commit whose file the host refuses as <see cref="ProblemCodes.InvalidJson"/> is skipped and counted. If false (the
    /// default), it ends the import.
    /// </summary>
    public bool SkipsInvalid { get; init; }
}
