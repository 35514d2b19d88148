using System.Diagnostics;
using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;
using PublishResult = Ripple.Admin.Contracts.PublishResult;

namespace Ripple.Gms.Api;

/// <summary>Routes for publish and rollback, each also as a dry run.</summary>
internal static class ChangeRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        Describe(
            group.MapPost("/applications/{application}/releases", PublishAsync).Accepts<PublishRequest>("application/json"),
            "Publishes key changes as one release; with dryRun, says what it would do");
        Describe(
            group.MapPost("/applications/{application}/rollback", RollbackAsync),
            "Makes the state of a past release the newest; with dryRun, says what it would do");

        static void Describe(RouteHandlerBuilder route, string summary) => route.WithSummary(summary)
            .Produces<PublishResult>(StatusCodes.Status201Created)
            .Produces<PublishPlan>()
            .ProducesProblem(StatusCodes.Status409Conflict)
            .ProducesProblem(StatusCodes.Status412PreconditionFailed)
            .ProducesProblem(StatusCodes.Status413PayloadTooLarge)
            .LimitAs(RequestCost.Change)
            .RequireRole(AccessRole.Publisher);
    }

    private static async Task<IResult> PublishAsync(
        ApiContext api, HttpContext context, string application, PublishBody body, bool dryRun = false)
    {
        var headers = ChangeHeaders.Of(context.Request);
        Caller caller = ApiCaller.Of(context).ForCalls;
        var input = new PublishInput(application, headers.PublishId, headers.Expected, body.Note, body.Keys);
        using Activity? activity = ApiActivities.Begin(context, dryRun ? "ripple.plan" : "ripple.publish", application);
        input = input with { Trace = ApiActivities.TraceOf(activity, context) };
        return dryRun
            ? TypedResults.Ok(Plan(application, await api.Gateway.PlanAsync(caller, input).ConfigureAwait(false)))
            : Created(
                context,
                application,
                headers,
                await api.Gateway.PublishAsync(caller, input).WaitAsync(context.RequestAborted).ConfigureAwait(false));
    }

    private static async Task<IResult> RollbackAsync(
        ApiContext api, HttpContext context, string application, RollbackRequest request, bool dryRun = false)
    {
        var headers = ChangeHeaders.Of(context.Request);
        Caller caller = ApiCaller.Of(context).ForCalls;
        var rollback = new Rollback(
            0, application, headers.PublishId, request.ToRelease, headers.Expected, request.Note ?? string.Empty);
        using Activity? activity = ApiActivities.Begin(context, dryRun ? "ripple.plan" : "ripple.rollback", application);
        if (dryRun)
        {
            return TypedResults.Ok(Plan(application, await api.Gateway.PlanRollbackAsync(caller, rollback).ConfigureAwait(false)));
        }

        Task<PublishAnswer> answer = api.Gateway.RollbackAsync(caller, rollback, ApiActivities.TraceOf(activity, context));
        return Created(context, application, headers, await answer.WaitAsync(context.RequestAborted).ConfigureAwait(false));
    }

    private static Created<PublishResult> Created(HttpContext context, string application, ChangeHeaders headers, PublishAnswer answer)
    {
        string release = answer.Release.ToString(CultureInfo.InvariantCulture);
        context.Response.Headers.ETag = $"\"{new ReleaseNumber(answer.Generation, answer.Release)}\"";
        return TypedResults.Created(
            $"{AdminRoutes.Prefix}/applications/{application}/releases/{release}",
            new PublishResult(application, answer.Generation, answer.Release, answer.Id.ToString(), headers.PublishId));
    }

    private static PublishPlan Plan(string application, PublishOutline outline)
    {
        SortedDictionary<string, KeyEntry> after = new(outline.Newest.Keys.ToDictionary(k => k.Key, k => k.Value), KeyOrder.Instance);
        foreach (KeyChange change in outline.Changes)
        {
            if (change.Operation == KeyOperation.Set)
            {
                after[change.Key] = new KeyEntry(change.Digest, change.Length, change.Form);
            }
            else
            {
                after.Remove(change.Key);
            }
        }

        return new PublishPlan(
            application,
            outline.Newest.Release,
            Mapping.Changes(outline.Newest.Keys, after),
            [.. outline.Members.Select(Mapping.Name).OrderBy(n => n.Name, StringComparer.Ordinal)])
        {
            BaseGeneration = outline.Newest.Release > 0 ? outline.Newest.Generation : null,
        };
    }
}

/// <summary>The request headers of a change.</summary>
/// <param name="PublishId">The publisher's id for the change.</param>
/// <param name="Expected">The newest release that the publisher knows.</param>
internal readonly record struct ChangeHeaders(Guid PublishId, ExpectedState Expected)
{
    /// <exception cref="ApiProblemException">A header is invalid.</exception>
    public static ChangeHeaders Of(HttpRequest request) => new(ReadPublishId(request), ReadExpected(request));

    private static Guid ReadPublishId(HttpRequest request)
    {
        string? text = request.Headers[AdminRoutes.IdempotencyKeyHeader];
        return text is null
            ? Guid.NewGuid()
            : Guid.TryParse(text, out Guid id) && id != Guid.Empty
                ? id
                : throw ApiProblemException.Invalid(
                    $"{AdminRoutes.IdempotencyKeyHeader} '{text}' is not a GUID other than zero. "
                        + $"Make one for each change, and send it again when you ask again.");
    }

    private static ExpectedState ReadExpected(HttpRequest request)
    {
        string? text = request.Headers.IfMatch;
        if (text is null or "*")
        {
            return ExpectedState.Any;
        }

        return text.Length > 2
            && text[0] == '"'
            && text[^1] == '"'
            && ReleaseNumber.TryParse(text[1..^1], out ReleaseNumber expected)
            ? ExpectedState.Of(expected.Generation, expected.Release)
            : throw ApiProblemException.Invalid(
                $"If-Match '{text}' is not a release. Give the newest release you know as \"2/12\", with its generation, or \"12\" alone, "
                    + $"or \"0\" when there should be none yet.");
    }
}

/// <summary>The host's part of a distributed trace, from the caller's request to the nodes' handling of the release.</summary>
internal static class ApiActivities
{
    private static readonly ActivitySource Source = new("Ripple.Gms");

    /// <summary>Starts an activity under the caller's; null when there is no listener. The caller disposes of it.</summary>
    public static Activity? Begin(HttpContext context, string name, string application)
    {
        Activity? activity = Activity.Current is null
            && ActivityContext.TryParse(
                context.Request.Headers.TraceParent, context.Request.Headers.TraceState, isRemote: true, out ActivityContext parent)
            ? Source.StartActivity(name, ActivityKind.Server, parent)
            : Source.StartActivity(name);
        activity?.SetTag("ripple.application", application);
        return activity;
    }

    /// <summary>The trace context to attach to the release: this activity, or the caller's own when there is no listener here.</summary>
    public static TraceContext? TraceOf(Activity? activity, HttpContext context) =>
        TraceContext.TryParse(activity?.Id ?? context.Request.Headers.TraceParent);
}
