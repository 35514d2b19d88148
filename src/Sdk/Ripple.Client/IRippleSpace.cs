namespace Ripple.Client;

/// <summary>
/// The space of an application's events (BlueDove II): emitters give points, subscribers ranges, and an event finds every subscriber whose
/// ranges have it. Thread-safe.
/// </summary>
public interface IRippleSpace
{
    /// <summary>The application.</summary>
    string Application { get; }

    /// <summary>
    /// Emits an event. From the call on the client keeps it in memory until it is delivered, and emits it again over lost connections and
    /// other hosts, whether this is awaited, has ended or was canceled; at most 4,096 events and 16 MiB, beyond which the oldest is let go
    /// if nobody awaits it, and else this waits. Takes a publisher of the application.
    /// </summary>
    /// <param name="point">A value for each dimension of the space.</param>
    /// <param name="payload">What it carries: at most 64 KiB; copied.</param>
    /// <param name="until">How far it is to be when this returns.</param>
    /// <param name="cancellationToken">Ends the waiting; does not take the event back.</param>
    /// <exception cref="RippleException">The host refused it, by the name of what is wrong; or the payload is too large.</exception>
    Task<EmittedEvent> EmitAsync(
        RipplePoint point,
        ReadOnlyMemory<byte> payload = default,
        EmitUntil until = EmitUntil.Delivered,
        CancellationToken cancellationToken = default);

    /// <summary>
    /// Subscribes to the events that a box has, from now on, in the order in which the host took them, each once in this client. What was
    /// emitted before, and is emitted again because its emitter was not told that it is delivered, may come too. Going on to the next
    /// acknowledges an event; who does not go on gets no more after 256, and loses the oldest of those that wait after some more, which
    /// the next event tells. What one subscription does not take holds up the others of this client in the space. Goes on over lost
    /// connections and restarts of hosts. Takes a node of the application.
    /// </summary>
    /// <param name="where">Sets the ranges; null for all events.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="RippleException">The host refused, or ended it because the space was changed; while enumerating.</exception>
    IAsyncEnumerable<RippleEvent> SubscribeAsync(Action<RippleBox>? where = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="SubscribeAsync(Action{RippleBox}, CancellationToken)"/>
    /// <param name="where">Sets the ranges; null for all events.</param>
    /// <param name="options">What happens where the queue is full.</param>
    /// <param name="cancellationToken">Ends it.</param>
    IAsyncEnumerable<RippleEvent> SubscribeAsync(
        Action<RippleBox>? where, RippleSubscribeOptions options, CancellationToken cancellationToken = default);
}
