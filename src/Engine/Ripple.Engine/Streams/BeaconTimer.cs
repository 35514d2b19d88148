namespace Ripple.Engine.Streams;

/// <summary>
/// Computes how long after the last packet the first beacon is due: when the ring should have proved that all members have it, but has not.
/// Measured like a retransmission timeout (RFC 6298): the smoothed mean time from a packet to its proof, plus four deviations. If a member
/// answered a beacon with a request, the beacon may have caused the proof: that time is not measured, and the delay stays doubled (Karn)
/// until the next measurement. If no member answered, the time is measured; otherwise times longer than the delay would never count, and
/// the delay would never grow.
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

    /// <summary>A packet was sent. Only one is measured at a time.</summary>
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

    /// <summary>A beacon was sent to all members.</summary>
    public void OnBeacon()
    {
        if (_isMeasuring && !_isBeaconed)
        {
            _isBeaconed = true;
            _backoff = Math.Min(_backoff + 1, BackoffMax);
        }
    }

    /// <summary>A member requested missing packets.</summary>
    public void OnNak() => _isAnswered |= _isBeaconed;

    /// <summary>All members have everything up to a sequence.</summary>
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
