namespace Ripple.Engine.Rings;

/// <summary>
/// When the next round starts: soon after a change, slower and slower while an unsettled ring finds nothing new, once a second otherwise; and how long a
/// round may take.
/// </summary>
internal sealed class RoundPace(RingOptions options)
{
    private long _pauseNs = options.PauseMinNs;
    private long _lastChangeNs;
    private long _meanRoundNs;
    private int _givenUpInRow;

    /// <summary>After which a round is given up. Doubled for each one given up in a row: a large ring that was never measured must get its time.</summary>
    public long TimeoutNs => Math.Min(options.RoundTimeoutMaxNs, Math.Max(options.RoundTimeoutMinNs, 4 * _meanRoundNs) << Math.Min(_givenUpInRow, 16));

    public void OnChange(long nowNs)
    {
        _lastChangeNs = nowNs;
        _pauseNs = options.PauseMinNs;
    }

    public void OnGivenUp() => _givenUpInRow++;

    public void OnRound(long roundNs)
    {
        _givenUpInRow = 0;
        _meanRoundNs = _meanRoundNs == 0 ? roundNs : _meanRoundNs + ((roundNs - _meanRoundNs) / 8);
    }

    /// <summary>The pause after a finished round.</summary>
    public long NextPauseNs(long nowNs, bool isUnsettled, bool isMidPass)
    {
        if (!isUnsettled || nowNs - _lastChangeNs >= options.ActiveNs)
        {
            return options.IdleNs;
        }

        long pauseNs = _pauseNs;
        _pauseNs = isMidPass ? _pauseNs : Math.Min(options.PauseMaxNs, 2 * _pauseNs);
        return pauseNs;
    }
}
