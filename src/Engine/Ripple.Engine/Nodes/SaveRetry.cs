using Ripple.Engine.Core;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Repeats saves that failed: otherwise a disk that was full for a moment would leave the node behind, for everyone who waits for it, until
/// the next release. From 1 s, doubling to 64 s while it fails: a snapshot may be large. Core thread.
/// </summary>
internal sealed class SaveRetry : IDisposable
{
    internal const long DelayNsMin = 1_000_000_000;
    internal const long DelayNsMax = 64 * DelayNsMin;
    private readonly CoreLoop _core;
    private readonly Alarm _alarm;
    private long _delayNs = DelayNsMin;

    /// <param name="core">The core all calls are made on.</param>
    /// <param name="saveAgain">Saves what is not saved yet, of all applications.</param>
    public SaveRetry(CoreLoop core, Action saveAgain)
    {
        _core = core;
        _alarm = new Alarm(saveAgain);
    }

    /// <inheritdoc/>
    public void Dispose() => _core.Alarms.Cancel(_alarm);

    /// <summary>Called when something was saved, or could not be.</summary>
    public void OnEnded(bool isSaved)
    {
        if (isSaved)
        {
            _delayNs = DelayNsMin;
        }
        else if (!_alarm.IsScheduled)
        {
            _core.ScheduleIn(_alarm, _delayNs);
            _delayNs = Math.Min(2 * _delayNs, DelayNsMax);
        }
    }
}
