using System.Numerics;
using System.Runtime.InteropServices;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>
/// Shares work on releases between the nodes of one core: a release is decoded, hashed and built into a state once, not once per node. A
/// message matches an earlier one only when all their bytes are equal. Only for nodes that trust the same authority. Core thread.
/// </summary>
/// <remarks>
/// Bounded: keeps the newest <see cref="CountMax"/> messages, at most <see cref="BytesMax"/> in total with the values that were made from
/// their short forms, and nothing while fewer than two nodes use it. The results kept with a message depend only on its bytes and on the
/// state before it, never on what a node was told.
/// </remarks>
internal sealed class SharedReleases
{
    /// <summary>The most messages kept.</summary>
    public const int CountMax = 256;

    /// <summary>The most bytes of messages kept, and of values made from short forms; the decoded messages take as much again.</summary>
    public const int BytesMax = 4 * 1_024 * 1_024;

    // Covers the start of the header: application, numbers, and the previous release's id.
    private const int KeyBytes = 384;

    private readonly Dictionary<ulong, Entry> _byKey = new(CountMax);
    private readonly Queue<Entry> _byAge = new(CountMax);
    private int _holders;
    private bool _hasStates;

    /// <summary>Messages kept.</summary>
    public int Count => _byAge.Count;

    /// <summary>Their bytes, and those of the values that were made from their short forms.</summary>
    public int Bytes { get; private set; }

    /// <summary>Messages that were found, equal byte for byte.</summary>
    public long Hits { get; private set; }

    /// <summary>Messages that were decoded.</summary>
    public long Misses { get; private set; }

    /// <summary>Called when one more node uses this.</summary>
    public void Join() => _holders++;

    /// <summary>Called when one node fewer uses this.</summary>
    public void Leave()
    {
        if (--_holders < 2)
        {
            while (_byAge.Count > 0)
            {
                DropOldest();
            }
        }
    }

    /// <summary>
    /// Does the same as <see cref="ReleaseMessage.TryRead"/>, but returns the same object for equal bytes while they are kept.
    /// </summary>
    public DecodeStatus TryRead(ReadOnlySpan<byte> bytes, out ReleaseMessage? message)
    {
        ulong key = KeyOf(bytes);
        if (_byKey.TryGetValue(key, out Entry? found) && found.Bytes.AsSpan().SequenceEqual(bytes))
        {
            Hits++;
            message = found.Message;
            return DecodeStatus.Ok;
        }

        Misses++;
        DecodeStatus status = ReleaseMessage.TryRead(bytes, out message);
        if (status == DecodeStatus.Ok && _holders > 1 && bytes.Length <= BytesMax)
        {
            var entry = new Entry(key, bytes.ToArray(), message!);
            message!.Shared = new SharedWork(this, entry);
            Keep(entry);
        }

        return status;
    }

    /// <summary>Records that a state is kept with a message.</summary>
    internal void NoteState() => _hasStates = true;

    /// <summary>
    /// Drops the states kept with messages: later ones contain fetched values, and only the bytes of messages are counted.
    /// </summary>
    internal void DropStates()
    {
        if (!_hasStates)
        {
            return;
        }

        _hasStates = false;
        foreach (Entry entry in _byAge)
        {
            entry.Message.Shared?.DropState();
        }
    }

    /// <summary>
    /// Records that values were made from a message's short forms, which may be far longer than it: the oldest messages give way. False
    /// where the message is kept no more, or they have no room; then they are not shared.
    /// </summary>
    internal bool TryCount(Entry entry, int madeBytes)
    {
        if (!entry.IsKept || entry.Bytes.Length + madeBytes > BytesMax)
        {
            return false;
        }

        while (Bytes + madeBytes > BytesMax && entry.IsKept)
        {
            DropOldest();
        }

        if (!entry.IsKept)
        {
            return false;
        }

        entry.MadeBytes += madeBytes;
        Bytes += madeBytes;
        return true;
    }

    private static ulong KeyOf(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<byte> head = bytes[..Math.Min(KeyBytes, bytes.Length)];
        uint crc = 0;
        foreach (ulong word in MemoryMarshal.Cast<byte, ulong>(head))
        {
            crc = BitOperations.Crc32C(crc, word);
        }

        return ((ulong)crc << 32) | (uint)bytes.Length;
    }

