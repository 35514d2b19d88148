using System.Runtime.CompilerServices;

namespace Ripple.Engine.Memory;

/// <summary>
/// The upper bound on the memory of a process: one line for each window, cache, queue and pool, added by the component that creates it,
/// from the same constants and options. For one thread at a time.
/// </summary>
internal sealed class MemoryBudget
{
    /// <summary>Overhead of an array besides its items, in bytes, on 64 bits.</summary>
    public const int ArrayBytes = 24;

    /// <summary>Overhead of an object besides its fields, in bytes, on 64 bits.</summary>
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

    /// <summary>Adds a line for arrays that together hold <paramref name="count"/> items.</summary>
    public void Add<T>(MemoryScope scope, MemoryKind kind, string name, long count) => Add(scope, kind, name, count, Unsafe.SizeOf<T>());

    /// <summary>Bytes of one kind for one instance of a scope.</summary>
    public long BytesOf(MemoryScope scope, MemoryKind kind)
    {
        long bytes = 0;
        foreach (MemoryLine line in _lines)
        {
            bytes += line.Scope == scope && line.Kind == kind ? line.Bytes : 0;
        }

        return bytes;
    }

    /// <summary>Bytes of one kind in a process with these numbers of regions, connections and applications.</summary>
    public long BytesOf(MemoryKind kind, long regions, long connections, long applications) =>
        BytesOf(MemoryScope.Process, kind)
        + (regions * BytesOf(MemoryScope.Region, kind))
        + (connections * BytesOf(MemoryScope.Connection, kind))
        + (applications * BytesOf(MemoryScope.Application, kind));
}
