using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Hosting;
using Ripple.Admin.Contracts;
using Ripple.Gms.Frontier.Monitors;
using Ripple.Gms.Store;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Api;

/// <summary>
/// The monitor route: server-sent events, a point each, until the caller goes. One point waits for a slow reader, the newest; after a
/// period of silence the last is repeated.
/// </summary>
internal static class MonitorRoutes
{
    public static void Map(RouteGroupBuilder group) =>
        group.MapGet("/applications/{application}/monitor", FollowAsync)
            .WithSummary("Follows a predicate, or the name of one: the newest release for which it holds, as events")
            .Produces(StatusCodes.Status200OK, contentType: "text/event-stream")
            .LimitAs(RequestCost.Wait)
            .RequireRole(AccessRole.Node);

    private static async Task FollowAsync(
        ApiContext api, HttpContext context, IHostApplicationLifetime lifetime, string application, string predicate)
    {
        Channel<object> told = Channel.CreateBounded<object>(
            new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true });
        Func<Task> end = await api.Gateway.FollowAsync(
            ApiCaller.Of(context).ForCalls,
            new Monitor(0, application, predicate),
            point => told.Writer.TryWrite(Of(point)),
            refusal => told.Writer.TryComplete(new ApiProblemException(refusal))).ConfigureAwait(false);
        var right = new WaitRight(api, ApiCaller.Of(context).Token.Id, application);
        await EventStream.WriteAsync(context, lifetime, ended => EventsAsync(told.Reader, right, ended), end).ConfigureAwait(false);
    }

    private static async IAsyncEnumerable<SseItem<string>> EventsAsync(
        ChannelReader<object> told, WaitRight right, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        MonitorPoint? last = null;
        while (true)
        {
            (object? item, Problem? problem) = await EventStream.NextOrProblemAsync(told, right, cancellationToken).ConfigureAwait(false);
            if (problem is not null)
            {
                yield return EventStream.Of(problem);
                yield break;
            }

            last = item as MonitorPoint ?? last;
            if (last is not null)
            {
                yield return new SseItem<string>(JsonSerializer.Serialize(last, AdminJson.Default.MonitorPoint), AdminRoutes.PointEvent);
            }
        }
    }

    private static MonitorPoint Of(FrontierPoint point) =>
        new() { Generation = point.Generation, Version = point.Version, Release = point.Release, Problem = point.Problem };
}
