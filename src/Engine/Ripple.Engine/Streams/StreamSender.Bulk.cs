namespace Ripple.Engine.Streams;

/// <content>Messages that have time: they go when there is no other, and leave the others room.</content>
internal sealed partial class StreamSender
{
    // Of the window and of the pace, they get at most one part in so many.
    private const int BulkShare = 2;

    private readonly RateLimiter _bulkRate;
    private bool _isBulk;
    private bool _wasBulk;
    private bool _isBulkHeld;

    /// <summary>
    /// Takes a message that has time, unless half of the window is in use or their pace forbids it: then it is asked for again when the
    /// floor moves, or when the pace allows it.
    /// </summary>
    private bool TryHaveBulk()
    {
        if (!_source.HasBulk)
        {
            return false;
        }

        _isBulkHeld = Highest - Floor >= (ulong)(_options.WindowPackets / BulkShare) && _output.DataTargets.Length > 0;
        if (_isBulkHeld)
        {
            return false;
        }

        long nowNs = _core.NowNs;
        if (_bulkRate.BytesPerSecond != _rate.BytesPerSecond / BulkShare)
        {
            _bulkRate.SetRate(_rate.BytesPerSecond / BulkShare, nowNs);
        }

        if (!_bulkRate.IsOpen(nowNs))
        {
            _core.Alarms.ScheduleNoLater(_paceAlarm, _bulkRate.OpensAtNs);
            return false;
        }

        _isBulk = _source.TryNextBulk(out _topic, out _message);
        if (_isBulk)
        {
            _bulkRate.Take(_message.Length, nowNs);
            Counters.BulkBytes += _message.Length;
        }

        return _isBulk;
    }
}
