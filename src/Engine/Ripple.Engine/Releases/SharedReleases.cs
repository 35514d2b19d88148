using System.Numerics;
using System.Runtime.InteropServices;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>
/// What the nodes of one core share of the releases they take, so that a release is decoded, hashed and built into a state once and not
/// once a node. A message is taken for one that was seen only when all its bytes are equal. For nodes that trust the same authority. Core
/// thread.
/// </summary>
/// <remarks>
/// Bounded: the newest <see cref="CountMax"/> messages, of <see cref="BytesMax"/> together; nothing is kept while fewer than two nodes hold
/// it. What is kept with a message is what its bytes and the state before it lead to, never what a node was told.
/// </remarks>
internal sealed class SharedReleases
{
    /// <summary>The most messages kept.</summary>
    public const int CountMax = 256;

    /// <summary>The most bytes of messages kept; decoded, they take as much again.</summary>
    public const int BytesMax = 4 * 1_024 * 1_024;

    // The header's beginning: application, numbers, the id of the release before.
    private const int KeyBytes = 384;

    private readonly Dictionary<ulong, Entry> _byKey = new(CountMax);
    private readonly Queue<Entry> _byAge = new(CountMax);
    private int _holders;
    private bool _hasStates;

    /// <summary>Messages kept.</summary>
    public int Count => _byAge.Count;

    /// <summary>Their bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Messages that were there already: equal byte for byte.</summary>
    public long Hits { get; private set; }

    /// <summary>Messages that were decoded.</summary>
    public long Misses { get; private set; }

    /// <summary>One more node uses this.</summary>
    public void Join() => _holders++;

    /// <summary>One node less uses this.</summary>
    public void Leave()
    {
        if (--_holders < 2)
        {
            _byKey.Clear();
            _byAge.Clear();
            Bytes = 0;
        }
    }

    /// <summary>As <see cref="ReleaseMessage.TryRead"/>; the same object for equal bytes while they are kept.</summary>
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
            message!.Shared = new SharedWork(this);
            Keep(key, new Entry(key, bytes.ToArray(), message));
        }

        return status;
    }

    /// <summary>Notes that a state is kept with a message.</summary>
    internal void NoteState() => _hasStates = true;

    /// <summary>
    /// Lets go of the states kept with messages: values that were fetched are in the next ones, and only those of messages are counted.
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

    private void Keep(ulong key, Entry entry)
    {
        while (_byAge.Count == CountMax || Bytes + entry.Bytes.Length > BytesMax)
        {
            Entry oldest = _byAge.Dequeue();
            Bytes -= oldest.Bytes.Length;
            if (_byKey.TryGetValue(oldest.Key, out Entry? held) && ReferenceEquals(held, oldest))
            {
                _byKey.Remove(oldest.Key);
            }
        }

        // Another message of the same key stays until its age is up, and is not found any more: the newest is what comes next.
        _byKey[key] = entry;
        _byAge.Enqueue(entry);
        Bytes += entry.Bytes.Length;
    }

    private sealed record Entry(ulong Key, byte[] Bytes, ReleaseMessage Message);
}
