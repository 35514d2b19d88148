using Ripple.Client;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Predicates;
using Ripple.Simulator.Simulation;
using ClientPublishResult = Ripple.Client.PublishResult;
using ClientWaitProgress = Ripple.Client.WaitProgress;
using ClientWaitResult = Ripple.Client.WaitResult;
using PublishResult = Ripple.Engine.Protocol.Calls.PublishResult;
using WaitMember = Ripple.Engine.Protocol.Calls.WaitMember;
using WaitResult = Ripple.Engine.Protocol.Calls.WaitResult;

namespace Ripple.Simulator.Clients;

/// <summary>
/// Publishes, rolls back, reads and waits through a real client, many calls at a time, each repeated by the client until its time is up.
/// The program keeps a journal of the publishes whose outcome it was not told, and makes them again with their ids, also after a crash.
/// </summary>
internal sealed class ClientPublisher : SimulatedPublisher, IProgress<ClientWaitProgress>
{
    /// <summary>
    /// The most calls under way. Fewer than a client has places for publishes and reads: a semaphore resumes on the thread pool.
    /// </summary>
    private const int CallsMax = 14;

    private static readonly TimeSpan WaitTime = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan ShortWaitTime = TimeSpan.FromMilliseconds(300);
    private readonly SimulatedWorld _world;
    private readonly SimulatedRippleClient _client;
    private readonly DeterministicRandom _random;
    private readonly SortedDictionary<long, PublishBegin> _journal = [];
    private long _number;
    private int _calls;
    private ulong _past;

    /// <summary>Creates a publisher on a client whose token allows publishing.</summary>
    public ClientPublisher(SimulatedWorld world, SimulatedRippleClient client, string application)
        : base(world, client, application)
    {
        ArgumentNullException.ThrowIfNull(world);
        _world = world;
        _client = client;
        _random = world.Random.Fork(10);
    }

    /// <summary>Changes what the application says about itself now and then; null for never.</summary>
    public DefinitionProgram? Definitions { get; set; }

    /// <summary>The number of rollbacks that were answered with a release.</summary>
    public long RolledBackCount { get; private set; }

    /// <summary>The number of reads and lists answered.</summary>
    public long ReadCount { get; private set; }

    /// <summary>The number of calls that ended without an outcome.</summary>
    public long UnknownCount { get; private set; }

    /// <summary>The number of times it was told how far a wait is.</summary>
    public long ProgressCount { get; private set; }

    /// <summary>The number of waits that ended with an exception.</summary>
    public long WaitErrorCount { get; private set; }

    /// <inheritdoc/>
    public override void Publish()
    {
        if (LoseAsksOfLastLife())
        {
            _calls = 0;
            foreach (PublishBegin unknown in _journal.Values)
            {
                Remember(unknown);
            }

            _journal.Clear();
        }

        int turn = Turn;
        _world.Script.Place(_random, $"kind {turn}");
        int count = BurstMax > 1 ? 1 + _random.NextInt32(BurstMax) : 1;
        for (int i = 0; i < count && _client.Client is { } client && _calls + i < CallsMax; i++)
        {
            double kind = _random.NextDouble();
            string call = i == 0 ? $"call {turn}" : $"call {turn}.{i}";
            _client.Scheduler!.Run(() =>
            {
                Turn = turn;
                _world.Script.Place(_random, call);
                _client.Follow(kind switch
                {
                    < 0.75 => PublishAsync(client),
                    < 0.82 when Newest > 1 => RollBackAsync(client),
                    > 0.93 when Definitions is not null => Definitions.ChangeAsync(client, _random),
                    _ => ReadAsync(client),
                });
            });
        }
    }

    /// <summary>How far a wait is.</summary>
    void IProgress<ClientWaitProgress>.Report(ClientWaitProgress value)
    {
        ProgressCount++;
        if (value.Holding < 0 || value.Holding > value.Total)
        {
            Post(() => _world.Fail("Waits", $"{Client.Machine} is told that {value.Holding} of {value.Total} members hold"));
        }
    }

