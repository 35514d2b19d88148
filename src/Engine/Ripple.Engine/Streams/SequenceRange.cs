namespace Ripple.Engine.Streams;

/// <summary>Sequences of one stream, one after the other.</summary>
/// <param name="First">The first.</param>
/// <param name="Length">How many; at least 1.</param>
public readonly record struct SequenceRange(ulong First, uint Length)
{
    /// <summary>The last.</summary>
    public ulong Last => First + Length - 1;
}
