namespace Ripple.Engine.Memory;

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