    private async Task PublishAsync(RippleClient client)
    {
        PublishBegin begin = NextPublish(out byte[] body);
        PublishAsk ask = Ask(IntentOf(begin, body));
        long number = ++_number;
        _journal.Add(number, begin);
        SentCount++;
        _calls++;
        try
        {
            ClientPublishResult told = await client.PublishAsync(RequestOf(begin, body)).ConfigureAwait(false);
            _journal.Remove(number);
            Post(() => Acknowledge(begin, ask, ResultOf(told)));
        }
        catch (RipplePublishException e)
        {
            _journal.Remove(number);
            Refused(ask, e);
            if (e.Code == ErrorCode.Busy)
            {
                Remember(begin);
            }
        }
        catch (RippleException)
        {
            _journal.Remove(number);
            UnknownCount++;
            Remember(begin);
            Post(() => EndAsk(ask, null));
        }
        finally
        {
            _calls--;
        }
    }

    private async Task RollBackAsync(RippleClient client)
    {
        ulong to = 1 + (ulong)_random.NextInt64((long)Newest);
        Guid id = NewId();
        ExpectedState expected = id.ToByteArray()[0] % 2 == 0 ? ExpectNewest(id) : ExpectedState.Any;
        PublishAsk ask = Ask(new PublishIntent(id, Application, PublishIntent.NoChanges, expected, NameOf(expected), to, "rollback"));
        _calls++;
        try
        {
            ClientPublishResult told = await client.RollbackAsync(
                Application, to, "rollback", ReleaseOf(expected), id, GenerationOf(expected)).ConfigureAwait(false);
            RolledBackCount++;
            Post(() => EndAsk(ask, ResultOf(told)));
        }
        catch (RipplePublishException e)
        {
            Refused(ask, e);
        }
        catch (RippleException)
        {
            UnknownCount++;
            Post(() => EndAsk(ask, null));
        }
        finally
        {
            _calls--;
        }
    }

    /// <summary>A release that was; every second time the one before the last that was read, as by somebody who compares.</summary>
    private ulong NextPast()
    {
        bool isComparing = _random.NextBool(0.5) && _past > 1 && _past <= Newest;
        return _past = isComparing ? _past - 1 : 1 + (ulong)_random.NextInt64((long)Newest);
    }

    private async Task ReadAsync(RippleClient client)
    {
        _calls++;
        try
        {
            double kind = _random.NextDouble();
            long askedNs = _world.Scheduler.NowNs;
            if (kind < 0.5)
            {
                ulong? release = _random.NextBool(0.5) && Newest > 0 ? NextPast() : null;
                var question = new ReadQuestion(Application, $"key-{_random.NextInt32(8)}", release, askedNs);
                ReadResult? told = await client.ReadAsync(Application, question.Key, release).ConfigureAwait(false);
                Post(() => OnRead(question, told?.Generation ?? 0, told?.Release ?? 0, told?.Value));
            }
            else if (kind < 0.8)
            {
                ApplicationStatus told = await client.StatusAsync(Application).ConfigureAwait(false);
                Post(() => OnStatus(askedNs, told.Generation, told.Release, [.. told.Members.Select(RowOf)]));
            }
            else
            {
                var lines = new List<HistoryLine>();
                await foreach (Ripple.Client.HistoryEntry entry in client.HistoryAsync(Application).ConfigureAwait(false))
                {
                    lines.Add(new HistoryLine(entry.Generation, entry.Release, entry.Id.ToString(), entry.Note, entry.Keys));
                    if (entry.Release % 16 == 0)
                    {
                        break;
                    }
                }

                Post(() => OnHistory(askedNs, lines));
            }

            ReadCount++;
        }
        catch (RippleException)
        {
            UnknownCount++;
        }
        finally
        {
            _calls--;
        }
    }

