using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>The newest committed releases of one application, encoded for streams, in bounded memory. Core thread.</summary>
internal sealed class RecentReleases
{
    internal const int RecordBytes = 128;
    private readonly long _bytesMax;
    private RecentRelease?[] _ring = new RecentRelease?[64];
    private int _count;
    private ulong _next;
    private long _addedBytes;

    internal RecentReleases(ulong next, long bytesMax)
    {
        _next = next;
        _bytesMax = bytesMax;
    }

    internal static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(MemoryScope.Application, MemoryKind.Retained, "releases: the newest as streams send them", 1, options.RecentBytesMax);

    /// <summary>The bytes held, including a fixed overhead per release.</summary>
    public long Bytes => BytesFrom(First);

    /// <summary>The limit of <see cref="Bytes"/>; a single message may exceed it.</summary>
    public long BytesMax => _bytesMax;

    /// <summary>The oldest release held; the next release if none is.</summary>
    public ulong First => _next - (ulong)_count;

    /// <summary>The bytes held from a release on: the backlog of a reader at that release.</summary>
    public long BytesFrom(ulong release) => release >= _next || _count == 0 ? 0 : _addedBytes - Slot(Math.Max(release, First))!.StartBytes;

    /// <summary>Adds the next release.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="message">Its message.</param>
    /// <param name="whole">The same with whole values; null where that is not known, and the same array where it has none.</param>
    /// <param name="streamed">The values that follow it in streams.</param>
    internal void Add(ReleaseHeader header, byte[] message, byte[]? whole, IReadOnlyList<StreamedParts> streamed)
    {
        if (header.Release != _next)
        {
            while (_count > 0)
            {
                DropFirst();
            }
        }

        if (_count == _ring.Length)
        {
            Grow();
        }

        _next = header.Release + 1;
        _count++;
        Slot(header.Release) = new RecentRelease(
            header.Generation, header.Id, header.PreviousId, message, whole, streamed, _addedBytes);
        _addedBytes += RecordBytes + message.Length + (whole is null || ReferenceEquals(whole, message) ? 0 : whole.Length);
        while (Bytes > _bytesMax && _count > 1)
        {
            DropFirst();
        }
    }

    /// <summary>Finds a release; null if it is no longer, or not yet, held.</summary>
    internal RecentRelease? Find(ulong release) => release < First || release >= _next ? null : Slot(release);

    private ref RecentRelease? Slot(ulong release) => ref _ring[(int)(release % (ulong)_ring.Length)];

    private void DropFirst()
    {
        Slot(First) = null;
        _count--;
    }

    private void Grow()
    {
        RecentRelease?[] small = _ring;
        _ring = new RecentRelease?[2 * small.Length];
        for (ulong release = First; release < _next; release++)
        {
            Slot(release) = small[(int)(release % (ulong)small.Length)];
        }
    }
}

/// <summary>A committed release, encoded for streams. Immutable.</summary>
/// <param name="Generation">Its generation.</param>
/// <param name="Id">Its id.</param>
/// <param name="PreviousId">The id of the release before it.</param>
/// <param name="Message">The encoded message.</param>
/// <param name="Whole">The same without deltas, for nodes that do not know them; null where none was there when it was committed.</param>
/// <param name="Streamed">The values that follow it in streams whose members know short forms.</param>
/// <param name="StartBytes">The total bytes of all releases ever added before it.</param>
internal sealed record RecentRelease(
    uint Generation,
    Digest160 Id,
    Digest160 PreviousId,
    byte[] Message,
    byte[]? Whole,
    IReadOnlyList<StreamedParts> Streamed,
    long StartBytes)
{
    /// <summary>The message for nodes that know short forms, or that do not; null if it is not kept for these.</summary>
    public byte[]? MessageFor(bool knowsShortForms) => knowsShortForms ? Message : Whole;
}
