using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Gms.Definitions;
using Ripple.Gms.Matching;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>
/// Events and subscriptions, judged: emitting takes a publisher of the application, subscribing one of its nodes. Core thread.
/// </summary>
internal sealed class EventCalls(
    Authorizer authorizer, AccessTokenTable tokens, DefinitionTable definitions, EventSpaces spaces, GmsCounters counters)
{
    /// <summary>Takes an event; null, or why it is not taken.</summary>
    /// <param name="caller">Who emits.</param>
    /// <param name="emit">The event.</param>
    /// <param name="id">Its id: the emitter's part is proved.</param>
    /// <param name="onStage">Told how far it is, within this call and later.</param>
    public Refusal? Emit(Caller caller, Emit emit, EventId id, Action<LiveEvent> onStage)
    {
        if (Find(caller, emit.Application, AccessRole.Publisher, out Refusal? refusal) is not { } space)
        {
            return refusal;
        }

        refusal = space.Emit(id, emit.Values, emit.Payload, onStage);
        counters.EventsEmitted += refusal is null ? 1 : 0;
        return refusal;
    }

    /// <summary>Subscribes; the session, or null with the reason. It may be both: the session goes on without what is refused.</summary>
    public EventSession? Subscribe(Caller caller, string subscriber, Subscribe subscribe, IEventOutlet outlet, out Refusal? refusal) =>
        Find(caller, subscribe.Application, AccessRole.Node, out refusal)?.Subscribe(
            new SessionKey(subscriber, subscribe.Epoch), tokens.OwnerOf(caller), subscribe, outlet, out refusal);

    /// <summary>Null while the caller may subscribe, else the refusal that ends its subscriptions.</summary>
    public Refusal? RefuseSubscriber(Caller caller, string application) => authorizer.Judge(caller, application, AccessRole.Node);

    /// <summary>Ends a subscription.</summary>
    public void Unsubscribe(EventSession session, uint subscription) =>
        spaces.Find(session.Application)?.Unsubscribe(session, subscription);

    /// <summary>Ends a session with all it has; while the host stops it stays, and does not count as delivered to.</summary>
    public void End(EventSession session)
    {
        if (!spaces.IsStopping)
        {
            spaces.Find(session.Application)?.End(session);
        }
    }

    /// <summary>Counts a delivery that was sent.</summary>
    public void OnDelivered() => counters.EventsDelivered++;

    /// <summary>The subscriptions that would get an event with these values, in order; a dimension without one is open.</summary>
    public Answer<IReadOnlyList<EventSubscription>> Explain(Caller caller, string application, IReadOnlyList<NamedValue> values)
    {
        if (Find(caller, application, AccessRole.Node, out Refusal? refusal) is not { } space)
        {
            return refusal!;
        }

        return space.Explain(values, out string reason) is { } found
            ? new Answer<IReadOnlyList<EventSubscription>>(found, null)
            : new Refusal(ErrorCode.InvalidRequest, reason);
    }

    /// <summary>The values that texts say, of the kinds of a space's dimensions; null with what is no value.</summary>
    public static NamedValue[]? ReadValues(EventSpace space, IEnumerable<KeyValuePair<string, string>> texts, out Refusal? refusal)
    {
        refusal = null;
        var values = new List<NamedValue>();
        foreach ((string name, string text) in texts)
        {
            // What is no dimension is refused by its name, whatever its value.
            Dimension? dimension = space.Definition.Space.Dimensions.FirstOrDefault(d => d.Name == name);
            AttributeValue value = default;
            if (dimension is not null && !SpaceText.TryReadValue(dimension.Kind, text, out value))
            {
                refusal = new Refusal(
                    ErrorCode.InvalidRequest,
                    $"'{name}' is '{text}', which is no value of the kind {dimension.Kind.ToString().ToLowerInvariant()}.");
                return null;
            }

            values.Add(new NamedValue(name, value));
        }

        return [.. values];
    }

    /// <summary>The ranges that texts say, each as <c>10..20</c>; null with what is no range.</summary>
    public static NamedRange[]? ReadRanges(EventSpace space, IEnumerable<KeyValuePair<string, string>> texts, out Refusal? refusal)
    {
        refusal = null;
        var ranges = new List<NamedRange>();
        foreach ((string name, string text) in texts)
        {
            string[] ends = text.Split("..");
            if (ends.Length != 2)
            {
                refusal = new Refusal(ErrorCode.InvalidRequest, $"'{name}' is '{text}', which is no range. Write FROM..TO, as in 10..20.");
                return null;
            }

            NamedValue[]? values = ReadValues(space, ends.Select(end => KeyValuePair.Create(name, end)), out refusal);
            if (values is null)
            {
                return null;
            }

            ranges.Add(new NamedRange(name, values[0].Value, values[1].Value));
        }

        return [.. ranges];
    }

    /// <summary>The space, if the caller has the role in the application; else null with the refusal.</summary>
    public EventSpace? Find(Caller caller, string application, AccessRole role, out Refusal? refusal)
    {
        if (authorizer.Find(caller, application, role, out refusal) is null)
        {
            return null;
        }

        EventSpace? space = definitions.Find(application) is null ? null : spaces.Find(application);
        refusal = space is not null ? null
            : definitions.Find(application) is null ? DefinitionTable.BeingRead(application)
            : new Refusal(
                ErrorCode.NotFound,
                $"'{application}' has no space for events. Set one first: ripple space set {application} price:real:0..1000");
        return space;
    }
}
