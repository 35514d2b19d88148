using System.Runtime.CompilerServices;

namespace Ripple.Engine.Memory;

/// <summary>
/// The written sum of what a process may hold: a line for each window, cache, queue and pool, added by the room that makes it, from the
/// same constants and options. For one thread at a time.
/// </summary>
internal sealed class MemoryBudget
{
    /// <summary>What an array takes besides its items, on 64 bits.</summary>
    public const int ArrayBytes = 24;

    /// <summary>What an object takes besides its fields, on 64 bits.</summary>
    public const int ObjectBytes = 16;

    private readonly List<MemoryLine> _lines = [];

    /// <summary>The lines, in the order they were added.</summary>
    public IReadOnlyList<MemoryLine> Lines => _lines;

    /// <summary>Adds a line.</summary>
    public void Add(MemoryScope scope, MemoryKind kind, string name, long count, long bytesEach)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfNegative(bytesEach);
        _lines.Add(new MemoryLine(scope, kind, name, count, bytesEach));
    }

    /// <summary>Adds the items of arrays that hold so many together.</summary>
    public void Add<T>(MemoryScope scope, MemoryKind kind, string name, long count) => Add(scope, kind, name, count, Unsafe.SizeOf<T>());

    /// <summary>The bytes of one of a scope, of one kind.</summary>
    public long BytesOf(MemoryScope scope, MemoryKind kind)
    {
        long bytes = 0;
        foreach (MemoryLine line in _lines)
        {
            bytes += line.Scope == scope && line.Kind == kind ? line.Bytes : 0;
        }

        return bytes;
    }

    /// <summary>The bytes of one kind in a process with so many of each.</summary>
    public long BytesOf(MemoryKind kind, long regions, long connections, long applications) =>
        BytesOf(MemoryScope.Process, kind)
        + (regions * BytesOf(MemoryScope.Region, kind))
        + (connections * BytesOf(MemoryScope.Connection, kind))
        + (applications * BytesOf(MemoryScope.Application, kind));
}
