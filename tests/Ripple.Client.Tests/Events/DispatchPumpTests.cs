using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Client.Events;
using Ripple.Client.Scheduling;
using Ripple.Client.State;
using Ripple.Client.Tests.Snapshots;

namespace Ripple.Client.Tests.Events;

public sealed class DispatchPumpTests
{
    private readonly DispatchPump _pump = new(PoolScheduler.Instance);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Handler_that_does_not_return_holds_up_its_own_client_alone()
    {
        using var states = new SignedStates();
        using var blocked = new ManualResetEventSlim();
        var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using Client stuck = Make(states, _ =>
        {
            entered.TrySetResult();
            blocked.Wait(Token);
        });
        await using Client other = Make(states, _ => { });
        stuck.Dispatcher.Outlet.Post(new ConnectionStateChange(ConnectionState.Connected, string.Empty));
        await entered.Task.WaitAsync(Token);
        stuck.Dispatcher.Outlet.Post(Release(1));
        other.Dispatcher.Outlet.Post(Release(1));
        Assert.Equal(1ul, (await other.Watch.NextAsync(Token))!.Release);
        ValueTask<RippleRelease?> late = stuck.Watch.NextAsync(Token);
        Assert.False(late.IsCompleted);
        blocked.Set();
        Assert.Equal(1ul, (await late)!.Release);
    }

    [Fact]
    public async Task Many_clients_get_every_release_in_order()
    {
        using var states = new SignedStates();
        Client[] clients = [.. Enumerable.Range(0, 20).Select(_ => Make(states, _ => { }))];
        // The test is the core: one thread posts for all.
        for (ulong release = 1; release <= ReleaseWatcher.QueueMax; release++)
        {
            foreach (Client client in clients)
            {
                client.Dispatcher.Outlet.Post(Release(release));
            }
        }

        foreach (Client client in clients)
        {
            for (ulong release = 1; release <= ReleaseWatcher.QueueMax; release++)
            {
                Assert.Equal(release, (await client.Watch.NextAsync(Token))!.Release);
            }

            await client.DisposeAsync();
        }
    }

    [Fact]
    public async Task What_waits_outside_the_order_is_asked_for_and_comes()
    {
        using var states = new SignedStates();
        using var blocked = new ManualResetEventSlim();
        await using Client client = Make(states, _ => blocked.Wait(Token));
        client.Dispatcher.Outlet.Post(new ConnectionStateChange(ConnectionState.Connected, string.Empty));
        for (ulong release = 1; release <= ClientOutlet.EventsMax + 10; release++)
        {
            client.Dispatcher.Outlet.Post(Release(release));
        }

        Assert.True(client.Dispatcher.Outlet.HasWaiting);
        blocked.Set();
        // The dispatcher asks, and the test, which is the core, puts it in.
        await client.Flushed.Task.WaitAsync(Token);
        client.Dispatcher.Outlet.Flush();
        ulong newest = 0;
        while (newest < ClientOutlet.EventsMax + 10)
        {
            newest = (await client.Watch.NextAsync(Token))!.Release;
        }
    }

    private static RippleRelease Release(ulong release) => new() { Application = "shop", Generation = 1, Release = release };

    private Client Make(SignedStates states, Action<ConnectionStateChange> onConnection)
    {
        ClientSettings settings = SettingsResolver.Resolve(states.ConnectionString(), new() { SnapshotMode = SnapshotMode.Off });
        var hub = new ReleaseHub(new CurrentReleases(["shop"]), PoolScheduler.Instance);
        var client = new Client(new Dispatcher(settings, hub, NullLogger.Instance, _pump, onConnection), hub);
        client.Dispatcher.Start(() =>
        {
            client.Flushed.TrySetResult();
            return default;
        });
        return client;
    }

    private sealed class Client : IAsyncDisposable
    {
        public Client(Dispatcher dispatcher, ReleaseHub hub)
        {
            Dispatcher = dispatcher;
            Watch = new Reader(hub.WatchAsync("shop", Token).GetAsyncEnumerator(Token));
        }

        public Dispatcher Dispatcher { get; }

        public Reader Watch { get; }

        public TaskCompletionSource Flushed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ValueTask DisposeAsync() => Dispatcher.DisposeAsync();
    }

    private sealed class Reader
    {
        private readonly IAsyncEnumerator<RippleRelease> _releases;
        private Task<bool> _next;

        public Reader(IAsyncEnumerator<RippleRelease> releases)
        {
            _releases = releases;
            // A watch begins when it is first asked.
            _next = releases.MoveNextAsync().AsTask();
        }

        public async ValueTask<RippleRelease?> NextAsync(CancellationToken cancellationToken)
        {
            if (!await _next.WaitAsync(cancellationToken))
            {
                return null;
            }

            RippleRelease release = _releases.Current;
            _next = _releases.MoveNextAsync().AsTask();
            return release;
        }
    }
}
