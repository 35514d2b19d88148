namespace Ripple.Engine.Rings;

/// <summary>
/// When the next round starts: when it can succeed after a change, slower and slower while an unsettled ring finds nothing new, once a
/// second otherwise; and how long a round may take.
/// </summary>
/// <remarks>
/// QSM's leader releases a token about once a second (QSM 2); more than about one round at a time made redundant work there (4.1, Fig. 22).
/// Here the idle ring keeps that second, one round is in flight at most, and a change starts one sooner. The mean is smoothed by an eighth,
/// and the timeout of a round doubled for each one given up, as in RFC 6298 (2 and 5.5). How the learned delays were found is in
/// docs/design/rings.md, Rounds.
/// </remarks>
internal sealed class RoundScheduler(RingOptions options)
{
    private long _pauseNs = options.PauseMinNs;
    private long _lastChangeNs;
    private long _meanRoundNs;
    private long _settleNs;
    private int _givenUpInRow;

    /// <summary>
    /// How long after a change at the leader a round starts. The members change at different times: a round that comes by before the last
    /// of them costs a hop each and proves nothing. Found by trying: longer after each round that came too early, a little shorter after
    /// each that did not, and never more than two rounds take, so that a small ring answers at once.
    /// </summary>
    public long SettleNs => Math.Min(_settleNs, 2 * _meanRoundNs);

    /// <summary>A round costs a hop a member, on the processors that deliver: turning all the time would take them half.</summary>
    public long ShortestPauseNs => Math.Max(options.PauseMinNs, Math.Min(_meanRoundNs, options.PauseMaxNs));

    /// <summary>
    /// The pause while only streams move: what they free is room in a window, and each round costs the members time to receive.
    /// </summary>
    public long StreamPauseNs => Math.Min(Math.Max(options.StreamPauseMinNs, 4 * _meanRoundNs), options.PauseMaxNs);

    /// <summary>
    /// After which a round is given up. Doubled for each one given up in a row: a large ring that was never measured must get its time.
    /// </summary>
    public long TimeoutNs =>
        Math.Min(options.RoundTimeoutMaxNs, Math.Max(options.RoundTimeoutMinNs, 4 * _meanRoundNs) << Math.Min(_givenUpInRow, 16));

    public void OnChange(long nowNs)
    {
        _lastChangeNs = nowNs;
        _pauseNs = ShortestPauseNs;
    }

    public void OnGivenUp() => _givenUpInRow++;

    public void OnRound(long roundNs)
    {
        _givenUpInRow = 0;
        _meanRoundNs = _meanRoundNs == 0 ? roundNs : _meanRoundNs + ((roundNs - _meanRoundNs) / 8);
    }

    /// <summary>The first round after a change is finished. It came too early when somebody had not changed yet.</summary>
    public void OnFirstRound(bool isTooEarly) =>
        _settleNs = isTooEarly ? SettleNs + Math.Max(SettleNs / 2, options.PauseMinNs / 2) : SettleNs - (SettleNs / 8);

    /// <summary>The pause after a finished round that found levels which are not where they shall be.</summary>
    public long NextPauseNs(long nowNs, bool isMidPass)
    {
        if (IsIdle(nowNs))
        {
            return options.IdleNs;
        }

        if (isMidPass)
        {
            return Math.Min(_pauseNs, options.PauseMinNs);
        }

        long pauseNs = _pauseNs;
        _pauseNs = Math.Min(options.PauseMaxNs, 2 * _pauseNs);
        return pauseNs;
    }

    /// <summary>
    /// The pause after a finished round that found only streams which are not at their ends, or after which only streams move.
    /// </summary>
    /// <param name="nowNs">The time.</param>
    /// <param name="packets">How many packets came since the round began.</param>
    public long NextStreamPauseNs(long nowNs, ulong packets)
    {
        long pauseNs = NextPauseNs(nowNs, isMidPass: false);
        return packets >= (ulong)options.RoundPacketsMax ? Math.Min(pauseNs, ShortestPauseNs) : Math.Max(pauseNs, StreamPauseNs);
    }

    private bool IsIdle(long nowNs) => nowNs - _lastChangeNs >= options.ActiveNs;
}
