using Ripple.Admin.Contracts;
using Ripple.Admin.Editing;

namespace Ripple.Admin;

/// <summary>A failed call. The message says what was wrong and where, and what to do.</summary>
public sealed class RippleAdminException : Exception
{
    /// <summary>Creates an exception with a default message.</summary>
    public RippleAdminException()
        : this(AdminFailure.Internal, "The call failed.")
    {
    }

    /// <summary>Creates an exception with a message.</summary>
    public RippleAdminException(string message)
        : this(AdminFailure.Internal, message)
    {
    }

    /// <summary>Creates an exception with a message and its cause.</summary>
    public RippleAdminException(string message, Exception innerException)
        : this(AdminFailure.Internal, message, innerException)
    {
    }

    /// <summary>Creates an exception.</summary>
    /// <param name="failure">The kind of failure.</param>
    /// <param name="message">What was wrong and where, and what to do.</param>
    /// <param name="innerException">The cause; null if there is none.</param>
    public RippleAdminException(AdminFailure failure, string message, Exception? innerException = null)
        : base(message, innerException) => Failure = failure;

    /// <summary>Creates an exception from a host's answer.</summary>
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

    /// <summary>Creates an exception for an edit whose place was changed by another.</summary>
    internal RippleAdminException(Problem problem, KeyEditConflict conflict)
        : this(problem) => EditConflict = conflict;

    /// <summary>The kind of failure.</summary>
    public AdminFailure Failure { get; }

    /// <summary>The problem reported by the host; null if no host answered.</summary>
    public Problem? Problem { get; }

    /// <summary>The stable code: one of <see cref="ProblemCodes"/>, or <c>unreachable</c>.</summary>
    public string Code => Problem?.Code ?? (Failure == AdminFailure.Unreachable ? "unreachable" : ProblemCodes.Internal);

    /// <summary>The newest release, if a different one was expected; otherwise null.</summary>
    public ulong? NewestRelease => Problem?.NewestRelease;

    /// <summary>The generation of that release, if a different one was expected; otherwise null.</summary>
    public uint? NewestGeneration => Problem?.NewestGeneration;

    /// <summary>What another changed meanwhile, if the code is <see cref="ProblemCodes.EditConflict"/>; otherwise null.</summary>
    public KeyEditConflict? EditConflict { get; }
}
