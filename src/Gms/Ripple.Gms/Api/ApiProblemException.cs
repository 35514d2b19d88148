using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol;
using Ripple.Gms.Store;

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

/// <summary>Turns every failure into problem details: no response has an empty error body or a stack trace.</summary>
internal static class ProblemPipeline
{
    public static async Task RunAsync(HttpContext context, RequestDelegate next, ApiContext api, RefusedBodies refused)
    {
        await AnswerAsync(context, next, api).ConfigureAwait(false);
        if (context.Response.StatusCode >= StatusCodes.Status400BadRequest)
        {
            await refused.TakeAsync(context).ConfigureAwait(false);
        }
    }

    private static async Task AnswerAsync(HttpContext context, RequestDelegate next, ApiContext api)
    {
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.XContentTypeOptions = "nosniff";
        try
        {
            await next(context).ConfigureAwait(false);
            if (context.Response is { HasStarted: false, StatusCode: >= 400, ContentLength: null, ContentType: null })
            {
                await WriteAsync(context, Of(context.Response.StatusCode)).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            // The client is gone; there is no one to answer.
        }
        catch (Exception e) when (context.Response.HasStarted)
        {
            // A partial response must not look like a complete one.
            api.OnFault($"{context.Request.Method} {context.Request.Path}", e);
            context.Abort();
        }
        catch (Exception e)
        {
            Problem problem = Describe(e);
            if (problem.Code is ProblemCodes.Internal or ProblemCodes.StoreFailed)
            {
                api.OnFault($"{context.Request.Method} {context.Request.Path}", e);
            }

            context.Response.Headers.Remove("ETag");
            await WriteAsync(context, problem).ConfigureAwait(false);
        }
    }

    public static async Task WriteAsync(HttpContext context, Problem problem)
    {
        context.Response.StatusCode = problem.Status;
        if (problem.Status == StatusCodes.Status401Unauthorized)
        {
            context.Response.Headers.WWWAuthenticate = "Bearer";
        }
        else if (problem.Status == StatusCodes.Status503ServiceUnavailable)
        {
            context.Response.Headers.RetryAfter = "1";
        }

        JsonHttpResult<Problem> result = TypedResults.Json(problem, AdminJson.Default.Problem, "application/problem+json", problem.Status);
        await result.ExecuteAsync(context).ConfigureAwait(false);
    }

    public static Problem Describe(Exception exception) => exception switch
    {
        ApiProblemException refused => refused.Problem,
        BadHttpRequestException { StatusCode: StatusCodes.Status413PayloadTooLarge } => ApiProblemException.Make(
            ErrorCode.TooLarge,
            $"The request is larger than this host takes. The values of a publish have at most {AdminLimits.PublishBytesMax} bytes "
                + $"together; publish in parts."),
        BadHttpRequestException { InnerException: JsonException json } => ApiProblemException.Make(
            ErrorCode.InvalidRequest,
            $"The body is not what this takes: {json.Message} See the OpenAPI document at {AdminRoutes.Document}."),
        BadHttpRequestException bad =>
            ApiProblemException.Make(ErrorCode.InvalidRequest, $"{bad.Message} See the OpenAPI document at {AdminRoutes.Document}.") with
            {
                Status = bad.StatusCode,
            },
        StoreBusyException => ApiProblemException.Make(ErrorCode.Busy, "The host's store has too much waiting. Try again."),
        StoreFullException full => ApiProblemException.Make(ErrorCode.Busy, full.Message),
        StoreRuleException rule => ApiProblemException.Make(ErrorCode.AlreadyExists, rule.Message) with
        {
            Code = ProblemCodes.InvalidRequest,
            Title = "It cannot be done now",
        },
        StoreException => ApiProblemException.Make(
            ErrorCode.StoreFailed,
            "The host's store did not do it; the host's log says more. Try again, and tell who runs the host if it stays."),
        ObjectDisposedException => ApiProblemException.Make(
            ErrorCode.Busy, "The host stops. Ask another one, or again when it has started."),
        _ => ApiProblemException.Make(ErrorCode.None, "Internal error. The host's log says more: report it."),
    };

    private static Problem Of(int status) => status switch
    {
        StatusCodes.Status401Unauthorized => new Problem
        {
            Code = ProblemCodes.Unauthenticated,
            Title = "Unauthorized",
            Detail = "The request carries no credential that is good here. Send a token of this cluster that is neither revoked nor "
                + "expired as 'Authorization: Bearer <token>'.",
            Status = status,
        },
        StatusCodes.Status403Forbidden => ApiProblemException.Make(ErrorCode.NotAllowed, "The token does not allow this."),
        StatusCodes.Status404NotFound => ApiProblemException.Make(
            ErrorCode.NotFound, $"There is nothing at this path. See the OpenAPI document at {AdminRoutes.Document}."),
        StatusCodes.Status413PayloadTooLarge => ApiProblemException.Make(ErrorCode.TooLarge, "The request is larger than this host takes."),
        StatusCodes.Status503ServiceUnavailable => ApiProblemException.Make(ErrorCode.Busy, "The host has too much to do. Try again."),
        >= 500 => ApiProblemException.Make(ErrorCode.None, "Internal error. The host's log says more.") with { Status = status },
        _ => ApiProblemException.Make(
            ErrorCode.InvalidRequest,
            $"The request is not one this host takes here. See the OpenAPI document at {AdminRoutes.Document}.") with
        {
            Status = status,
        },
    };
}
