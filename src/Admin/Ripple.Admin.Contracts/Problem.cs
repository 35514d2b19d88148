namespace Ripple.Admin.Contracts;

/// <summary>Why a request was refused: problem details (RFC 9457) with a stable code.</summary>
public sealed record Problem
{
    /// <summary>One of <see cref="ProblemCodes"/>.</summary>
    public required string Code { get; init; }

    /// <summary>A short description.</summary>
    public required string Title { get; init; }

    /// <summary>What was wrong and where, and what to do.</summary>
    public string Detail { get; init; } = string.Empty;

    /// <summary>The HTTP status.</summary>
    public int Status { get; init; }

    /// <summary>The newest release of the application, if a different one was expected; otherwise null.</summary>
    public ulong? NewestRelease { get; init; }

    /// <summary>The generation of that release, if a different one was expected; otherwise null.</summary>
    public uint? NewestGeneration { get; init; }
}
