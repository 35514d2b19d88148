using Ripple.Engine.Core;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Repeats requests for values that were unavailable, on the same connection: a host whose store is busy says that it has none, and nothing
/// else would let the release progress. From 100 ms, doubling to 8 s while nothing comes. Core thread.
/// </summary>
internal sealed class FetchRetry : IDisposable
{
    internal const long DelayNsMin = 100_000_000;
    internal const long DelayNsMax = 8_000_000_000;
    private readonly CoreLoop _core;
    private readonly Alarm _alarm;
    private long _delayNs = DelayNsMin;

    /// <param name="core">The core all calls are made on.</param>
    /// <param name="fetchAgain">Asks for what is still missing, of all applications.</param>
    public FetchRetry(CoreLoop core, Action fetchAgain)
    {
        _core = core;
        _alarm = new Alarm(fetchAgain);
    }

    /// <summary>True when values have been unavailable for a second or longer: a busy host alone does not explain it.</summary>
    public bool IsLong => _delayNs > 1_000_000_000;

    /// <inheritdoc/>
    public void Dispose() => Clear();

    /// <summary>A value was unavailable.</summary>
    public void OnMissing()
    {
        if (!_alarm.IsScheduled)
        {
            _core.ScheduleIn(_alarm, _delayNs);
            _delayNs = Math.Min(2 * _delayNs, DelayNsMax);
        }
    }

    /// <summary>A value came.</summary>
    public void OnFetched() => _delayNs = DelayNsMin;

    /// <summary>The connection is gone: after the next join all is asked for anyway.</summary>
    public void Clear()
    {
        _core.Alarms.Cancel(_alarm);
        _delayNs = DelayNsMin;
    }
}
