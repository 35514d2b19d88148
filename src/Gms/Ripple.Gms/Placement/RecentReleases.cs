using Ripple.Engine.Core;
using Ripple.Gms.Membership;

namespace Ripple.Gms.Placement;

/// <summary>The newest committed releases of one application, encoded for the streams, in bounded memory. Core thread.</summary>
public sealed class RecentReleases
{
    private const int EntriesMin = 64;
    private readonly long _bytesMax;
    // Release r stands at r modulo the length, a power of two.
    private Entry[] _entries = new Entry[EntriesMin];
    private ulong _next;
    private long _addedBytes;

    internal RecentReleases(ulong next, long bytesMax)
    {
        First = _next = next;
        _bytesMax = bytesMax;
    }

    internal static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(MemoryScope.Application, MemoryKind.Kept, "releases: the newest as streams send them", 1, options.RecentBytesMax);

    /// <summary>The bytes held.</summary>
    public long Bytes => BytesFrom(First);

    /// <summary>The bound of <see cref="Bytes"/>; one message may exceed it by itself.</summary>
    public long BytesMax => _bytesMax;

    /// <summary>The oldest release held; the next one when none is.</summary>
    public ulong First { get; private set; }

    /// <summary>The bytes of the messages held from a release on: what who has come there has still to take.</summary>
    public long BytesFrom(ulong release) => release >= _next ? 0 : _addedBytes - At(Math.Max(release, First)).StartBytes;

    /// <summary>Adds the next release.</summary>
    internal void Add(ulong release, byte[] message)
    {
        if (release != _next)
        {
            Array.Clear(_entries);
            First = release;
        }
        else if (_next - First == (ulong)_entries.Length)
        {
            Grow();
        }

        At(release) = new Entry(message, _addedBytes);
        _addedBytes += message.Length;
        _next = release + 1;
        while (Bytes > _bytesMax && _next - First > 1)
        {
            At(First++) = default;
        }
    }

    /// <summary>The message of a release; null when it is no longer, or not yet, here.</summary>
    internal byte[]? Find(ulong release) => release < First || release >= _next ? null : At(release).Message;

    private ref Entry At(ulong release) => ref _entries[release & (ulong)(_entries.Length - 1)];

    private void Grow()
    {
        var entries = new Entry[2 * _entries.Length];
        for (ulong release = First; release < _next; release++)
        {
            entries[release & (ulong)(entries.Length - 1)] = At(release);
        }

        _entries = entries;
    }

    /// <param name="Message">The message.</param>
    /// <param name="StartBytes">The bytes of all messages ever added before it.</param>
    private readonly record struct Entry(byte[]? Message, long StartBytes);
}
