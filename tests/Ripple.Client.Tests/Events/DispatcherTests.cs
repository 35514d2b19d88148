using Microsoft.Extensions.Logging;
using Ripple.Client.Events;
using Ripple.Client.Scheduling;
using Ripple.Client.State;
using Ripple.Client.Tests.Snapshots;
using Ripple.Engine.Releases;

namespace Ripple.Client.Tests.Events;

public sealed class DispatcherTests
{
    [Fact]
    public async Task A_candidate_is_dispatched_in_place_and_holds_up_nothing_that_follows()
    {
        using var states = new SignedStates();
        using var answer = new ManualResetEventSlim();
        var log = new ThreadLog();
        var decided = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using Dispatcher dispatcher = Make(states, log, (_, _) =>
        {
            answer.Wait(TestContext.Current.CancellationToken);
            return ValueTask.FromResult(ReleaseDecision.Reject("no"));
        });
        dispatcher.Outlet.Post(new ClientEvent.Candidate(Release(2), decided.SetResult));
        dispatcher.Outlet.Post(Release(1));

        dispatcher.Run();

        // The release behind the candidate was dispatched by this very call, while the callback still blocks.
        Assert.Equal([Environment.CurrentManagedThreadId], log.Threads);
        Assert.False(decided.Task.IsCompleted);
        answer.Set();
        Assert.Equal("no", await decided.Task.WaitAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task A_candidate_that_waits_at_the_stop_is_neither_asked_about_nor_rejected()
    {
        using var states = new SignedStates();
        int asked = 0;
        int decided = 0;
        Dispatcher dispatcher = Make(states, new ThreadLog(), (_, _) =>
        {
            Interlocked.Increment(ref asked);
            return ValueTask.FromResult(ReleaseDecision.Accept);
        });
        dispatcher.Outlet.Post(new ClientEvent.Candidate(Release(1), _ => Interlocked.Increment(ref decided)));
        await dispatcher.DisposeAsync();

        dispatcher.Run();

        Assert.Equal(1, dispatcher.Outlet.Events.Count);
        Assert.Equal(0, Volatile.Read(ref asked));
        Assert.Equal(0, Volatile.Read(ref decided));
    }

    [Fact]
    public async Task What_was_refused_is_logged_by_name()
    {
        using var states = new SignedStates();
        using var log = new TestLogger();
        await using Dispatcher dispatcher = Make(states, log, (_, _) => ValueTask.FromResult(ReleaseDecision.Accept));
        Digest160 digest = Digest160.Hash("a"u8, []);
        dispatcher.Outlet.Post(new ClientEvent.Refused("shop", new IntakeRefusal("a value: too long", 7, "db/password", digest), 3));
        dispatcher.Outlet.Post(new ClientEvent.Refused("shop", new IntakeRefusal("a snapshot that is not complete"), 0));

        dispatcher.Run();

        Assert.Equal(
            [
                $"Warning: The value of db/password in shop release 7 is not taken: a value: too long (digest {digest}; 3 more "
                + "since the last line). What is in effect stays; it is asked for again. If this lasts, the host's store is damaged.",
                "Warning: Refused for shop: a snapshot that is not complete (release 0, 0 if not known; 0 more since the last line). "
                + "It has no effect, and the host is asked for what is genuine.",
            ],
            log.Lines);
    }

    private static RippleRelease Release(ulong release) => new() { Application = "shop", Generation = 1, Release = release };

    private static Dispatcher Make(
        SignedStates states, ILogger logger, Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>> accept)
    {
        RippleClientOptions options = new() { SnapshotMode = SnapshotMode.Off, AcceptRelease = accept };
        ClientSettings settings = SettingsResolver.Resolve(states.ConnectionString(), options);
        var hub = new ReleaseHub(new CurrentReleases(["shop"]), PoolScheduler.Instance);
        return new Dispatcher(settings, hub, logger, new DispatchPump(PoolScheduler.Instance), _ => { });
    }

    /// <summary>The threads that logged that a release took effect.</summary>
    private sealed class ThreadLog : ILogger
    {
        private readonly Lock _lock = new();
        private readonly List<int> _threads = [];

        public IReadOnlyList<int> Threads
        {
            get
            {
                lock (_lock)
                {
                    return [.. _threads];
                }
            }
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            lock (_lock)
            {
                if (eventId.Id == 1003)
                {
                    _threads.Add(Environment.CurrentManagedThreadId);
                }
            }
        }
    }
}
