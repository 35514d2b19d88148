using Ripple.Engine.Core;
using Ripple.Gms.Membership;

namespace Ripple.Gms.Placement;

/// <summary>The newest committed releases of one application, encoded for the streams, in bounded memory. Core thread.</summary>
public sealed class RecentReleases
{
    private readonly Queue<byte[]> _messages = [];
    private readonly long _bytesMax;
    private ulong _next;

    internal RecentReleases(ulong next, long bytesMax)
    {
        _next = next;
        _bytesMax = bytesMax;
    }

    internal static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(MemoryScope.Application, MemoryKind.Kept, "releases: the newest as streams send them", 1, options.RecentBytesMax);

    /// <summary>The bytes held.</summary>
    public long Bytes { get; private set; }

    /// <summary>The bound of <see cref="Bytes"/>; one message may exceed it by itself.</summary>
    public long BytesMax => _bytesMax;

    /// <summary>The oldest release held; the next one when none is.</summary>
    public ulong First => _next - (ulong)_messages.Count;

    /// <summary>Adds the next release.</summary>
    internal void Add(ulong release, byte[] message)
    {
        if (release != _next)
        {
            _messages.Clear();
            Bytes = 0;
        }

        _messages.Enqueue(message);
        Bytes += message.Length;
        _next = release + 1;
        while (Bytes > _bytesMax && _messages.Count > 1)
        {
            Bytes -= _messages.Dequeue().Length;
        }
    }

    /// <summary>The message of a release; null when it is no longer, or not yet, here.</summary>
    internal byte[]? Find(ulong release)
    {
        if (release < First || release >= _next)
        {
            return null;
        }

        return _messages.ElementAt((int)(release - First));
    }
}
