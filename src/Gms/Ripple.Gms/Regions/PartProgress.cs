using System.Runtime.CompilerServices;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Regions;

/// <summary>
/// How far the parts of one view have come in the host's stream, and what their rounds tell of their rings. A floor is the least over all
/// of them: as long as one has told nothing, nobody knows what its members have, and there is no floor. Nothing is allocated for a round.
/// Core thread.
/// </summary>
/// <param name="view">The view.</param>
/// <param name="madeNs">When it was made, in core time.</param>
internal sealed class PartProgress(RegionView view, long madeNs)
{
    private readonly ulong?[] _contiguous = new ulong?[view.PartCount];
    private readonly long[] _askingRounds = new long[view.PartCount];
    private readonly PartRounds[] _rounds = new PartRounds[view.PartCount];

    // A part's silent positions stand in the slice that is the part's: there are fewer of them than members.
    private readonly ushort[] _silent = new ushort[view.Members.Length];
    private int _silentRead;
    private int _heardCount;
    private int _toldCount;

    /// <summary>Adds the memory for a member: there are fewer parts than members.</summary>
    /// <param name="budget">The budget.</param>
    /// <param name="viewsKept">How many views are kept.</param>
    public static void AddMemory(MemoryBudget budget, int viewsKept) => budget.Add(
        MemoryScope.Connection,
        MemoryKind.Retained,
        "region: progress of a part in each view kept",
        viewsKept,
        Unsafe.SizeOf<ulong?>() + sizeof(long) + Unsafe.SizeOf<PartRounds>() + sizeof(ushort));

    /// <summary>True when every part has told a round of this view.</summary>
    public bool IsHeard => _heardCount == _rounds.Length;

    /// <summary>The least that any part told; null while none told anything.</summary>
    public ulong? Least { get; private set; }

    /// <summary>The sequence up to which all members of the view have everything; null while a part has not said.</summary>
    public ulong? Floor => _toldCount == _contiguous.Length ? Least : null;

    /// <summary>How many rounds of a part asked each member for an answer.</summary>
    public long AskingRoundsOf(int part) => _askingRounds[part];

    /// <summary>A round of a part, that is told now, asks each member for an answer.</summary>
    public void OnAskingRound(int part) => _askingRounds[part]++;

    /// <summary>The rounds that a part told of this view.</summary>
    public PartRounds RoundsOf(int part) => _rounds[part];

    /// <summary>The positions that were silent in a part's newest round, as far as it named them.</summary>
    public ReadOnlySpan<ushort> SilentOf(int part) => _silent.AsSpan(view.PartAt(part).First, _rounds[part].SilentCount);

    /// <summary>How many positions were silent in the newest rounds of all parts, as far as these named them.</summary>
    public int SilentCount
    {
        get
        {
            int count = 0;
            foreach (PartRounds rounds in _rounds)
            {
                count += rounds.SilentCount;
            }

            return count;
        }
    }

    /// <summary>
    /// The longest time since a part's newest round; for a part that told none, since the view was made. 0 while the view has no members.
    /// </summary>
    public long RoundAgeNsMax(long nowNs)
    {
        long oldestNs = nowNs;
        for (int part = 0; part < _rounds.Length && _silent.Length > 0; part++)
        {
            oldestNs = Math.Min(oldestNs, _rounds[part].Count == 0 ? madeNs : _rounds[part].ToldNs);
        }

        return nowNs - oldestNs;
    }

    /// <summary>
    /// A position of a part was silent in the round that it tells next: called for each before <see cref="OnRound"/>, once at most.
    /// </summary>
    public void OnSilent(int part, int position) => _silent[view.PartAt(part).First + _silentRead++] = (ushort)position;

    /// <summary>A part told a round.</summary>
    /// <param name="part">The part.</param>
    /// <param name="rank">The rank of the member that told it.</param>
    /// <param name="nowNs">The core time.</param>
    public void OnRound(int part, int rank, long nowNs)
    {
        ref PartRounds rounds = ref _rounds[part];
        _heardCount += rounds.Count == 0 ? 1 : 0;
        rounds = rounds.Next(rank, nowNs, _silentRead);
        _silentRead = 0;
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

/// <summary>The rounds that one part of a view told so far.</summary>
/// <param name="Count">How many; with 0 the others mean nothing.</param>
/// <param name="Rank">Who told the newest: 0 is the first member, 1 or 2 one that leads in the place of those before it.</param>
/// <param name="ToldNs">When the newest was told, in core time.</param>
/// <param name="IntervalNs">The smoothed mean of the time between them; 0 before the second.</param>
/// <param name="SilentCount">How many positions the newest named as silent.</param>
internal readonly record struct PartRounds(long Count, int Rank, long ToldNs, long IntervalNs, int SilentCount)
{
    /// <summary>The newest of so many intervals counts one part of the mean.</summary>
    private const int MeanOf = 8;

    /// <summary>With one more round.</summary>
    public PartRounds Next(int rank, long nowNs, int silentCount)
    {
        long newestNs = nowNs - ToldNs;
        long intervalNs = Count switch
        {
            0 => 0,
            1 => newestNs,
            _ => IntervalNs + ((newestNs - IntervalNs) / MeanOf),
        };
        return new PartRounds(Count + 1, rank, nowNs, intervalNs, silentCount);
    }
}
