namespace Ripple.Engine.Streams;

/// <summary>A token bucket kept as one number: the time at which it would be full again.</summary>
internal struct Pace(long bytesPerSecond, int burstBytes)
{
    private const long NsPerSecond = 1_000_000_000;
    private readonly long _burstNs = CostNs(burstBytes, bytesPerSecond);
    private long _fullAtNs;

    /// <summary>When the next packet may leave.</summary>
    public readonly long OpensAtNs => _fullAtNs - _burstNs;

    public readonly bool IsOpen(long nowNs) => OpensAtNs <= nowNs;

    public void Take(int bytes, long nowNs) => _fullAtNs = Math.Max(_fullAtNs, nowNs) + CostNs(bytes, bytesPerSecond);

    private static long CostNs(int bytes, long bytesPerSecond) => bytes * NsPerSecond / bytesPerSecond;
}
