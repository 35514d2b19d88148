using Ripple.Admin.Contracts;

namespace Ripple.Admin;

/// <summary>A call that failed. The message says what was wrong, where, and what to do.</summary>
public sealed class RippleAdminException : Exception
{
    /// <summary>Makes one.</summary>
    public RippleAdminException()
        : this(AdminFailure.Internal, "The call failed.")
    {
    }

    /// <summary>Makes one.</summary>
    public RippleAdminException(string message)
        : this(AdminFailure.Internal, message)
    {
    }

    /// <summary>Makes one.</summary>
    public RippleAdminException(string message, Exception innerException)
        : this(AdminFailure.Internal, message, innerException)
    {
    }

    /// <summary>Makes one.</summary>
    /// <param name="failure">The kind.</param>
    /// <param name="message">What was wrong, where, and what to do.</param>
    /// <param name="innerException">What is behind it; null when nothing.</param>
    public RippleAdminException(AdminFailure failure, string message, Exception? innerException = null)
        : base(message, innerException) => Failure = failure;

    /// <summary>Makes one of a host's answer.</summary>
    public RippleAdminException(Problem problem)
        : base(problem is null ? "The call failed." : problem.Detail.Length > 0 ? problem.Detail : problem.Title)
    {
        ArgumentNullException.ThrowIfNull(problem);
        Problem = problem;
        Failure = problem.Code switch
        {
            ProblemCodes.Unauthenticated or ProblemCodes.NotAllowed => AdminFailure.Unauthorised,
            ProblemCodes.Internal => AdminFailure.Internal,
            _ => AdminFailure.Refused,
        };
    }

    /// <summary>The kind.</summary>
    public AdminFailure Failure { get; }

    /// <summary>The host's own words; null when no host answered.</summary>
    public Problem? Problem { get; }

    /// <summary>The stable code: one of <see cref="ProblemCodes"/>, or <c>unreachable</c>.</summary>
    public string Code => Problem?.Code ?? (Failure == AdminFailure.Unreachable ? "unreachable" : ProblemCodes.Internal);

    /// <summary>The newest release, where another was expected; null otherwise.</summary>
    public ulong? NewestRelease => Problem?.NewestRelease;
}
