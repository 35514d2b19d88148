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
            [.. outline.Members.Select(Mapping.Name).OrderBy(n => n.Name, StringComparer.Ordinal)]);
    }
}
