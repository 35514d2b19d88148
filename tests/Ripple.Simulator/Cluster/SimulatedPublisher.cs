using System.Collections.Immutable;
using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// Publishes through a client's node: new content, repeated publishes, publishes on top of the expected release and sometimes of a wrong
/// one; then waits for proofs. Records the acknowledged publishes. Runs outside the core of its machine.
/// </summary>
internal partial class SimulatedPublisher
{
    private const int PartBytes = 32 * 1_024;
    private const int LargeBytesMax = (16 * 1_024 * 1_024) - (4 * 140_000);
    private const int DrawnBytesMax = 256 * 1_024;
    private const int EditedBytes = 24;
    private const int RivalsEvery = 8;
    private readonly DeterministicRandom _random;
    private readonly SimulatedWorld _world;
    private readonly Queue<PublishBegin> _again = [];
    private readonly List<PublishAsk> _underWay = [];
    private string? _newestName;
    private int _life;
    private uint _generation;
    private uint _newestGeneration;

    /// <summary>Creates a publisher on a client whose token allows publishing.</summary>
    public SimulatedPublisher(SimulatedWorld world, SimulatedClient client, string application)
    {
        ArgumentNullException.ThrowIfNull(world);
        _world = world;
        Client = client;
        Application = application;
        _random = world.Random.Fork(9);
    }

    /// <summary>The client it publishes through.</summary>
    public SimulatedClient Client { get; }

    /// <summary>The application it publishes to.</summary>
    public string Application { get; }

    /// <summary>The number of publishes sent.</summary>
    public long SentCount { get; protected set; }

    /// <summary>The number of publishes acknowledged.</summary>
    public long AcknowledgedCount { get; private set; }

    /// <summary>The number of publishes refused.</summary>
    public long RefusedCount { get; protected set; }

    /// <summary>Records a publish before it is sent.</summary>
    public Func<PublishIntent, PublishAsk> OnAsked { get; set; } = intent => new PublishAsk(intent, 0);

    /// <summary>Called with each answer; null when the connection was lost before it.</summary>
    public Action<PublishAsk, PublishResult?> OnAnswered { get; set; } = (_, _) => { };

    /// <summary>Called with the answer to a read: the generation and the release it is from, and the value; null for none.</summary>
    public Action<ReadQuestion, uint, ulong, ReadOnlyMemory<byte>?> OnRead { get; set; } = (_, _, _, _) => { };

    /// <summary>Called with the first lines of a history, newest first, and when it was asked for.</summary>
    public Action<long, IReadOnlyList<HistoryLine>> OnHistory { get; set; } = (_, _) => { };

    /// <summary>The share of publishes that have a value of half a MiB to nearly 16 MiB. Default 0.</summary>
    public double LargeShare { get; set; }

    /// <summary>How many MiB the largest of these values may have, a power of two. Default 16.</summary>
    public int LargeMiBMax { get; set; } = 16;

    /// <summary>Whether all values are shorter than a packet. Default false: some fill several, a few are above the inline limit.</summary>
    public bool IsBrief { get; set; }

    /// <summary>The note of a publish, by its id. Default a short one.</summary>
    public Func<Guid, string> NoteOf { get; set; } = _ => "simulated";

    /// <summary>The most calls that are made at a time. Default 1.</summary>
    public int BurstMax { get; set; } = 1;

    /// <summary>The newest release it was told of.</summary>
    protected ulong Newest { get; private set; }

    /// <summary>The number of its present turn, by which a script knows what it draws.</summary>
    protected int Turn { get; set; }

    /// <summary>Takes a turn: sends a publish if it can. On the core of the client's machine.</summary>
    public void Publish(int turn)
    {
        Turn = turn;
        Publish();
    }

    /// <summary>Sends a publish. On the core of the client's machine.</summary>
    public virtual void Publish()
    {
        LoseAsksOfLastLife();
        if (!Client.Machine.IsRunning || Client.Node is not { } node || node.Link is not { } link)
        {
            return;
        }

        PublishBegin begin = NextPublish(out byte[] body);
        Send(node, link, begin, body);
        if (begin.Expected.IsAny && begin.PublishId.ToByteArray()[3] % RivalsEvery == 0)
        {
            // While the first is being stored these two wait; the second is on top of it, but for the one between.
            ExpectedState guessed = Newest + 1;
            foreach (ExpectedState expected in (ExpectedState[])[ExpectedState.Any, guessed])
            {
                PublishBegin rival = NewPublish($"rival {Turn} {expected}") with { Expected = expected };
                Send(node, link, rival, BodyOf(rival));
            }
        }
    }

