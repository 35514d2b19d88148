using System.Globalization;
using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Hosting;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Store;
using Progress = Ripple.Admin.Contracts.WaitProgress;
using Result = Ripple.Admin.Contracts.WaitResult;

namespace Ripple.Gms.Api;

/// <summary>
/// The wait route: a long-running request that reports progress as server-sent events, or answers once at the end for clients that do not
/// accept events.
/// </summary>
internal static class WaitRoutes
{
    public static void Map(RouteGroupBuilder group) =>
        group.MapGet("/applications/{application}/waits", WaitAsync)
            .WithSummary("Waits until a predicate holds for a release; with 'Accept: text/event-stream', tells its progress as events")
            .Produces<Result>()
            .Produces(StatusCodes.Status200OK, contentType: "text/event-stream")
            .LimitAs(RequestCost.Wait)
            .RequireRole(AccessRole.Node);

    private static async Task WaitAsync(
        ApiContext api,
        HttpContext context,
        IHostApplicationLifetime lifetime,
        string application,
        ulong release,
        string predicate = "MIN($ALL.applied)",
        int timeoutSeconds = 60,
        bool countLeft = false,
        uint generation = 0)
    {
        if (timeoutSeconds is < 1 or > AdminLimits.WaitSecondsMax)
        {
            throw ApiProblemException.Invalid(
                string.Create(
                    CultureInfo.InvariantCulture, $"timeoutSeconds is {timeoutSeconds}; give 1 to {AdminLimits.WaitSecondsMax}."));
        }

        using var ended = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, lifetime.ApplicationStopping);
        // Only the newest progress matters: a slow reader may miss steps.
        Channel<object> told = Channel.CreateBounded<object>(
            new BoundedChannelOptions(16) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true });
        var wait = new Wait(0, application, generation, release, predicate, (uint)timeoutSeconds * 1_000, countLeft);
        Func<Task> end = await api.Gateway.BeginWaitAsync(
            ApiCaller.Of(context).ForCalls,
            wait,
            progress => told.Writer.TryWrite(Mapping.Progress(progress)),
            result =>
            {
                told.Writer.TryWrite(Mapping.Result(result));
                told.Writer.TryComplete();
            }).ConfigureAwait(false);
        var right = new WaitRight(api, ApiCaller.Of(context).Token.Id, application);
        try
        {
            if (context.Request.GetTypedHeaders().Accept.Any(a => a.MediaType == "text/event-stream"))
            {
                context.Response.ContentType = "text/event-stream";
                await SseFormatter.WriteAsync(
                    EventsAsync(told.Reader, right, ended.Token), context.Response.Body, ended.Token).ConfigureAwait(false);
                return;
            }

            object? item;
            do
            {
                item = await EventStream.NextAsync(told.Reader, right, ended.Token).ConfigureAwait(false);
            }
            while (item is not Result);

            await context.Response.WriteAsJsonAsync(
                (Result)item, AdminJson.Default.WaitResult, cancellationToken: ended.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (lifetime.ApplicationStopping.IsCancellationRequested)
        {
            context.Abort();
        }
        finally
        {
            await end().ConfigureAwait(false);
        }
    }

    private static async IAsyncEnumerable<SseItem<string>> EventsAsync(
        ChannelReader<object> told, WaitRight right, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var last = new Progress(0, 0);
        while (true)
        {
            (object? item, Problem? problem) = await EventStream.NextOrProblemAsync(told, right, cancellationToken).ConfigureAwait(false);
            if (problem is not null)
            {
                yield return EventStream.Of(problem);
                yield break;
            }

            switch (item)
            {
                case Result result:
                    yield return new SseItem<string>(
                        JsonSerializer.Serialize(result, AdminJson.Default.WaitResult), AdminRoutes.ResultEvent);
                    yield break;
                case Progress progress:
                    last = progress;
                    break;
            }

            yield return new SseItem<string>(JsonSerializer.Serialize(last, AdminJson.Default.WaitProgress), AdminRoutes.ProgressEvent);
        }
    }
}
