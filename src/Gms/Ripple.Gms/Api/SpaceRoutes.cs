using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Hosting;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol.Events;
using Ripple.Gms.Store;
using EmitStage = Ripple.Admin.Contracts.EmitStage;
using Stage = Ripple.Engine.Protocol.Events.EmitStage;

namespace Ripple.Gms.Api;

/// <summary>Routes for events by attributes. The space itself is a definition.</summary>
internal static class SpaceRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/applications/{application}/space/subscribers", ExplainAsync)
            .WithSummary("Who would get an event with these values: point=price=15,volume=1; what is not given is open")
            .RequireRole(AccessRole.Node);
        group.MapPost("/applications/{application}/events", EmitAsync)
            .WithSummary("Emits an event, and answers when it is accepted, matched or delivered")
            .LimitAs(RequestCost.Emit)
            .RequireRole(AccessRole.Publisher);
        group.MapGet("/applications/{application}/events", SubscribeAsync)
            .WithSummary(
                "Subscribes to the events in all of the ranges, where=price=10..20,volume=0..5: as server-sent events; block=true has "
                    + "emitters wait while they are read more slowly than they come")
            .Produces(StatusCodes.Status200OK, contentType: "text/event-stream")
            .LimitAs(RequestCost.Wait)
            .RequireRole(AccessRole.Node);
    }

    private static async Task<SpaceSubscribers> ExplainAsync(ApiContext api, HttpContext context, string application, string? point = null)
    {
        (int count, IReadOnlyList<SubscriptionView> first) = await api.Gateway.ExplainSpaceAsync(
            ApiCaller.Of(context).ForCalls, application, Pairs(nameof(point), point)).ConfigureAwait(false);
        return new SpaceSubscribers
        {
            Count = count,
            Subscriptions =
            [
                .. first.Select(s => new SpaceSubscription
                {
                    Subscriber = s.Subscriber,
                    Subscription = s.Subscription,
                    Where = s.Where,
                    IsConnected = s.IsConnected,
                    WaitingCount = s.WaitingCount,
                    Blocks = s.Blocks,
                }),
            ],
        };
    }

    private static async Task<EmittedEvent> EmitAsync(ApiContext api, HttpContext context, string application, EmitRequest request)
    {
        if (request.Text is not null && request.Bytes is not null)
        {
            throw ApiProblemException.Invalid("The event carries text and bytes. Give one of them.");
        }

        if (request.Number < 1)
        {
            throw ApiProblemException.Invalid($"The number of the event is {request.Number}. Count from 1.");
        }

        byte[] payload = request.Bytes ?? Encoding.UTF8.GetBytes(request.Text ?? string.Empty);
        if (payload.Length > EventLimits.PayloadBytesMax)
        {
            throw new ApiProblemException(
                Engine.Protocol.ErrorCode.TooLarge,
                $"The event carries {payload.Length} bytes; at most {EventLimits.PayloadBytesMax} can be.");
        }

        (var id, Stage stage, uint matched) = await api.Gateway.EmitAsync(
            ApiCaller.Of(context).ForCalls,
            application,
            request.Point,
            payload,
            (Stage)request.Until,
            (ulong)request.Epoch,
            (ulong)request.Number).WaitAsync(context.RequestAborted).ConfigureAwait(false);
        return new EmittedEvent { Id = HostGateway.IdOf(id), Stage = (EmitStage)stage, SubscriberCount = (int)matched };
    }

    private static async Task SubscribeAsync(
        ApiContext api,
        HttpContext context,
        IHostApplicationLifetime lifetime,
        string application,
        string? where = null,
        bool block = false)
    {
        HttpSubscriber subscriber = await api.Gateway.SubscribeAsync(
            ApiCaller.Of(context).ForCalls, application, Pairs(nameof(where), where), block).ConfigureAwait(false);
        var right = new WaitRight(api, ApiCaller.Of(context).Token.Id, application);
        await EventStream.WriteAsync(
            context, lifetime, ended => EventsAsync(subscriber, right, ended), subscriber.EndAsync).ConfigureAwait(false);
    }

    private static async IAsyncEnumerable<SseItem<string>> EventsAsync(
        HttpSubscriber subscriber, WaitRight right, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        // At once: who subscribed knows that events come from here on.
        yield return new SseItem<string>(string.Empty, AdminRoutes.SilenceEvent);
        while (true)
        {
            (object? item, Problem? problem) = await EventStream.NextOrProblemAsync(
                subscriber.Told, right, cancellationToken).ConfigureAwait(false);
            if (problem is not null)
            {
                yield return EventStream.Of(problem);
                yield break;
            }

            if (item is null)
            {
                yield return new SseItem<string>(string.Empty, AdminRoutes.SilenceEvent);
            }

            while (await subscriber.TakeAsync().ConfigureAwait(false) is { Length: > 0 } taken)
            {
                foreach (SpaceEvent one in taken)
                {
                    yield return new SseItem<string>(JsonSerializer.Serialize(one, AdminJson.Default.SpaceEvent), AdminRoutes.SpaceEvent);
                }
            }
        }
    }

    /// <summary>What <c>a=1,b=2</c> says.</summary>
    private static SortedDictionary<string, string> Pairs(string parameter, string? text)
    {
        var pairs = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (string pair in (text ?? string.Empty).Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            int equals = pair.IndexOf('=', StringComparison.Ordinal);
            if (equals <= 0 || !pairs.TryAdd(pair[..equals], pair[(equals + 1)..]))
            {
                throw ApiProblemException.Invalid($"'{pair}' of {parameter} is not NAME=VALUE, or its name is there twice.");
            }
        }

        return pairs;
    }
}