    private void Send(Node node, ILink link, PublishBegin begin, byte[] body)
    {
        PublishBegin asked = begin;
        PublishAsk ask = Ask(IntentOf(begin, body));
        uint call = node.Calls.Register(answer => OnAnswer(node, asked, ask, answer));
        if (call == 0)
        {
            EndAsk(ask, null);
            return;
        }

        SentCount++;
        if (!link.TrySend(begin with { Call = call }))
        {
            node.Calls.Complete(call);
            EndAsk(ask, null);
            return;
        }

        for (int offset = 0; offset < body.Length; offset += PartBytes)
        {
            if (!link.TrySend(new PublishPart(call, body.AsMemory(offset, Math.Min(PartBytes, body.Length - offset)))))
            {
                // Without its last part it never completes: it is published again later, with the same id.
                node.Calls.Complete(call);
                EndAsk(ask, null);
                _again.Enqueue(begin);
                return;
            }
        }
    }

    /// <summary>Records a publish or a rollback before it is sent.</summary>
    protected PublishAsk Ask(PublishIntent intent)
    {
        PublishAsk ask = OnAsked(intent);
        _underWay.Add(ask);
        return ask;
    }

    /// <summary>Records the answer; null when nobody will ever know.</summary>
    protected void EndAsk(PublishAsk ask, PublishResult? answer)
    {
        _underWay.Remove(ask);
        OnAnswered(ask, answer);
    }

    /// <summary>After a crash nobody will be told what became of the publishes that were under way.</summary>
    /// <returns>True if the process is another one than at the last call.</returns>
    protected bool LoseAsksOfLastLife()
    {
        if (_life == Client.Machine.StartCount)
        {
            return false;
        }

        _life = Client.Machine.StartCount;
        foreach (PublishAsk ask in _underWay.ToArray())
        {
            EndAsk(ask, null);
        }

        return true;
    }

    /// <summary>A publish of new content, or one that is made again; its content follows from its id.</summary>
    protected PublishBegin NextPublish(out byte[] body)
    {
        _world.Script.Place(_random, $"turn {Turn}");
        PublishBegin begin = _again.Count > 0 && _random.NextBool(0.25) ? _again.Dequeue() : NewPublish($"new {Turn}");
        body = BodyOf(begin);
        return begin;
    }

    /// <summary>A new publish id.</summary>
    protected Guid NewId()
    {
        Span<byte> id = stackalloc byte[16];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt64LittleEndian(id, _random.NextUInt64());
        System.Buffers.Binary.BinaryPrimitives.WriteUInt64LittleEndian(id[8..], _random.NextUInt64());
        return new Guid(id);
    }

    /// <summary>Records an acknowledged publish, which is sometimes made again.</summary>
    protected void NoteAcknowledged(PublishBegin asked, PublishResult result)
    {
        ArgumentNullException.ThrowIfNull(asked);
        ArgumentNullException.ThrowIfNull(result);
        AcknowledgedCount++;
        SetNewest(Math.Max(result.Release, result.Generation > _generation ? 0 : Newest), result);
        _generation = Math.Max(_generation, result.Generation);
        _world.Script.Place(_random, $"answer {asked.PublishId}");
        if (_random.NextBool(0.2))
        {
            Remember(asked);
        }
    }

    /// <summary>Records which release an answer says is the newest; its name is known if the answer is about that release.</summary>
    protected void SetNewest(ulong newest, PublishResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        string? told = result.Id == default ? null : result.Id.ToString();
        _newestName = newest == result.Release ? told : newest == Newest ? _newestName : null;
        _newestGeneration = newest == result.Release ? result.Generation : newest == Newest ? _newestGeneration : 0;
        Newest = newest;
    }

    /// <summary>Keeps a publish to make it again later.</summary>
    protected void Remember(PublishBegin asked)
    {
        if (_again.Count < 64)
        {
            _again.Enqueue(asked);
        }
    }

    private static byte[] BodyOf(PublishBegin begin)
    {
        // The content is derived from the publish id, so that a repeated publish has the same content.
        byte[] bytes = new byte[PublishLength(begin)];
        byte[] id = begin.PublishId.ToByteArray();
        var random = new DeterministicRandom(BitConverter.ToUInt64(id));
        // Half of all publishes edit what a key mostly has, as people do; the others have nothing in common with what was there.
        bool isEdit = id[3] % 2 == 0;
        int offset = 0;
        foreach (PublishKey key in begin.Keys)
        {
            if (key.IsRemove)
            {
                continue;
            }

            int drawn = (int)Math.Min(key.Length, DrawnBytesMax);
            Draw(bytes.AsSpan(offset, drawn), isEdit ? new DeterministicRandom((ulong)key.Key[^1]) : random);
            if (isEdit)
            {
                int edited = Math.Min(drawn, EditedBytes);
                Draw(bytes.AsSpan(offset + random.NextInt32(drawn - edited + 1), edited), random);
            }

            // Drawing each byte of a large value would take longer than all else in a run.
            for (int i = DrawnBytesMax; i < key.Length; i++)
            {
                bytes[offset + i] = (byte)(bytes[offset + i - DrawnBytesMax] + 1);
            }

            offset += (int)key.Length;
        }

        return bytes;
    }

