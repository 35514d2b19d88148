using System.Diagnostics;
using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;
using PublishResult = Ripple.Admin.Contracts.PublishResult;

namespace Ripple.Gms.Api;

/// <summary>Publish and rollback, for real or as a plan.</summary>
internal static class ChangeRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        Describe(group.MapPost("/applications/{application}/releases", PublishAsync), "Publishes key changes as one release; with dryRun, says what it would do");
        Describe(group.MapPost("/applications/{application}/rollback", RollbackAsync), "Makes the state of a past release the newest; with dryRun, says what it would do");

        static void Describe(RouteHandlerBuilder route, string summary) => route.WithSummary(summary)
            .Produces<PublishResult>(StatusCodes.Status201Created)
            .Produces<PublishPlan>()
            .ProducesProblem(StatusCodes.Status409Conflict)
            .ProducesProblem(StatusCodes.Status412PreconditionFailed)
            .ProducesProblem(StatusCodes.Status413PayloadTooLarge)
            .LimitAs(RequestCost.Change)
            .RequireRole(AccessRole.Publisher);
    }

    private static async Task<IResult> PublishAsync(ApiContext api, HttpContext context, string application, PublishRequest request, bool dryRun = false)
    {
        var headers = ChangeHeaders.Of(context.Request);
        var input = new PublishInput(application, headers.PublishId, headers.ExpectedRelease, request.Note ?? string.Empty, [.. Keys(request)]);
        using Activity? activity = ApiActivities.Begin(context, dryRun ? "ripple.plan" : "ripple.publish", application);
        PreparedPublish prepared = await api.Door.PrepareAsync(input with { Trace = ApiActivities.TraceOf(activity, context) }).ConfigureAwait(false);
        return dryRun
            ? TypedResults.Ok(await PlanAsync(api, application, headers, prepared).ConfigureAwait(false))
            : await CommitAsync(api, context, application, headers, prepared).ConfigureAwait(false);
    }

    private static async Task<IResult> RollbackAsync(ApiContext api, HttpContext context, string application, RollbackRequest request, bool dryRun = false)
    {
        var headers = ChangeHeaders.Of(context.Request);
        (uint topic, _) = await api.Door.StateAsync(application).ConfigureAwait(false);
        if (ReleaseNames.CheckNote(request.Note) is { } wrong)
        {
            throw ApiProblemException.Invalid(wrong);
        }

        StateRecord past = await api.Store.ReadAsync<StateRecord?>(done => api.Store.ReadState(topic, request.ToRelease, done)).ConfigureAwait(false) is { } found && request.ToRelease > 0
            ? found
            : throw ApiProblemException.NotFound(string.Create(CultureInfo.InvariantCulture, $"'{application}' has no release {request.ToRelease} to go back to. Look at its history."));
        var rollback = new Rollback(0, application, headers.PublishId, request.ToRelease, headers.ExpectedRelease, request.Note ?? string.Empty);
        using Activity? activity = ApiActivities.Begin(context, dryRun ? "ripple.plan" : "ripple.rollback", application);
        TraceContext? trace = ApiActivities.TraceOf(activity, context);
        PreparedPublish prepared = RollbackPlan.Make(rollback, past);
        prepared = prepared with { Input = prepared.Input with { Trace = trace } };
        return dryRun
            ? TypedResults.Ok(await PlanAsync(api, application, headers, prepared).ConfigureAwait(false))
            : await CommitAsync(api, context, application, headers, prepared).ConfigureAwait(false);
    }

    private static async Task<Created<PublishResult>> CommitAsync(ApiContext api, HttpContext context, string application, ChangeHeaders headers, PreparedPublish prepared)
    {
        PublishAnswer answer = await api.Door.PublishAsync(application, prepared, Caller.Of(context).Actor).WaitAsync(context.RequestAborted).ConfigureAwait(false);
        if (answer.Code != ErrorCode.None)
        {
            throw new ApiProblemException(answer.Code, answer.Text, answer.Code == ErrorCode.WrongExpectedRelease ? answer.Release : null);
        }

        string release = answer.Release.ToString(CultureInfo.InvariantCulture);
        context.Response.Headers.ETag = $"\"{release}\"";
        return TypedResults.Created(
            $"{AdminRoutes.Prefix}/applications/{application}/releases/{release}",
            new PublishResult(application, answer.Generation, answer.Release, answer.Id.ToString(), headers.PublishId));
    }

    private static async Task<PublishPlan> PlanAsync(ApiContext api, string application, ChangeHeaders headers, PreparedPublish prepared)
    {
        (_, ReleaseState newest) = await api.Door.StateAsync(application).ConfigureAwait(false);
        if (headers.ExpectedRelease != PublishBegin.AnyRelease && headers.ExpectedRelease != newest.Release)
        {
            throw new ApiProblemException(
                ErrorCode.WrongExpectedRelease,
                string.Create(CultureInfo.InvariantCulture, $"The newest release of '{application}' is {newest.Release}, not {headers.ExpectedRelease}. Read it, and plan again on top of it."),
                newest.Release);
        }

        SortedDictionary<string, KeyEntry> after = new(newest.Keys.ToDictionary(k => k.Key, k => k.Value), KeyOrder.Instance);
        foreach (KeyChange change in prepared.ChangesOn?.Invoke(newest) ?? prepared.Changes)
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
            application, newest.Release, Mapping.Changes(newest.Keys, after), [.. (await api.Door.MembersAsync(application).ConfigureAwait(false)).Select(Mapping.Name).OrderBy(n => n.Name, StringComparer.Ordinal)]);
    }

    private static IEnumerable<PublishInputKey> Keys(PublishRequest request)
    {
        foreach (KeyValue set in request.Set ?? [])
        {
            if (set is null || set.Text is null == set.Bytes is null)
            {
                throw ApiProblemException.Invalid($"The key '{set?.Key}' has {(set?.Text is null ? "no value" : "two values")}. Give its value as one of text and bytes (base64).");
            }

            yield return new PublishInputKey(set.Key, set.Bytes ?? Encoding.UTF8.GetBytes(set.Text!));
        }

        foreach (string key in request.Remove ?? [])
        {
            yield return new PublishInputKey(key, null);
        }
    }
}
