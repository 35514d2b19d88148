using System.Runtime.CompilerServices;
using Ripple.Client.Running;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Regions;

namespace Ripple.Client.Spaces;

/// <summary>The space of an application, as users have it. Any thread.</summary>
/// <param name="application">The application.</param>
/// <param name="hub">The client's events.</param>
/// <param name="dispatcher">The way into the core.</param>
/// <param name="node">This client's node.</param>
/// <param name="stopping">Canceled when the client is disposed of.</param>
internal sealed class SpaceClient(
    string application, SpaceHub hub, CoreDispatcher dispatcher, Func<NodeId> node, CancellationToken stopping) : IRippleSpace
{
    /// <inheritdoc/>
    public string Application => application;

    /// <inheritdoc/>
    public async Task<EmittedEvent> EmitAsync(
        RipplePoint point, ReadOnlyMemory<byte> payload, EmitUntil until, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(point);
        ThrowIfDisposed();
        if (payload.Length > EventLimits.PayloadBytesMax)
        {
            throw new RippleException(
                ErrorCode.TooLarge,
                $"The event carries {payload.Length} bytes; at most {EventLimits.PayloadBytesMax} can be. "
                + "Publish what is larger, and emit its name.");
        }

        NamedValue[] values = point.ToValues();
        if (values.Length > EventLimits.ValuesMax)
        {
            throw new RippleException(
                ErrorCode.InvalidRequest,
                $"The event has {values.Length} attributes; a space has {EventLimits.ValuesMax} dimensions at most.");
        }

        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, stopping);
        var emission = new Emission(values, payload.ToArray(), until, dispatcher.Scheduler.Completions);
        try
        {
            while (await dispatcher.InvokeAsync(
                () => hub.Of(application).Emissions.TryEmit(emission, dispatcher.Scheduler.Completions), either.Token)
                .ConfigureAwait(false) is { } room)
            {
                await room.WaitAsync(either.Token).ConfigureAwait(false);
                await dispatcher.Scheduler.ResumeAsync().ConfigureAwait(false);
            }

            EmitResult result = await dispatcher.WaitAsync(emission.Answer.Task, either.Token).ConfigureAwait(false);
            return result.Code == ErrorCode.None
                ? new EmittedEvent(new RippleEventId(node(), hub.Epoch, result.Sequence), (EmitUntil)result.Stage, (int)result.Matched)
                : throw new RippleException(result.Code, result.Text);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new ObjectDisposedException(
                nameof(RippleClient), "The client was disposed of while it emitted an event; what became of it is not known.");
        }
        finally
        {
            emission.IsAwaited = false;
        }
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<RippleEvent> SubscribeAsync(Action<RippleBox>? where, CancellationToken cancellationToken) =>
        ReadAsync(where, FullQueue.DropOldest, cancellationToken);

    /// <inheritdoc/>
    public IAsyncEnumerable<RippleEvent> SubscribeAsync(
        Action<RippleBox>? where, RippleSubscribeOptions options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        return ReadAsync(where, options.WhenFull, cancellationToken);
    }

    private async IAsyncEnumerable<RippleEvent> ReadAsync(
        Action<RippleBox>? where, FullQueue whenFull, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var box = new RippleBox();
        where?.Invoke(box);
        var subscription = new Subscription(box.ToRanges(), whenFull == FullQueue.Block, dispatcher.Scheduler);
        if (subscription.Ranges.Length > EventLimits.ValuesMax)
        {
            throw new RippleException(
                ErrorCode.InvalidRequest,
                $"The box has {subscription.Ranges.Length} ranges; a space has {EventLimits.ValuesMax} dimensions at most.");
        }

        ThrowIfDisposed();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, stopping);
        Shown? taken = null;
        await PostAsync(() => hub.Of(application).Subscriptions.Add(subscription), either.Token, cancellationToken).ConfigureAwait(false);
        try
        {
            while (await MayReadAsync(subscription, either.Token, cancellationToken).ConfigureAwait(false))
            {
                while (subscription.Events.Reader.TryRead(out (RippleEvent Event, Shown Shown) next))
                {
                    taken = next.Shown;
                    yield return next.Event;
                    taken = null;
                    GoOn(next.Shown);
                }
            }
        }
        finally
        {
            if (taken is not null)
            {
                GoOn(taken);
            }

            if (!stopping.IsCancellationRequested)
            {
                hub.Post(() => End(subscription));
            }
        }
    }

    private void ThrowIfDisposed()
    {
        if (stopping.IsCancellationRequested)
        {
            throw new ObjectDisposedException(nameof(RippleClient), "The client was disposed of. Make another for events.");
        }
    }

    private void GoOn(Shown shown)
    {
        if (shown.GoOn() && !stopping.IsCancellationRequested)
        {
            hub.AckSoon();
        }
    }

    /// <summary>Core thread.</summary>
    private void End(Subscription subscription)
    {
        subscription.Events.Writer.TryComplete();
        while (subscription.Events.Reader.TryRead(out (RippleEvent Event, Shown Shown) left))
        {
            left.Shown.GoOn();
        }

        hub.Of(application).Subscriptions.Remove(subscription);
    }

    private async ValueTask<bool> MayReadAsync(Subscription subscription, CancellationToken either, CancellationToken own)
    {
        try
        {
            bool mayRead = await subscription.Events.Reader.WaitToReadAsync(either).ConfigureAwait(false);
            await dispatcher.Scheduler.ResumeAsync().ConfigureAwait(false);
            return mayRead;
        }
        catch (OperationCanceledException)
        {
            throw Ended(own);
        }
    }

    private async ValueTask PostAsync(Action action, CancellationToken either, CancellationToken own)
    {
        try
        {
            await dispatcher.PostAsync(action, either).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            throw Ended(own);
        }
    }

    private static Exception Ended(CancellationToken own) => own.IsCancellationRequested
        ? new OperationCanceledException(own)
        : new ObjectDisposedException(nameof(RippleClient), "The client was disposed of while it subscribed to events.");
}