    private async Task WaitAsync(RippleClient client, ModelRelease release)
    {
        OperatorTerm term = NextPredicate?.Invoke() ?? OperatorTerm.AllApplied(isDirect: !_random.NextBool(0.5));
        TimeSpan time = NoTimeShare > 0 && _random.NextBool(NoTimeShare) ? TimeSpan.Zero
            : HasShortWaits && release.Release % 3 == 0 ? ShortWaitTime
            : WaitTime;
        long nowNs = _world.Scheduler.NowNs;
        var question = new WaitQuestion
        {
            Release = release,
            Term = term,
            Asker = Client.Machine,
            AskerLife = Client.Machine.StartCount,
            IsBare = release.Release % 4 == 0,
            AskedNs = nowNs,
            DeadlineNs = nowNs + (time.Ticks * TimeSpan.NanosecondsPerTick),
        };
        OnWaitSent(question);
        _calls++;
        try
        {
            ClientPublisher? progress = HasProgress ? this : null;
            ClientWaitResult told = await (question.IsBare
                ? client.WaitAsync(Application, release.Release, term.Text, time, progress)
                : client.WaitAsync(Application, release.Generation, release.Release, term.Text, time, progress)).ConfigureAwait(false);
            WaitOutcomes[(int)told.Outcome]++;
            // A time-out over nobody is the client's own: no host answered.
            bool isByHost = told.Outcome != WaitOutcome.TimedOut || told.Total > 0;
            Post(() => OnWaitAnswered(question, isByHost ? ResultOf(told) : null));
        }
        catch (RippleException e)
        {
            WaitErrorCount++;
            WaitResult? refusal = e.Code == ErrorCode.None ? null : new WaitResult(0, e.Code, e.Message, 0, 0, [], []);
            Post(() => OnWaitAnswered(question, refusal));
        }
        finally
        {
            _calls--;
        }
    }

    private void Acknowledge(PublishBegin begin, PublishAsk ask, PublishResult result)
    {
        EndAsk(ask, result);
        NoteAcknowledged(begin, result);
        _world.Script.Place(_random, $"wait {begin.PublishId}");
        if (_random.NextBool(0.5) && _client.Client is { } client && FindRelease(result.Id.ToString()) is { } release)
        {
            _client.Follow(WaitAsync(client, release));
        }
    }

    private void Refused(PublishAsk ask, RipplePublishException e)
    {
        RefusedCount++;
        var refusal = new PublishResult(0, e.Code, e.Message, e.NewestGeneration ?? 0, e.NewestRelease ?? 0, default);
        Post(() =>
        {
            SetNewest(e.NewestRelease ?? Newest, refusal);
            EndAsk(ask, refusal);
        });
    }

    private static PublishResult ResultOf(ClientPublishResult told) =>
        new(0, ErrorCode.None, string.Empty, told.Generation, told.Release, told.Id);

    private static WaitResult ResultOf(ClientWaitResult told) => new(
        0,
        ErrorCode.None,
        told.Text,
        (byte)told.Outcome,
        (uint)told.Total,
        [.. told.Members.Select(m => new WaitMember(m.Node, m.Name, m.Value, m.Reason))],
        [.. told.Discounted.Select(m => new WaitMember(m.Node, m.Name, m.Value, m.Reason))],
        told.Generation);

    private static StatusRow RowOf(MemberStatus member) => new(
        member.Node,
        member.Incarnation,
        member.Name,
        member.Zone,
        (byte)member.State,
        member.Received,
        member.Persisted,
        member.Applied,
        member.DirectApplied,
        member.Rejected,
        member.Reason);

    private PublishRequest RequestOf(PublishBegin begin, byte[] body)
    {
        var set = new SortedDictionary<string, ReadOnlyMemory<byte>>(StringComparer.Ordinal);
        var remove = new List<string>();
        int offset = 0;
        foreach (PublishKey key in begin.Keys)
        {
            if (key.IsRemove)
            {
                remove.Add(key.Key);
                continue;
            }

            set.Add(key.Key, body.AsMemory(offset, (int)key.Length));
            offset += (int)key.Length;
        }

        return new PublishRequest
        {
            Application = Application,
            PublishId = begin.PublishId,
            ExpectedRelease = ReleaseOf(begin.Expected),
            ExpectedGeneration = GenerationOf(begin.Expected),
            Note = begin.Note,
            Set = set,
            Remove = remove,
        };
    }

    private static ulong? ReleaseOf(ExpectedState expected) => expected.IsAny ? null : expected.Release;

    private static uint? GenerationOf(ExpectedState expected) => expected.Generation == 0 ? null : expected.Generation;

    /// <summary>Leaves the task that calls, which would keep what a checker throws to itself.</summary>
    private void Post(Action action) => _client.Scheduler!.Run(action);
}
