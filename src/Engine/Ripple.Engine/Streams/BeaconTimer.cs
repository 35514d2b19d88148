namespace Ripple.Engine.Streams;

/// <summary>
/// How long after the last packet the first beacon is due: when the ring should have proved that all have it, and has not. Measured as a
/// retransmission timeout is (RFC 6298): smoothed mean of the time from a packet to its proof, plus four deviations. A beacon that somebody
/// answered by asking may have been what brought the proof: that time is not measured, and the delay stays doubled (Karn) until something
/// is. A beacon that nobody answered told nobody anything: not to measure that time would leave out all that is longer than the delay,
/// which then never grows.
/// </summary>
internal sealed class BeaconTimer(StreamOptions options)
{
    private const int BackoffMax = 16;
    private long _meanNs;
    private long _deviationNs;
    private int _backoff;
    private ulong _sequence;
    private long _sentNs;
    private bool _isMeasuring;
    private bool _isBeaconed;
    private bool _isAnswered;

    /// <summary>The time from the last packet to the first beacon, in nanoseconds.</summary>
    public long FirstDelayNs
    {
        get
        {
            long measuredNs = _meanNs == 0 ? 0 : _meanNs + (4 * _deviationNs);
            long delayNs = Math.Max(measuredNs, options.BeaconFirstNs) << _backoff;
            return Math.Clamp(delayNs, options.BeaconFirstNs, Math.Max(options.BeaconFirstNs, options.BeaconFirstMaxNs));
        }
    }

    /// <summary>A packet leaves. One is measured at a time.</summary>
    public void OnPacket(ulong sequence, long nowNs)
    {
        if (!_isMeasuring)
        {
            _isMeasuring = true;
            _isBeaconed = false;
            _isAnswered = false;
            _sequence = sequence;
            _sentNs = nowNs;
        }
    }

    /// <summary>A beacon went to all.</summary>
    public void OnBeacon()
    {
        if (_isMeasuring && !_isBeaconed)
        {
            _isBeaconed = true;
            _backoff = Math.Min(_backoff + 1, BackoffMax);
        }
    }

    /// <summary>A member asks for what it misses.</summary>
    public void OnNak() => _isAnswered |= _isBeaconed;

    /// <summary>All have everything up to a sequence.</summary>
    public void OnProved(ulong upTo, long nowNs)
    {
        if (!_isMeasuring || upTo < _sequence)
        {
            return;
        }

        _isMeasuring = false;
        if (_isAnswered)
        {
            return;
        }

        _backoff = 0;
        long tookNs = Math.Max(1, nowNs - _sentNs);
        if (_meanNs == 0)
        {
            _meanNs = tookNs;
            _deviationNs = tookNs / 2;
            return;
        }

        _deviationNs += (Math.Abs(tookNs - _meanNs) - _deviationNs) / 4;
        _meanNs = Math.Max(1, _meanNs + ((tookNs - _meanNs) / 8));
    }
}
