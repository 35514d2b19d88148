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

/// <summary>One upper bound of memory.</summary>
/// <param name="Scope">The entity that it applies to: one such amount for each.</param>
/// <param name="Kind">When it is allocated.</param>
/// <param name="Name">The component and the item: <c>core: alarms</c>.</param>
/// <param name="Count">The number of items.</param>
/// <param name="BytesEach">The bytes of each item.</param>
internal sealed record MemoryLine(MemoryScope Scope, MemoryKind Kind, string Name, long Count, long BytesEach)
{
    /// <summary>The bytes of all items.</summary>
    public long Bytes => Count * BytesEach;
}

/// <summary>The entity that a line of a <see cref="MemoryBudget"/> applies to, once for each.</summary>
internal enum MemoryScope
{
    /// <summary>The process.</summary>
    Process,

    /// <summary>A hosted region.</summary>
    Region,

    /// <summary>A connection, which is a member of one region.</summary>
    Connection,

    /// <summary>An application.</summary>
    Application,
}

/// <summary>When the memory of a line of a <see cref="MemoryBudget"/> is allocated, and for how long.</summary>
internal enum MemoryKind
{
    /// <summary>When its owner is created, for the owner's lifetime.</summary>
    Fixed,

    /// <summary>When first needed, and kept from then on.</summary>
    Retained,

    /// <summary>While a peer is slow or a call is in progress, then released.</summary>
    Transient,
}
