using System.Globalization;
using System.Text;
using Ripple.Engine.Core;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Regions;
using Ripple.Gms.Calls;
using Ripple.Gms.Matching;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <content>Events by attributes.</content>
internal sealed partial class HostGateway
{
    private const int ExplainedMax = 1_000;

    private ulong _subscribers;

    /// <summary>The name of an event, as the client shows it too.</summary>
    public static string IdOf(EventId id) => string.Create(CultureInfo.InvariantCulture, $"{id.Emitter}/{id.Epoch:x16}/{id.Number}");

    /// <summary>The subscriptions that would get an event, and how many more there are.</summary>
    /// <exception cref="ApiProblemException">It is refused, or a value is not in the space.</exception>
    public Task<(int Count, IReadOnlyList<SubscriptionView> First)> ExplainSpaceAsync(
        Caller caller, string application, IReadOnlyDictionary<string, string> point) =>
        AskAsync<(int, IReadOnlyList<SubscriptionView>)>(caller, () => ExplainCostOf(application), () =>
        {
            if (Calls.Events.Find(caller, application, AccessRole.Node, out Refusal? refusal) is not { } space
                || EventCalls.ReadValues(space, point, out refusal) is not { } values)
            {
                return refusal!;
            }

            Answer<IReadOnlyList<EventSubscription>> found = Calls.Events.Explain(caller, application, values);
            return found.Refusal is { } wrong ? wrong : (found.Value!.Count, [.. found.Value.Take(ExplainedMax).Select(View)]);
        });

    /// <summary>Emits; returns when the event is as far as it is to be, which nobody has to wait for.</summary>
    /// <param name="caller">Who emits.</param>
    /// <param name="application">The application.</param>
    /// <param name="point">Values, as text.</param>
    /// <param name="payload">What it carries.</param>
    /// <param name="until">How far it is to be.</param>
    /// <param name="epoch">The caller's number since its start.</param>
    /// <param name="number">The event's number there.</param>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<(EventId Id, EmitStage Stage, uint Matched)> EmitAsync(
        Caller caller,
        string application,
        IReadOnlyDictionary<string, string> point,
        ReadOnlyMemory<byte> payload,
        EmitStage until,
        ulong epoch,
        ulong number) => AskAsync<(EventId, EmitStage, uint)>(caller, () => CallCosts.EmitNs, done =>
    {
        if (Calls.Events.Find(caller, application, AccessRole.Publisher, out Refusal? refusal) is not { } space
            || EventCalls.ReadValues(space, point, out refusal) is not { } values)
        {
            done(refusal!);
            return;
        }

        bool isDone = false;
        var id = new EventId(NodeOf(caller.TokenId), epoch, number);
        refusal = Calls.Events.Emit(caller, new Emit(application, epoch, number, values, payload), id, live =>
        {
            if (!isDone && live.Stage >= until)
            {
                isDone = true;
                done((id, live.Stage, live.Matched));
            }
        });
        if (refusal is not null)
        {
            done(refusal);
        }
    });

    /// <summary>Subscribes; what is returned is to be ended in any case.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public async Task<HttpSubscriber> SubscribeAsync(
        Caller caller, string application, IReadOnlyDictionary<string, string> where, bool blocks)
    {
        var subscriber = new HttpSubscriber(runner, Calls.Events);
        Refusal? refusal = await runner.RunAsync(() =>
        {
            if (Calls.Charge(caller, CallCosts.CallNs + CallCosts.SubscribeNs) is { } tooOften)
            {
                return tooOften;
            }

            if (Calls.Events.Find(caller, application, AccessRole.Node, out Refusal? refused) is not { } space
                || EventCalls.ReadRanges(space, where, out refused) is not { } ranges)
            {
                return refused;
            }

            var asked = new Subscribe(application, ++_subscribers, 1, IsResumed: false, HasMore: false, blocks, ranges);
            if (Calls.Events.Subscribe(caller, $"token {caller.TokenId}", asked, subscriber, out refused) is { } session)
            {
                subscriber.Begin(session);
            }

            return refused;
        }).ConfigureAwait(false);
        return refusal is null ? subscriber : throw new ApiProblemException(refusal);
    }

    private static SubscriptionView View(EventSubscription subscription) => new(
        subscription.Session.Key.Owner,
        subscription.Number,
        [.. subscription.Ranges.Select(r => $"{r.Name}={SpaceText.Show(r.From)}..{SpaceText.Show(r.To)}")],
        subscription.Session.Outlet is not null,
        subscription.Session.WaitingCount,
        subscription.Blocks);

    /// <summary>Who emits over HTTP has no node: its token's name stands for one, which no node's certificate has.</summary>
    private static NodeId NodeOf(string tokenId)
    {
        var high = StableHash.Create();
        high.Add(Encoding.UTF8.GetBytes($"emitter {tokenId}"));
        var low = StableHash.Create();
        low.Add(Encoding.UTF8.GetBytes($"{tokenId} emits"));
        return new NodeId(high.Value, low.Value);
    }

    private long ExplainCostOf(string application) => (host.SpaceOf(application)?.BoxCount ?? 0) * CallCosts.NamedSubscriptionNs;
}

/// <summary>A subscription as administrators see it.</summary>
/// <param name="Subscriber">Whose it is.</param>
/// <param name="Subscription">Its number.</param>
/// <param name="Where">Its ranges, as text.</param>
/// <param name="IsConnected">Whether it has a connection.</param>
/// <param name="WaitingCount">The events that wait.</param>
/// <param name="Blocks">Whether emitters wait for it where there is no room.</param>
internal sealed record SubscriptionView(
    string Subscriber, uint Subscription, IReadOnlyList<string> Where, bool IsConnected, int WaitingCount, bool Blocks);
