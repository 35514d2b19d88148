using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Load.Fanout.Messages;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>
/// The source of the stream: makes a message when it is asked for one, while it runs, or as many as are due by the time. Core thread.
/// </summary>
internal sealed class PacedSource : IStreamSource
{
    private const long NsPerSecond = 1_000_000_000;
    private readonly CoreLoop _core;
    private readonly PieceMaker _maker;
    private readonly double _messagesPerSecond;
    private readonly Alarm _alarm;
    private long _startNs;
    private long _made;
    private long _due;
    private bool _isRunning;

    /// <param name="core">The core.</param>
    /// <param name="maker">Makes the messages.</param>
    /// <param name="messagesPerSecond">0: as fast as they are pulled.</param>
    public PacedSource(CoreLoop core, PieceMaker maker, double messagesPerSecond)
    {
        _core = core;
        _maker = maker;
        _messagesPerSecond = messagesPerSecond;
        _alarm = new Alarm(OnDue);
    }

    /// <summary>The stream that pulls.</summary>
    public StreamSender? Sender { get; set; }

    public void Start()
    {
        _isRunning = true;
        _startNs = _core.NowNs;
        _made = 0;
        _due = 0;
        OnDue();
    }

    public void Stop()
    {
        _isRunning = false;
        _core.Alarms.Cancel(_alarm);
    }

    public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        // A message that was begun is finished, so that what was sent can be counted in messages.
        if (_maker.IsBetween && (!_isRunning || (_messagesPerSecond > 0 && _made >= _due)))
        {
            topic = 0;
            message = default;
            return false;
        }

        _made += _maker.IsBetween ? 1 : 0;
        message = _maker.Next(out topic);
        return true;
    }

    private void OnDue()
    {
        if (_messagesPerSecond > 0)
        {
            _due = (long)((_core.NowNs - _startNs) / (double)NsPerSecond * _messagesPerSecond) + 1;
            _core.Alarms.Schedule(_alarm, _startNs + (long)Math.Ceiling(_due / _messagesPerSecond * NsPerSecond));
        }

        Sender!.OnReady();
    }
}
