namespace Ripple.Engine.Rings;

/// <summary>
/// Determines when the next round starts: when it can succeed after a change, with growing pauses while an unsettled ring finds nothing
/// new, and once a second otherwise. Also determines how long a round may take.
/// </summary>
/// <remarks>
/// QSM's leader releases a token about once a second (QSM 2); more than about one round at a time caused redundant work there (4.1, Fig.
/// 22). Here the idle ring keeps that second, at most one round is in flight, and a change starts one sooner. The mean is smoothed by one
/// eighth, and the timeout of a round is doubled for each consecutive abandoned one, as in RFC 6298 (2 and 5.5). How the learned delays
/// were determined is described in docs/design/rings.md, Rounds.
/// </remarks>
internal sealed class RoundScheduler(RingOptions options)
{
    private long _pauseNs = options.PauseMinNs;
    private long _lastChangeNs;
    private long _meanRoundNs;
    private long _settleNs;
    private int _givenUpInRow;

    /// <summary>
    /// How long after a change at the leader a round starts. Members change at different times: a round that passes before the last of them
    /// costs one hop per member and proves nothing. Learned by trial: longer after each round that was too early, a little shorter after
    /// each that was not, and never more than two mean rounds, so that a small ring answers at once.
    /// </summary>
    public long SettleNs => Math.Min(_settleNs, 2 * _meanRoundNs);

    /// <summary>
    /// The shortest pause: half of a mean round, within limits. A change just behind a token waits for the round that is in flight, the
    /// pause, and one more round.
    /// </summary>
    public long ShortestPauseNs => Math.Max(options.PauseMinNs, Math.Min(_meanRoundNs / 2, options.PauseMaxNs));

    /// <summary>
    /// The shortest pause while data waits: a whole mean round. A round costs one hop per member on the processors that deliver the stream;
    /// the pause keeps rounds to about half of the time.
    /// </summary>
    public long BusyPauseNs => Math.Max(options.PauseMinNs, Math.Min(_meanRoundNs, options.PauseMaxNs));

    /// <summary>
    /// The pause while only streams advance: such rounds only free window room, and each costs the members time to receive. Also that of a
    /// core that is late, where a round had no room for all that is open.
    /// </summary>
    public long StreamPauseNs => Math.Min(Math.Max(options.StreamPauseMinNs, 4 * _meanRoundNs), options.PauseMaxNs);

    /// <summary>
    /// How long aggregates of other parts are waited for: a quarter of a mean round, and no longer than a repeat of them takes at least.
    /// Parts differ by a member, and their rounds begin as changes come.
    /// </summary>
    public long GatherNs => Math.Min(_meanRoundNs / 4, options.RtoMinNs);

    /// <summary>
    /// The timeout of a round. Doubled for each consecutive abandoned round: a large ring that was never measured must get enough time.
    /// </summary>
    public long TimeoutNs =>
        Math.Min(options.RoundTimeoutMaxNs, Math.Max(options.RoundTimeoutMinNs, 4 * _meanRoundNs) << Math.Min(_givenUpInRow, 16));

    /// <summary>
    /// The timeout of a quiet round: nothing is repeated in it, so that a lost packet costs this. It is not doubled, for the round after it
    /// is acknowledged.
    /// </summary>
    public long QuietTimeoutNs => Math.Min(TimeoutNs, Math.Max(options.QuietTimeoutMinNs, 4 * _meanRoundNs));

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

    /// <summary>The first round after a change is finished. It was too early when a member had not changed yet.</summary>
    public void OnFirstRound(bool isTooEarly) =>
        _settleNs = isTooEarly ? SettleNs + Math.Max(SettleNs / 2, options.PauseMinNs / 2) : SettleNs - (SettleNs / 8);

    /// <summary>The pause after a finished round that found unsettled levels.</summary>
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
    /// The pause after a finished round that found only streams not yet received completely, or after which only streams advance.
    /// </summary>
    /// <param name="nowNs">The time.</param>
    /// <param name="packets">The number of packets received since the round began.</param>
    public long NextStreamPauseNs(long nowNs, ulong packets)
    {
        long pauseNs = NextPauseNs(nowNs, isMidPass: false);
        return packets >= (ulong)options.RoundPacketsMax ? Math.Min(pauseNs, ShortestPauseNs) : Math.Max(pauseNs, StreamPauseNs);
    }

    private bool IsIdle(long nowNs) => nowNs - _lastChangeNs >= options.ActiveNs;
}
