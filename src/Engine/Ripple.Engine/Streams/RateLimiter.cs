namespace Ripple.Engine.Streams;

/// <summary>
/// A token bucket in integers: credit is counted in bytes times nanoseconds per second, so that nothing is lost to rounding. Once empty, it
/// opens again only when there is credit for one system call's worth of packets, or a millisecond's worth if that is less.
/// </summary>
internal sealed class RateLimiter
{
    private const long NsPerSecond = 1_000_000_000;
    private const long BurstNs = 10_000_000;
    private const long ReopenNs = 1_000_000;
    private const int ReopenBytesMax = 64 * 1_024;
    private readonly int _burstBytesMax;
    private long _credit;
    private long _creditMax;
    private long _creditToOpen;
    private long _atNs;
    private bool _isClosed;

    /// <summary>Makes a full bucket.</summary>
    /// <param name="bytesPerSecond">The rate.</param>
    /// <param name="burstBytesMax">How many bytes may leave at once; less at a low rate: at most 10 ms worth.</param>
    public RateLimiter(long bytesPerSecond, int burstBytesMax)
    {
        _burstBytesMax = burstBytesMax;
        SetRate(bytesPerSecond, 0);
        _credit = _creditMax;
    }

    public long BytesPerSecond { get; private set; }

    /// <summary>When the next packet may leave.</summary>
    public long OpensAtNs => _isClosed ? _atNs + ((_creditToOpen - _credit + BytesPerSecond - 1) / BytesPerSecond) : _atNs;

    public bool IsOpen(long nowNs)
    {
        Refill(nowNs);
        _isClosed &= _credit < _creditToOpen;
        return !_isClosed;
    }

    public void Take(int bytes, long nowNs)
    {
        Refill(nowNs);
        _credit -= bytes * NsPerSecond;
        _isClosed = _credit < 0;
    }

    public void SetRate(long bytesPerSecond, long nowNs)
    {
        Refill(nowNs);
        BytesPerSecond = bytesPerSecond;
        _creditMax = Math.Min(_burstBytesMax * NsPerSecond, bytesPerSecond * BurstNs);
        _creditToOpen = Math.Min(Math.Min(ReopenBytesMax * NsPerSecond, bytesPerSecond * ReopenNs), _creditMax / 2);
        _credit = Math.Min(_credit, _creditMax);
    }

    private void Refill(long nowNs)
    {
        if (nowNs <= _atNs || BytesPerSecond == 0)
        {
            return;
        }

        long elapsedNs = nowNs - _atNs;
        _atNs = nowNs;
        _credit = elapsedNs > (_creditMax - _credit) / BytesPerSecond ? _creditMax : _credit + (elapsedNs * BytesPerSecond);
    }
}
