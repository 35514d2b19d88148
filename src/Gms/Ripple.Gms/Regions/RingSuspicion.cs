using Ripple.Engine.Regions;

namespace Ripple.Gms.Regions;

/// <summary>
/// What a member's ring says of it: silent in two rounds in a row that ask each member for an answer, it is accused. An accusation removes
/// nobody by itself, and a frame of the member's own refutes it. Core thread.
/// </summary>
internal sealed class RingSuspicion
{
    private const int RoundsMin = 2;

    /// <summary>
    /// How long the last word of a ring counts. Rounds with a silent member follow each other in tenths of a second, and those of an idle
    /// ring in a second: where there is none, the ring does not say it any more.
    /// </summary>
    private const long WordNs = 1_500_000_000;

    private ViewNumber _view;
    private long _round;
    private int _count;
    private long _lastNs;

    /// <summary>The member was silent in a round.</summary>
    /// <param name="view">The view.</param>
    /// <param name="round">Which of its part's rounds that ask each member, counted by one.</param>
    /// <param name="nowNs">The time.</param>
    public void OnSilent(ViewNumber view, long round, long nowNs)
    {
        bool isNext = view == _view && round == _round + 1;
        _count = isNext || _count == 0 ? _count + 1 : 1;
        (_view, _round, _lastNs) = (view, round, nowNs);
    }

    /// <summary>The member was heard.</summary>
    public void Refute() => _count = 0;

    /// <summary>Whether its ring does not hear it.</summary>
    public bool IsAccused(long nowNs) => _count >= RoundsMin && nowNs - _lastNs < WordNs;
}
