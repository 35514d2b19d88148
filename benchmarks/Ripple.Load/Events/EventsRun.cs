using System.Diagnostics;
using Ripple.Load.Processes;

namespace Ripple.Load.Events;

/// <summary>One run: subscribers, events, perhaps a death, and what the books say in the end.</summary>
internal sealed class EventsRun : IAsyncDisposable
{
    private const int WarmUp = 500;
    private const int VictimPart = 4;
    private static readonly TimeSpan SettleMax = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(100);
    // What comes twice comes late.
    private static readonly TimeSpan Linger = TimeSpan.FromSeconds(1);
    private readonly EventsOptions _options;
    private readonly EventsWorkload _workload;
    private readonly int[][] _expected;
    private readonly EventsProcesses _processes;
    private readonly List<Witness> _witnesses = [];
    private readonly List<Child> _subscribers = [];
    private RippleClient? _client;

    /// <param name="options">What to measure.</param>
    /// <param name="workload">The boxes and events.</param>
    /// <param name="expected">The boxes of each event.</param>
    /// <param name="directory">A directory of its own.</param>
    public EventsRun(EventsOptions options, EventsWorkload workload, int[][] expected, string directory)
    {
        _options = options;
        _workload = workload;
        _expected = expected;
        _processes = new EventsProcesses(options, directory);
    }

    private int BoxesPerSubscriber => _options.BoxesPerSubscriber;

    public async Task<EventsResult> MeasureAsync()
    {
        await _processes.StartAsync(_workload.SpaceText);
        int victims = _options.Kill == Death.Subscriber ? Math.Max(1, _options.Subscribers / VictimPart) : 0;
        await AddAsync(0, _options.Subscribers - victims, _ => true, isLasting: true);
        _client = await _processes.ConnectAsync();
        var emitter = new EventsEmitter(_client, _workload, _options.Window, _processes.Told) { IsMixed = _options.Kill is not null };
        Func<Task> emit = _options.Kill switch
        {
            Death.Subscriber => await PrepareSubscriberDeathAsync(emitter, victims),
            Death.Emitter => await PrepareEmitterDeathAsync(),
            Death.Host => () => emitter.EmitAsync(0, _options.Events, _processes.ReplaceHostAsync),
            _ => () => emitter.EmitAsync(0, _options.Events),
        };
        await SettleAsync();
        await emitter.EmitAsync(-WarmUp, WarmUp);
        foreach (Child child in _subscribers)
        {
            await child.SendAsync("begin");
            await child.ExpectAsync("begun", EventsProcesses.Timeout);
        }

        double hostCpuMs = _processes.HostCpuMs;
        double subscribersCpuMs = _subscribers[0].CpuMs;
        long begin = Stopwatch.GetTimestamp();
        await emit();
        double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        hostCpuMs = _processes.HostCpuMs - hostCpuMs;
        subscribersCpuMs = _subscribers[0].CpuMs - subscribersCpuMs;
        EventsVerdict verdict = await JudgeAsync();
        int[][] accepted = [.. _expected.Where((_, number) => _processes.Told.Is(number, EmitUntil.Accepted))];
        return new EventsResult
        {
            Subscribers = _options.Subscribers,
            Boxes = _options.BoxesInAll,
            Dimensions = _options.Dimensions,
            Events = _options.Events,
            Killed = _options.Kill,
            Pace = EventsPace.Of(
                accepted,
                accepted.Sum(e => (long)_workload.SubscribersOf(e)),
                seconds,
                await TimesAsync(_subscribers[0]),
                hostCpuMs,
                subscribersCpuMs),
            Accepted = accepted.Length,
            Unanswered = Enumerable.Range(0, _options.Events).Count(
                n => _processes.Told.IsBegun(n) && !_processes.Told.Is(n, EmitUntil.Accepted)),
            Verdict = verdict,
        };
    }

    /// <summary>Asks a process of subscribers for p50 and p99.</summary>
    public static async Task<double[]> TimesAsync(Child subscribers)
    {
        await subscribers.SendAsync("tell");
        return [.. (await subscribers.ExpectAsync("shown", EventsProcesses.Timeout)).Skip(1).Select(ProcessCost.Read)];
    }