    private static void Draw(Span<byte> letters, DeterministicRandom random)
    {
        for (int i = 0; i < letters.Length; i++)
        {
            letters[i] = (byte)('a' + random.NextInt32(26));
        }
    }

    /// <summary>What a publish means, with the bytes of its keys one after the other.</summary>
    protected PublishIntent IntentOf(PublishBegin begin, byte[] body)
    {
        ImmutableSortedDictionary<string, byte[]?>.Builder changes = PublishIntent.NoChanges.ToBuilder();
        int offset = 0;
        foreach (PublishKey key in begin.Keys)
        {
            changes[key.Key] = key.IsRemove ? null : body.AsSpan(offset, (int)key.Length).ToArray();
            offset += key.IsRemove ? 0 : (int)key.Length;
        }

        return new PublishIntent(
            begin.PublishId, begin.Application, changes.ToImmutable(), begin.Expected, NameOf(begin.Expected), null, begin.Note);
    }

    /// <summary>The newest release that it knows, three times of four with its generation, by the id of who expects it.</summary>
    protected ExpectedState ExpectNewest(Guid id) => new(id.ToByteArray()[1] % 4 == 0 ? 0 : _newestGeneration, Newest);

    /// <summary>The name of an expected release; null if it was never told, or if only a number is expected.</summary>
    protected string? NameOf(ExpectedState expected) =>
        expected.Generation != 0 && expected == new ExpectedState(_newestGeneration, Newest) ? _newestName : null;

    private static long PublishLength(PublishBegin begin) => begin.Keys.Sum(k => k.IsRemove ? 0L : k.Length);

    private PublishBegin NewPublish(string place)
    {
        _world.Script.Place(_random, place);
        Guid id = NewId();
        int count = 1 + _random.NextInt32(4);
        var keys = new SortedDictionary<string, PublishKey>(StringComparer.Ordinal);
        for (int i = 0; i < count; i++)
        {
            string name = $"key-{_random.NextInt32(8)}";
            bool isRemove = i > 0 && _random.NextBool(0.15);
            // Mostly small, sometimes several packets, rarely above the inline limit.
            double size = _random.NextDouble();
            int length = i == 0 && LargeShare > 0 && _random.NextBool(LargeShare) ? LargeLength()
                : size < 0.8 || IsBrief ? _random.NextInt32(600)
                : size < 0.97 ? _random.NextInt32(20_000)
                : 70_000 + _random.NextInt32(60_000);
            keys[name] = new PublishKey(name, isRemove, isRemove ? 0 : (uint)length);
        }

        if (keys.Values.All(k => k.IsRemove))
        {
            keys["key-0"] = new PublishKey("key-0", false, 10);
        }

        double kind = _random.NextDouble();
        ExpectedState expected = kind < 0.6 ? ExpectedState.Any
            : kind < 0.85 ? ExpectNewest(id)
            : (ulong)_random.NextInt64((long)Newest + 2);
        return new PublishBegin(0, Application, id, expected, NoteOf(id), string.Empty, [.. keys.Values]);
    }

    /// <summary>Up to what a publish may have in all, less what its other keys may.</summary>
    private int LargeLength()
    {
        int most = (1 << _random.NextInt32(BitOperations.Log2((uint)LargeMiBMax) + 1)) * 1_024 * 1_024;
        return Math.Min(most / 2 + _random.NextInt32(most / 2 + 1), LargeBytesMax);
    }

    private void OnAnswer(Ripple.Engine.Nodes.Node node, PublishBegin asked, PublishAsk ask, object? answer)
    {
        if (answer is not PublishResult result)
        {
            // Whether it was carried out is unknown; repeating it with the same id will tell.
            EndAsk(ask, null);
            Remember(asked);
            return;
        }

        node.Calls.Complete(result.Call);
        EndAsk(ask, result);
        if (result.Code != ErrorCode.None)
        {
            RefusedCount++;
            SetNewest(result.Release > 0 ? result.Release : Newest, result);
            if (result.Code is ErrorCode.Busy)
            {
                Remember(asked);
            }

            return;
        }

        NoteAcknowledged(asked, result);
        if (_random.NextBool(0.5))
        {
            Wait(node, result);
        }
    }
}
