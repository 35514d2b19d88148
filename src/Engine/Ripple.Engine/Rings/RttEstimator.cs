namespace Ripple.Engine.Rings;

/// <summary>
/// The retransmission timeout from measured round trips: smoothed mean plus four times the mean deviation (RFC 6298), within limits.
/// </summary>
internal sealed class RttEstimator(RingOptions options)
{
    private long _meanNs;
    private long _deviationNs;

    public long RtoNs => _meanNs == 0
        ? options.RtoInitialNs
        : Math.Clamp(_meanNs + (4 * _deviationNs), options.RtoMinNs, options.RtoMaxNs);

    /// <summary>Adds the round trip of a frame that was sent only once (Karn).</summary>
    public void Sample(long rttNs)
    {
        rttNs = Math.Max(1, rttNs);
        if (_meanNs == 0)
        {
            _meanNs = rttNs;
            _deviationNs = rttNs / 2;
            return;
        }

        _deviationNs += (Math.Abs(rttNs - _meanNs) - _deviationNs) / 4;
        _meanNs = Math.Max(1, _meanNs + ((rttNs - _meanNs) / 8));
    }

    /// <summary>The timeout of a try: doubled for each earlier try.</summary>
    public long RtoOfTry(int triesBefore) => Math.Min(options.RtoMaxNs, RtoNs << Math.Min(triesBefore, 10));
}
