using Ripple.Engine.Regions;

namespace Ripple.Gms.Regions;

/// <summary>
/// How far the parts of one view have come in the host's stream. A floor is the least over all of them: as long as one has told nothing,
/// nobody knows what its members have, and there is no floor. Core thread.
/// </summary>
/// <param name="view">The view.</param>
internal sealed class PartProgress(RegionView view)
{
    private readonly ulong?[] _contiguous = new ulong?[view.PartCount];
    private readonly bool[] _isHeard = new bool[view.PartCount];
    private readonly long[] _askingRounds = new long[view.PartCount];
    private int _heardCount;
    private int _toldCount;

    /// <summary>True when every part has told a round of this view.</summary>
    public bool IsHeard => _heardCount == _isHeard.Length;

    /// <summary>The least that any part told; null while none told anything.</summary>
    public ulong? Least { get; private set; }

    /// <summary>The sequence up to which all members of the view have everything; null while a part has not said.</summary>
    public ulong? Floor => _toldCount == _contiguous.Length ? Least : null;

    /// <summary>How many rounds of a part asked each member for an answer.</summary>
    public long AskingRoundsOf(int part) => _askingRounds[part];

    /// <summary>A round of a part, that is told now, asks each member for an answer.</summary>
    public void OnAskingRound(int part) => _askingRounds[part]++;

    /// <summary>A part told a round.</summary>
    public void OnRound(int part)
    {
        _heardCount += _isHeard[part] ? 0 : 1;
        _isHeard[part] = true;
    }

    /// <summary>
    /// A part told how far it is. The newest word counts, also a lower one: a member that was silent, and was left out of the one before,
    /// may be back.
    /// </summary>
    public void OnContiguous(int part, ulong contiguous)
    {
        _toldCount += _contiguous[part] is null ? 1 : 0;
        _contiguous[part] = contiguous;
        ulong least = contiguous;
        foreach (ulong? told in _contiguous)
        {
            least = Math.Min(least, told ?? least);
        }

        Least = least;
    }
}
