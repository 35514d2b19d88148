using Microsoft.AspNetCore.Http;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol;

namespace Ripple.Gms.Api;

/// <summary>A refused request; the pipeline turns it into problem details.</summary>
internal sealed class ApiProblemException : Exception
{
    public ApiProblemException(Problem problem)
        : base(problem.Detail) => Problem = problem;

    public ApiProblemException(ErrorCode code, string detail)
        : this(Make(code, detail))
    {
    }

    public ApiProblemException(Refusal refusal)
        : this(Make(refusal.Code, refusal.Text) with
        {
            NewestRelease = refusal.NewestRelease == 0 ? null : refusal.NewestRelease,
            NewestGeneration = refusal.NewestGeneration == 0 ? null : refusal.NewestGeneration,
        })
    {
    }

    public Problem Problem { get; }

    public static ApiProblemException Invalid(string detail) => new(ErrorCode.InvalidRequest, detail);

    public static ApiProblemException NotAllowed(string detail) => new(ErrorCode.NotAllowed, detail);

    public static ApiProblemException NotFound(string detail) => new(ErrorCode.NotFound, detail);

    public static Problem Make(ErrorCode code, string detail)
    {
        (string name, string title, int status) = code switch
        {
            ErrorCode.UnknownApplication =>
                (ProblemCodes.UnknownApplication, "There is no such application", StatusCodes.Status404NotFound),
            ErrorCode.NotAllowed => (ProblemCodes.NotAllowed, "Not allowed", StatusCodes.Status403Forbidden),
            ErrorCode.InvalidRequest => (ProblemCodes.InvalidRequest, "The request is not valid", StatusCodes.Status400BadRequest),
            ErrorCode.InvalidJson => (ProblemCodes.InvalidJson, "A value is not JSON", StatusCodes.Status400BadRequest),
            ErrorCode.WrongExpectedRelease =>
                (ProblemCodes.WrongExpectedRelease, "Another release is the newest", StatusCodes.Status412PreconditionFailed),
            ErrorCode.PublishIdReused =>
                (ProblemCodes.PublishIdReused, "The idempotency key was used for other content", StatusCodes.Status409Conflict),
            ErrorCode.TooLarge => (ProblemCodes.TooLarge, "Too large", StatusCodes.Status413PayloadTooLarge),
            ErrorCode.Busy => (ProblemCodes.Busy, "Too much to do", StatusCodes.Status503ServiceUnavailable),
            ErrorCode.StoreFailed => (ProblemCodes.StoreFailed, "The store failed", StatusCodes.Status503ServiceUnavailable),
            ErrorCode.StoreDamaged =>
                (ProblemCodes.StoreDamaged, "The store is damaged", StatusCodes.Status500InternalServerError),
            ErrorCode.NotFound => (ProblemCodes.NotFound, "Not found", StatusCodes.Status404NotFound),
            ErrorCode.InvalidPredicate => (ProblemCodes.InvalidPredicate, "The predicate is not valid", StatusCodes.Status400BadRequest),
            ErrorCode.AlreadyExists => (ProblemCodes.AlreadyExists, "It exists", StatusCodes.Status409Conflict),
            ErrorCode.NothingChanged => (ProblemCodes.NothingChanged, "Nothing would change", StatusCodes.Status409Conflict),
            _ => (ProblemCodes.Internal, "A fault of the host", StatusCodes.Status500InternalServerError),
        };
        return new Problem { Code = name, Title = title, Detail = detail, Status = status };
    }
}
