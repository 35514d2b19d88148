namespace Ripple.Engine.Memory;

/// <summary>One bound of memory.</summary>
/// <param name="Scope">What there is one of for each.</param>
/// <param name="Kind">When it is taken.</param>
/// <param name="Name">What it is, with its room: <c>core: alarms</c>.</param>
/// <param name="Count">How many.</param>
/// <param name="BytesEach">The bytes of each.</param>
internal sealed record MemoryLine(MemoryScope Scope, MemoryKind Kind, string Name, long Count, long BytesEach)
{
    /// <summary>The bytes of all.</summary>
    public long Bytes => Count * BytesEach;
}
