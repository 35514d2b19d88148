using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Publishes through a client's node: new content, repeated publishes, publishes on top of the expected release and sometimes of a wrong
/// one; then waits for proofs. Records the acknowledged publishes. Runs outside the core of its machine.
/// </summary>
internal class SimulatedPublisher
{
    private const int PartBytes = 32 * 1_024;
    private readonly DeterministicRandom _random;
    private readonly Queue<PublishBegin> _again = [];
    private uint _generation;

    /// <summary>Creates a publisher on a client whose token allows publishing.</summary>
    public SimulatedPublisher(SimulatedWorld world, SimulatedClient client, string application)
    {
        ArgumentNullException.ThrowIfNull(world);
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

    /// <summary>The number of ended waits, by outcome.</summary>
    public long[] WaitOutcomes { get; } = new long[3];

    /// <summary>Called for each acknowledged publish with the request and the answer.</summary>
    public Action<PublishBegin, PublishResult>? OnAcknowledged { get; set; }

    /// <summary>Called when a wait for <c>MIN($ALL.applied)</c> has held.</summary>
    public Action<uint, ulong>? OnHeld { get; set; }

    /// <summary>The newest release it was told of.</summary>
    protected ulong Newest { get; set; }

    /// <summary>Sends a publish. On the core of the client's machine.</summary>
    public virtual void Publish()
    {
        if (!Client.Machine.IsRunning || Client.Node is not { } node || node.Link is not { } link)
        {
            return;
        }

        PublishBegin begin = NextPublish(out byte[] body);
        PublishBegin asked = begin;
        uint call = node.Calls.Register(answer => OnAnswer(node, asked, answer));
        if (call == 0)
        {
            return;
        }

        SentCount++;
        if (!link.TrySend(begin with { Call = call }))
        {
            node.Calls.Complete(call);
            return;
        }

        for (int offset = 0; offset < body.Length; offset += PartBytes)
        {
            if (!link.TrySend(new PublishPart(call, body.AsMemory(offset, Math.Min(PartBytes, body.Length - offset)))))
            {
                // Without its last part it never completes: it is published again later, with the same id.
                node.Calls.Complete(call);
                _again.Enqueue(begin);
                return;
            }
        }
    }

    /// <summary>A publish of new content, or one that is made again; its content follows from its id.</summary>
    protected PublishBegin NextPublish(out byte[] body)
    {
        PublishBegin begin = _again.Count > 0 && _random.NextBool(0.25) ? _again.Dequeue() : NewPublish();
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
        ArgumentNullException.ThrowIfNull(result);
        AcknowledgedCount++;
        Newest = Math.Max(result.Release, result.Generation > _generation ? 0 : Newest);
        _generation = Math.Max(_generation, result.Generation);
        OnAcknowledged?.Invoke(asked, result);
        if (_random.NextBool(0.2))
        {
            Remember(asked);
        }
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
        var random = new DeterministicRandom(BitConverter.ToUInt64(begin.PublishId.ToByteArray()));
        int offset = 0;
        foreach (PublishKey key in begin.Keys)
        {
            if (key.IsRemove)
            {
                continue;
            }

            for (int i = 0; i < key.Length; i++)
            {
                bytes[offset + i] = (byte)('a' + random.NextInt32(26));
            }

            offset += (int)key.Length;
        }

        return bytes;
    }

    private static long PublishLength(PublishBegin begin) => begin.Keys.Sum(k => k.IsRemove ? 0L : k.Length);

    private PublishBegin NewPublish()
    {
        Guid id = NewId();
        int count = 1 + _random.NextInt32(4);
        var keys = new SortedDictionary<string, PublishKey>(StringComparer.Ordinal);
        for (int i = 0; i < count; i++)
        {
            string name = $"key-{_random.NextInt32(8)}";
            bool isRemove = i > 0 && _random.NextBool(0.15);
            // Mostly small, sometimes several packets, rarely above the inline limit.
            double size = _random.NextDouble();
            int length = size < 0.8 ? _random.NextInt32(600) : size < 0.97 ? _random.NextInt32(20_000) : 70_000 + _random.NextInt32(60_000);
            keys[name] = new PublishKey(name, isRemove, isRemove ? 0 : (uint)length);
        }

        if (keys.Values.All(k => k.IsRemove))
        {
            keys["key-0"] = new PublishKey("key-0", false, 10);
        }

        double kind = _random.NextDouble();
        ulong expected = kind < 0.6 ? PublishBegin.AnyRelease : kind < 0.85 ? Newest : (ulong)_random.NextInt64((long)Newest + 2);
        return new PublishBegin(0, Application, id, expected, "simulated", string.Empty, [.. keys.Values]);
    }

    private void OnAnswer(Ripple.Engine.Nodes.Node node, PublishBegin asked, object? answer)
    {
        if (answer is not PublishResult result)
        {
            // Whether it was carried out is unknown; repeating it with the same id will tell.
            Remember(asked);
            return;
        }

        node.Calls.Complete(result.Call);
        if (result.Code != ErrorCode.None)
        {
            RefusedCount++;
            Newest = result.Release > 0 ? result.Release : Newest;
            if (result.Code is ErrorCode.Busy)
            {
                Remember(asked);
            }

            return;
        }

        NoteAcknowledged(asked, result);
        if (_random.NextBool(0.5))
        {
            Wait(node, result.Generation, result.Release);
        }
    }

    private void Wait(Ripple.Engine.Nodes.Node node, uint generation, ulong release)
    {
        if (node.Link is not { } link)
        {
            return;
        }

        uint call = 0;
        call = node.Calls.Register(answer =>
        {
            if (answer is WaitResult result)
            {
                node.Calls.Complete(call);
                if (result.Code == ErrorCode.None)
                {
                    WaitOutcomes[result.Outcome]++;
                    if (result.Outcome == 0)
                    {
                        OnHeld?.Invoke(generation, release);
                    }
                }
            }
        });
        string predicate = _random.NextBool(0.5) ? "MIN($ALL.applied)" : "MIN($ALL.applied.direct)";
        if (call != 0 && !link.TrySend(new Wait(call, Application, generation, release, predicate, 10_000, false)))
        {
            node.Calls.Complete(call);
        }
    }
}
