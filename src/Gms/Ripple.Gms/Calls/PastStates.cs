using System.Collections.Immutable;
using Ripple.Engine.Memory;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>
/// Past states of applications, for all who ask. Each takes a walk through the history, so it is read once for those who ask meanwhile, a
/// few are read at a time, applications in turn, and what was used last is kept for a while: up to a number of bytes, and none that alone
/// has more. Core thread.
/// </summary>
internal sealed class PastStates(HostContext context)
{
    /// <summary>Memory of a key besides its characters: of the table and of the trie. Measured with 50,000 keys: 490.</summary>
    public const int KeyBytes = 512;

    /// <summary>Both sides of a comparison: one is read while the other is handed over.</summary>
    private const int ReadsMax = 2;

    /// <summary>Who compares and looks around comes back within a minute.</summary>
    private const long UnusedNs = 60_000_000_000;

    private readonly LinkedList<Kept> _byUse = [];
    private readonly SortedDictionary<(uint Topic, ulong Release), LinkedListNode<Kept>> _kept = [];
    private readonly SortedDictionary<(uint Topic, ulong Release), List<Action<Answer<ReleaseState>>>> _asked = [];
    private readonly TurnQueue<(uint Topic, ulong Release)> _waiting = new();
    private int _readCount;

    /// <summary>
    /// Adds the memory of what is kept. States that are being read are as large as what was published, like the newest ones, and no line.
    /// </summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(MemoryScope.Process, MemoryKind.Transient, "past states that were read", 1, options.Limits.PastStatesBytesMax);

    /// <summary>Bytes of the states that are kept.</summary>
    public long Bytes { get; private set; }

    /// <summary>
    /// Reads the state of an application at a release. <paramref name="done"/> runs once, now or later, with the state, with a null value
    /// if there is no such release, or with a refusal. How many may ask is for the callers to bound.
    /// </summary>
    public void Read(uint topic, ulong release, Action<Answer<ReleaseState>> done)
    {
        (uint, ulong) id = (topic, release);
        if (_kept.TryGetValue(id, out LinkedListNode<Kept>? kept))
        {
            kept.Value.UsedNs = context.Core.NowNs;
            _byUse.Remove(kept);
            _byUse.AddLast(kept);
            done(kept.Value.State);
        }
        else if (_asked.TryGetValue(id, out List<Action<Answer<ReleaseState>>>? asked))
        {
            asked.Add(done);
        }
        else
        {
            _asked.Add(id, [done]);
            _waiting.Add(topic, id);
            ReadNext();
        }
    }

    /// <summary>Gives back what was not used for a minute.</summary>
    public void Sweep()
    {
        while (_byUse.First is { } oldest && oldest.Value.UsedNs < context.Core.NowNs - UnusedNs)
        {
            Drop(oldest);
        }
    }

    private static long BytesOf(ReleaseState state)
    {
        long bytes = 0;
        foreach (string key in state.Keys.Keys)
        {
            bytes += KeyBytes + (sizeof(char) * (long)key.Length);
        }

        return bytes;
    }

    private void ReadNext()
    {
        while (_readCount < ReadsMax && _waiting.TryTake(out (uint Topic, ulong Release) id))
        {
            _readCount++;
            bool isTaken = context.Store.ReadState(id.Topic, id.Release, result =>
            {
                // Where the answer comes from: a key table may be large.
                long bytes = result.Value is { } state ? BytesOf(state) : 0;
                context.Completions.Complete(() =>
                    OnRead(id, bytes, new Answer<ReleaseState>(result.Value, StoreAnswer.RefusalOf(result))));
            });
            if (!isTaken)
            {
                OnRead(id, 0, StoreAnswer.Busy);
            }
        }
    }

    private void OnRead((uint Topic, ulong Release) id, long bytes, Answer<ReleaseState> answer)
    {
        _readCount--;
        if (answer.Value is { } state && bytes <= context.Options.Limits.PastStatesBytesMax)
        {
            Keep(id, state, bytes);
        }

        _asked.Remove(id, out List<Action<Answer<ReleaseState>>>? asked);
        asked!.ForEach(done => done(answer));
        ReadNext();
    }

    private void Keep((uint Topic, ulong Release) id, ReleaseState state, long bytes)
    {
        while (Bytes + bytes > context.Options.Limits.PastStatesBytesMax)
        {
            Drop(_byUse.First!);
        }

        Bytes += bytes;
        _kept.Add(id, _byUse.AddLast(new Kept(id, state, bytes) { UsedNs = context.Core.NowNs }));
    }

    private void Drop(LinkedListNode<Kept> node)
    {
        Bytes -= node.Value.Bytes;
        _byUse.Remove(node);
        _kept.Remove(node.Value.Id);
    }

    private sealed class Kept((uint Topic, ulong Release) id, ReleaseState state, long bytes)
    {
        public (uint Topic, ulong Release) Id { get; } = id;

        public ReleaseState State { get; } = state;

        public long Bytes { get; } = bytes;

        public long UsedNs { get; set; }
    }
}

/// <summary>The key table of an application at a release. Immutable.</summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="Generation">The release's generation; 0 before the first.</param>
/// <param name="Release">The release; 0 before the first.</param>
/// <param name="Keys">Its keys, in the order of their bytes.</param>
internal sealed record HistoricalState(uint Topic, uint Generation, ulong Release, ImmutableSortedDictionary<string, KeyEntry> Keys)
{
    public static HistoricalState Of(uint topic, ReleaseState state) => new(topic, state.Generation, state.Release, state.Keys);
}
