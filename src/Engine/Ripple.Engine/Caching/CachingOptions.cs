namespace Ripple.Engine.Caching;

/// <summary>The sizes and times of what a member keeps for others.</summary>
internal sealed record CachingOptions
{
    /// <summary>The defaults.</summary>
    public static CachingOptions Default { get; } = new();

    /// <summary>The most bytes of packets kept; 16 KiB until more wait for the floor. Default 512 KiB.</summary>
    public int BytesMax { get; init; } = 512 * 1_024;

    /// <summary>The most repairs that wait; who is not repaired asks the sender. Default 256.</summary>
    public int RepairsMax { get; init; } = 256;

    /// <summary>The most requests that wait for a packet that is not here yet. Default 256.</summary>
    public int WaitingMax { get; init; } = 256;

    /// <summary>How many bytes of repairs may leave a second. Default 12.5 MB: an eighth of what a stream begins with.</summary>
    public long BytesPerSecond { get; init; } = 12_500_000;

    /// <summary>How many of them may leave at once. Default 64 KiB.</summary>
    public int BurstBytes { get; init; } = 64 * 1_024;

    /// <summary>How long the same request of the same member is ignored after its repair, in nanoseconds. Default 2 ms.</summary>
    public long SuppressNs { get; init; } = 2_000_000;
}