    public async ValueTask DisposeAsync()
    {
        await (_client?.DisposeAsync() ?? default);
        await _processes.DisposeAsync();
    }

    /// <summary>
    /// A process of subscribers is killed in the first half of the events, and another begins with their ranges. What the one that was
    /// killed had to be shown are the events that were delivered before. The other one is a new subscriber: it has to be shown those that
    /// are emitted once the host has its subscriptions, which is the second half.
    /// </summary>
    private async Task<Func<Task>> PrepareSubscriberDeathAsync(EventsEmitter emitter, int victims)
    {
        int first = _options.Subscribers - victims;
        int half = _options.Events / 2;
        bool[] delivered = new bool[_options.Events];
        Child victim = await AddAsync(first, victims, number => delivered[number], isLasting: false);
        return async () =>
        {
            await emitter.EmitAsync(0, half, KillAsync);
            await SettleAsync();
            await emitter.EmitAsync(half, _options.Events - half);
        };

        async Task KillAsync()
        {
            for (int number = 0; number < delivered.Length; number++)
            {
                delivered[number] = _processes.Told.Is(number, EmitUntil.Delivered);
            }

            await victim.KillAsync();
            _subscribers.Remove(victim);
            await AddAsync(first, victims, number => number >= half, isLasting: false);
        }
    }

    /// <summary>One of two emitters is killed when it was told of half of its events.</summary>
    private async Task<Func<Task>> PrepareEmitterDeathAsync()
    {
        int half = _options.Events / 2;
        Child victim = await _processes.StartEmitterAsync(0, half);
        Child other = await _processes.StartEmitterAsync(half, _options.Events - half);
        return async () =>
        {
            await victim.SendAsync("emit");
            await other.SendAsync("emit");
            long begin = Stopwatch.GetTimestamp();
            while (_processes.Told.Count(0, half, EmitUntil.Accepted) < half / 2)
            {
                await Task.Delay(1);
                if (Stopwatch.GetElapsedTime(begin) > EventsProcesses.Timeout)
                {
                    throw new InvalidOperationException("The emitter that is to be killed was not told of half of its events.");
                }
            }

            await victim.KillAsync();
            await other.ExpectAsync("done", EventsProcesses.Timeout);
        };
    }

    private async Task<Child> AddAsync(int first, int count, Func<int, bool> must, bool isLasting)
    {
        (Child child, ShownBook book) = await _processes.StartSubscribersAsync(first, count);
        _subscribers.Add(child);
        _witnesses.Add(new Witness(
            book,
            first * BoxesPerSubscriber,
            count * BoxesPerSubscriber,
            number => must(number) && _processes.Told.Is(number, EmitUntil.Accepted),
            isLasting));
        return child;
    }

    /// <summary>
    /// Subscriptions come to the host behind each other, and those of a process that was killed go: emits until events find all they must,
    /// and no others.
    /// </summary>
    private async Task SettleAsync()
    {
        long begin = Stopwatch.GetTimestamp();
        int settled = 0;
        while (settled < _options.Window)
        {
            EmittedEvent emitted = await _client!.Space(_client.Application).EmitAsync(
                _workload.PointOf(settled), EventsWorkload.Payload(-1, Stopwatch.GetTimestamp()), EmitUntil.Matched);
            settled = emitted.Subscribers == _workload.SubscribersOf(_workload.BoxesOf(settled)) ? settled + 1 : 0;
            if (Stopwatch.GetElapsedTime(begin) > EventsProcesses.Timeout)
            {
                throw new InvalidOperationException("The subscriptions did not come to the host.");
            }

            await Task.Delay(1);
        }
    }

    private async Task<EventsVerdict> JudgeAsync()
    {
        var judge = new EventsJudge(_processes.Told, number => _expected[number]);
        for (long begin = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begin) < SettleMax && !judge.Judge(_witnesses).IsWell;)
        {
            await Task.Delay(LookPeriod);
        }

        await Task.Delay(Linger);
        return judge.Judge(_witnesses);
    }
}
