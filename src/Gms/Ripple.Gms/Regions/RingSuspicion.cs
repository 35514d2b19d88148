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
    private long _lastNs = long.MinValue / 2;
    private long _sinceNs;
    private long _told;
    private bool _isLastWord;

    /// <summary>How many rounds found it silent one after the other, since it was heard last.</summary>
    public int Rounds => _count;

    /// <summary>The leader that told the newest of them; the default before the first.</summary>
    public NodeId Accuser { get; private set; }

    /// <summary>The member was silent in a round.</summary>
    /// <param name="view">The view.</param>
    /// <param name="round">Which of its part's rounds that ask each member, counted by one.</param>
    /// <param name="nowNs">The time.</param>
    /// <param name="told">How many rounds the part has told of this view, of any kind.</param>
    /// <param name="accuser">The leader that told it.</param>
    public void OnSilent(ViewNumber view, long round, long nowNs, long told, NodeId accuser)
    {
        Accuser = accuser;
        bool isNext = view == _view && round == _round + 1;
        _count = isNext || _count == 0 ? _count + 1 : 1;
        bool isStill = nowNs - _lastNs < WordNs && (view == _view ? told <= _told + 1 : told == 0);
        _sinceNs = isStill ? _sinceNs : nowNs;
        (_view, _round, _lastNs, _told) = (view, round, nowNs, told);
    }

    /// <summary>The member was heard.</summary>
    public void Refute()
    {
        _count = 0;
        _isLastWord = false;
    }

    /// <summary>
    /// The member leaves the ring, which says nothing of it from now on: what it said last counts until the member is heard.
    /// </summary>
    public void OnLeft() => _isLastWord = true;

    /// <summary>Whether its ring does not hear it.</summary>
    public bool IsAccused(long nowNs) => _count >= RoundsMin && (_isLastWord || nowNs - _lastNs < WordNs);

    /// <summary>
    /// For how long each round of its part has found it silent, whatever the host heard of it meanwhile; 0 when the last word is too old.
    /// </summary>
    public long SilentNs(long nowNs) => nowNs - _lastNs < WordNs ? nowNs - _sinceNs : 0;
}