    private void Keep(Entry entry)
    {
        while (_byAge.Count == CountMax || Bytes + entry.Bytes.Length > BytesMax)
        {
            DropOldest();
        }

        // An older message with the same key stays until it is evicted, but is no longer found: the newest one is more likely to be read
        // next.
        _byKey[entry.Key] = entry;
        _byAge.Enqueue(entry);
        Bytes += entry.Bytes.Length;
    }

    private void DropOldest()
    {
        Entry oldest = _byAge.Dequeue();
        oldest.IsKept = false;
        Bytes -= oldest.Bytes.Length + oldest.MadeBytes;
        if (oldest.MadeBytes > 0)
        {
            // Who still holds the message holds no values that are not counted.
            oldest.Message.Shared?.DropMade();
        }

        if (_byKey.TryGetValue(oldest.Key, out Entry? held) && ReferenceEquals(held, oldest))
        {
            _byKey.Remove(oldest.Key);
        }
    }

    /// <summary>A message that is kept.</summary>
    internal sealed class Entry(ulong key, byte[] bytes, ReleaseMessage message)
    {
        public ulong Key { get; } = key;

        public byte[] Bytes { get; } = bytes;

        public ReleaseMessage Message { get; } = message;

        public int MadeBytes { get; set; }

        public bool IsKept { get; set; } = true;
    }
}

/// <summary>
/// The results computed from one message that several nodes of a core received; the first node that needs a result computes it. Core
/// thread.
/// </summary>
internal sealed class SharedWork(SharedReleases owner, SharedReleases.Entry entry)
{
    private ReleaseState? _from;
    private ReleaseState? _to;
    private ReleaseMessage? _signed;
    private ReleaseProof? _proof;
    private ApplicationState? _stateFrom;
    private ApplicationState? _stateTo;

    /// <summary>True once the verifier of these nodes has verified its signature.</summary>
    public bool IsVerified { get; set; }

    /// <summary>Digest-checked values by change index; null until first computed. Read-only.</summary>
    public ReadOnlyMemory<byte>?[]? Bodies { get; set; }

    /// <summary>
    /// All values are there, some of them made from short forms: they serve the other nodes, while there is room for them.
    /// </summary>
    /// <param name="bodies">By change index. Read-only from now on.</param>
    /// <param name="madeBytes">The bytes of those that were made.</param>
    public void SetMade(ReadOnlyMemory<byte>?[] bodies, int madeBytes)
    {
        if (owner.TryCount(entry, madeBytes))
        {
            Bodies = bodies;
        }
    }

    /// <summary>The message is kept no more, and what was made from it with it.</summary>
    public void DropMade()
    {
        Bodies = null;
        DropState();
    }

    /// <summary>The state that follows <paramref name="head"/> by this release; null when it is not known.</summary>
    public ReleaseState? After(ReleaseState head) => _to is not null && _from!.IsSame(head) ? _to : null;

    public void SetAfter(ReleaseState head, ReleaseState next)
    {
        _from = head;
        _to = next;
    }

    /// <summary>
    /// The proof that ends with this signed message; null when it is not known. Each header names the one before it, so the two ends
    /// determine the whole proof.
    /// </summary>
    public ReleaseProof? ProofBy(ReleaseMessage signed) => ReferenceEquals(_signed, signed) ? _proof : null;

    public void SetProof(ReleaseMessage signed, ReleaseProof proof)
    {
        _signed = signed;
        _proof = proof;
    }

    /// <summary>
    /// The state, with all values, that follows <paramref name="received"/> by this release; null when it is not known. For nodes that take
    /// every key.
    /// </summary>
    public ApplicationState? After(ApplicationState received) => _stateTo is not null && IsSame(_stateFrom!, received) ? _stateTo : null;

    public void SetAfter(ApplicationState received, ApplicationState next)
    {
        _stateFrom = received;
        _stateTo = next;
        owner.NoteState();
    }

    public void DropState()
    {
        _stateFrom = null;
        _stateTo = null;
    }

    /// <summary>Called when a value of the release was fetched, not part of its message.</summary>
    public void OnFetched() => owner.DropStates();

    /// <summary>Two complete sets of values are equal when both were checked against the same key table.</summary>
    private static bool IsSame(ApplicationState a, ApplicationState b) =>
        ReferenceEquals(a, b) || (a.Keys.IsSame(b.Keys) && a.Values.Count == a.Keys.Keys.Count && b.Values.Count == b.Keys.Keys.Count);
}
