using Ripple.Client;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Testing.Cluster;
using Ripple.Testing.Simulation;
using PublishResult = Ripple.Client.PublishResult;
using WaitResult = Ripple.Client.WaitResult;

namespace Ripple.Testing.Clients;

/// <summary>
/// Publishes, rolls back, reads and waits through a real client, many calls at a time, each repeated by the client until its time is up.
/// The program keeps a journal of the publishes whose outcome it was not told, and makes them again with their ids, also after a crash.
/// </summary>
internal sealed class ClientPublisher : SimulatedPublisher
{
    /// <summary>
    /// The most calls under way. Fewer than a client has places for publishes and reads: a semaphore resumes on the thread pool.
    /// </summary>
    private const int CallsMax = 14;

    private static readonly TimeSpan WaitTime = TimeSpan.FromSeconds(10);
    private readonly SimulatedRippleClient _client;
    private readonly DeterministicRandom _random;
    private readonly SortedDictionary<long, PublishBegin> _journal = [];
    private long _number;
    private int _calls;
    private int _life;

    /// <summary>Creates a publisher on a client whose token allows publishing.</summary>
    public ClientPublisher(SimulatedWorld world, SimulatedRippleClient client, string application)
        : base(world, client, application)
    {
        ArgumentNullException.ThrowIfNull(world);
        _client = client;
        _random = world.Random.Fork(10);
    }

    /// <summary>The number of rollbacks that were answered with a release.</summary>
    public long RolledBackCount { get; private set; }

    /// <summary>The number of reads and lists answered.</summary>
    public long ReadCount { get; private set; }

    /// <summary>The number of calls that ended without an outcome.</summary>
    public long UnknownCount { get; private set; }

    /// <summary>The number of waits that ended with an exception.</summary>
    public long WaitErrorCount { get; private set; }

    /// <summary>Called for each rollback that was answered: the release asked for, the publish id, and the answer.</summary>
    public Action<ulong, Guid, PublishResult>? OnRolledBack { get; set; }

    /// <summary>Called for each wait that was answered: the publish waited for, the predicate, and the answer.</summary>
    public Action<PublishResult, string, WaitResult>? OnWaited { get; set; }

    /// <inheritdoc/>
    public override void Publish()
    {
        if (_life != Client.Machine.StartCount)
        {
            _life = Client.Machine.StartCount;
            _calls = 0;
            foreach (PublishBegin unknown in _journal.Values)
            {
                Remember(unknown);
            }

            _journal.Clear();
        }

        if (_client.Client is not { } client || _calls >= CallsMax)
        {
            return;
        }

        double kind = _random.NextDouble();
        _client.Scheduler!.Run(() => _client.Follow(kind switch
        {
            < 0.75 => PublishAsync(client),
            < 0.82 when Newest > 1 => RollBackAsync(client),
            _ => ReadAsync(client),
        }));
    }

    private async Task PublishAsync(RippleClient client)
    {
        PublishBegin begin = NextPublish(out byte[] body);
        long number = ++_number;
        _journal.Add(number, begin);
        SentCount++;
        _calls++;
        try
        {
            PublishResult result = await client.PublishAsync(RequestOf(begin, body)).ConfigureAwait(false);
            _journal.Remove(number);
            Post(() => Acknowledge(begin, result));
        }
        catch (RipplePublishException e)
        {
            _journal.Remove(number);
            Refused(e);
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
        _calls++;
        try
        {
            PublishResult result = await client.RollbackAsync(Application, to, "rollback", publishId: id).ConfigureAwait(false);
            RolledBackCount++;
            Post(() => OnRolledBack?.Invoke(to, id, result));
        }
        catch (RipplePublishException e)
        {
            Refused(e);
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

    private async Task ReadAsync(RippleClient client)
    {
        _calls++;
        try
        {
            double kind = _random.NextDouble();
            if (kind < 0.5)
            {
                ulong? release = _random.NextBool(0.5) && Newest > 0 ? 1 + (ulong)_random.NextInt64((long)Newest) : null;
                await client.ReadAsync(Application, $"key-{_random.NextInt32(8)}", release).ConfigureAwait(false);
            }
            else if (kind < 0.8)
            {
                await client.StatusAsync(Application).ConfigureAwait(false);
            }
            else
            {
                await foreach (Ripple.Client.HistoryEntry entry in client.HistoryAsync(Application).ConfigureAwait(false))
                {
                    if (entry.Release % 16 == 0)
                    {
                        break;
                    }
                }
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

    private async Task WaitAsync(RippleClient client, PublishResult published)
    {
        string predicate = _random.NextBool(0.5) ? "MIN($ALL.applied)" : "MIN($ALL.applied.direct)";
        _calls++;
        try
        {
            WaitResult result = await client.WaitAsync(Application, published.Release, predicate, WaitTime).ConfigureAwait(false);
            WaitOutcomes[(int)result.Outcome]++;
            Post(() =>
            {
                OnWaited?.Invoke(published, predicate, result);
                if (result.Outcome == WaitOutcome.Held)
                {
                    OnHeld?.Invoke(published.Generation, published.Release);
                }
            });
        }
        catch (RippleException)
        {
            WaitErrorCount++;
        }
        finally
        {
            _calls--;
        }
    }

    private void Acknowledge(PublishBegin begin, PublishResult result)
    {
        NoteAcknowledged(begin, new(0, ErrorCode.None, string.Empty, result.Generation, result.Release, result.Id));
        if (_random.NextBool(0.5) && _client.Client is { } client)
        {
            _client.Follow(WaitAsync(client, result));
        }
    }

    private void Refused(RipplePublishException e)
    {
        RefusedCount++;
        Newest = e.NewestRelease ?? Newest;
    }

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
            ExpectedRelease = begin.ExpectedRelease == PublishBegin.AnyRelease ? null : begin.ExpectedRelease,
            Note = begin.Note,
            Set = set,
            Remove = remove,
        };
    }

    /// <summary>Leaves the task that calls, which would keep what a checker throws to itself.</summary>
    private void Post(Action action) => _client.Scheduler!.Run(action);
}
