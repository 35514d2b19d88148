using Ripple.Client;
using Ripple.Engine.Core;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Oracles.Events;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster.Events;

/// <summary>
/// The part of a program that subscribes to events and emits them, through the real client: some subscriptions for the life of the process,
/// and one that ends after a while and is followed by another. Some programs are slow at times, and some have emitters wait for them.
/// </summary>
internal sealed class EventProgram : IChecker
{
    private const int LastingMax = 3;
    private const int BurstRange = 30;
    private const double SlowShare = 0.05;
    private const long SlowMsRange = 300;
    private readonly SimulatedWorld _world;
    private readonly EventChecker _book;
    private readonly DeterministicRandom _random;
    private readonly bool _isSlow;
    private readonly RippleSubscribeOptions _options;
    private SubscriberRecord? _record;

    /// <param name="world">The world.</param>
    /// <param name="client">Its client.</param>
    /// <param name="book">The world's book.</param>
    /// <param name="subscribes">Whether it subscribes; all emit.</param>
    public EventProgram(SimulatedWorld world, SimulatedRippleClient client, EventChecker book, bool subscribes)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(client);
        _world = world;
        Client = client;
        _book = book;
        _random = world.Random.Fork(8_000 + (ulong)client.Machine.Index);
        _isSlow = client.Machine.Index % 3 == 1;
        _options = new RippleSubscribeOptions
        {
            WhenFull = client.Machine.Index % 4 == 3 ? FullQueue.Block : FullQueue.DropOldest,
        };
        if (subscribes)
        {
            client.OnOpened = _ => Subscribe();
            client.Machine.Add(this);
        }
    }

    /// <inheritdoc/>
    public string Name => EventChecker.Name;

    /// <summary>Its client.</summary>
    public SimulatedRippleClient Client { get; }

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (_record is { IsAlive: true } record)
        {
            _book.OnTurn(record, Client.RecordOf(SimulatedCluster.Application)?.Session is not null);
        }
    }

    /// <summary>Emits some events, one after the other, without waiting for the answers between; in the program's own time.</summary>
    /// <param name="number">The number of the call in the run.</param>
    public void Emit(int number)
    {
        _world.Script.Place(_random, $"emit {number}");
        int count = _random.NextBool(0.05) ? 2 + _random.NextInt32(BurstRange) : 1;
        for (int i = 0; i < count && Client.Client is { } client; i++)
        {
            var until = (EmitUntil)_random.NextInt32(3);
            long x = _random.NextInt64(EventBox.Values);
            long y = _random.NextInt64(EventBox.Values);
            Client.Scheduler!.Run(() => Client.Follow(EmitAsync(client, x, y, until)));
        }
    }

    private void Subscribe()
    {
        RippleClient client = Client.Client!;
        SubscriberRecord record = _record = _book.OnStarted(Client.Machine);
        _world.Script.Place(_random, $"subscribe {Client.Machine} {Client.Machine.StartCount}");
        int count = 1 + _random.NextInt32(LastingMax);
        for (int i = 0; i < count; i++)
        {
            Client.Follow(SubscribeAsync(client, record, EventBox.Draw(_random), Timeout.InfiniteTimeSpan));
        }

        Client.Follow(SubscribeInTurnsAsync(client, record));
    }

    private async Task SubscribeInTurnsAsync(RippleClient client, SubscriberRecord record)
    {
        while (true)
        {
            TimeSpan time = TimeSpan.FromMilliseconds(500 + _random.NextInt64(10_000));
            await SubscribeAsync(client, record, EventBox.Draw(_random), time).ConfigureAwait(false);
        }
    }

    /// <summary>Subscribes until its time is over, and again after a refusal, which the world judges.</summary>
    private async Task SubscribeAsync(RippleClient client, SubscriberRecord record, EventBox box, TimeSpan time)
    {
        using var end = new CancellationTokenSource();
        if (time != Timeout.InfiniteTimeSpan)
        {
            Client.Scheduler!.CancelAfter(end, time);
        }

        while (!end.IsCancellationRequested)
        {
            var subscription = new SubscriptionRecord(record, box);
            long askedNs = _world.Scheduler.NowNs;
            record.Subscriptions.Add(subscription);
            try
            {
                await foreach (RippleEvent shown in client.Space(SimulatedCluster.Application)
                    .SubscribeAsync(box.AddTo, _options, end.Token).ConfigureAwait(false))
                {
                    _book.OnShown(subscription, shown);
                    if (_isSlow && _random.NextBool(SlowShare))
                    {
                        await DelayAsync(_random.NextInt64(SlowMsRange)).ConfigureAwait(false);
                    }
                }
            }
            catch (OperationCanceledException)
            {
                // Its time is over.
            }
            catch (RippleException e)
            {
                _book.OnRefused(Client.Machine, e, subscription.ProvedNs == long.MaxValue ? askedNs : subscription.ProvedNs);
                await DelayAsync(100 + _random.NextInt64(400)).ConfigureAwait(false);
            }
            finally
            {
                subscription.IsOver = true;
            }
        }
    }

    private async Task EmitAsync(RippleClient client, long x, long y, EmitUntil until)
    {
        EventRecord emitted = _book.OnEmit(
            Client.Machine, x, y, () => Client.RecordOf(SimulatedCluster.Application)?.Session);
        try
        {
            var point = new RipplePoint { ["x"] = x, ["y"] = y };
            EmittedEvent told = await client.Space(SimulatedCluster.Application)
                .EmitAsync(point, EventPayload.Of(emitted.Number), until).ConfigureAwait(false);
            _book.OnEmitted(emitted, told);
        }
        catch (RippleException e)
        {
            emitted.IsRefused = true;
            _book.OnRefused(Client.Machine, e, emitted.AskedNs);
        }
    }

    private Task DelayAsync(long milliseconds) => Task.Delay(TimeSpan.FromMilliseconds(milliseconds), Client.Scheduler!.Clock);
}
