using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Converts failures to PowerShell errors: an id is <c>Ripple.</c> plus the stable code, and never changes its meaning.</summary>
internal static class ErrorCodes
{
    public const string NotConnected = "not_connected";
    public const string InvalidConnection = "invalid_connection";
    public const string InvalidValue = "invalid_value";
    public const string Unreadable = "unreadable";
    public const string Unwritable = "unwritable";
    public const string CannotHold = "cannot_hold";
    public const string TimedOut = "timed_out";
    public const string Unreachable = "unreachable";
    public const string NoMembers = "no_members";
    public const string WaitFailed = "wait_failed";
    public const string InvalidArchive = "invalid_archive";

    public static ErrorRecord Record(Exception failure, object? target)
    {
        string code = failure switch
        {
            RippleAdminException { Failure: AdminFailure.Refused, Problem: null } => ProblemCodes.InvalidRequest,
            RippleAdminException e => e.Code,
            CmdletException e => e.Code,
            _ => ProblemCodes.Internal,
        };
        var record = new ErrorRecord(failure, Id(code), Category(code), target);
        string shown = ShownText.Lines(failure.Message);
        if (shown != failure.Message)
        {
            // Shown instead of the exception's message, which may have a node's words.
            record.ErrorDetails = new ErrorDetails(shown);
        }

        return record;
    }

    public static string Id(string code) => $"Ripple.{code}";

    public static ErrorCategory Category(string code) => code switch
    {
        ProblemCodes.Unauthenticated => ErrorCategory.AuthenticationError,
        ProblemCodes.NotAllowed => ErrorCategory.PermissionDenied,
        ProblemCodes.UnknownApplication or ProblemCodes.NotFound or NoMembers => ErrorCategory.ObjectNotFound,
        ProblemCodes.InvalidRequest or ProblemCodes.InvalidPredicate or InvalidConnection => ErrorCategory.InvalidArgument,
        ProblemCodes.InvalidJson or ProblemCodes.EditRefused or InvalidValue or InvalidArchive => ErrorCategory.InvalidData,
        ProblemCodes.AlreadyExists => ErrorCategory.ResourceExists,
        ProblemCodes.NothingChanged or ProblemCodes.PublishIdReused or ProblemCodes.WrongExpectedRelease or ProblemCodes.EditConflict
            or CannotHold or WaitFailed => ErrorCategory.InvalidOperation,
        ProblemCodes.TooLarge => ErrorCategory.LimitsExceeded,
        ProblemCodes.Busy => ErrorCategory.ResourceBusy,
        ProblemCodes.StoreDamaged => ErrorCategory.InvalidData,
        ProblemCodes.StoreFailed => ErrorCategory.ResourceUnavailable,
        ProblemCodes.NotLeader => ErrorCategory.ResourceUnavailable,
        Unreachable or NotConnected => ErrorCategory.ConnectionError,
        Unreadable => ErrorCategory.ReadError,
        Unwritable => ErrorCategory.WriteError,
        TimedOut => ErrorCategory.OperationTimeout,
        _ => ErrorCategory.NotSpecified,
    };
}

/// <summary>A failure detected by a cmdlet itself. The message says what was wrong and where, and what to do.</summary>
/// <param name="code">The stable code, without the prefix <c>Ripple.</c></param>
/// <param name="message">The message, for display.</param>
/// <param name="innerException">The cause; null if there is none.</param>
internal sealed class CmdletException(string code, string message, Exception? innerException = null) : Exception(message, innerException)
{
    public string Code { get; } = code;
}
