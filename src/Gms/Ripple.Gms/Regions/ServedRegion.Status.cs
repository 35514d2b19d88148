using Ripple.Engine.Regions;

namespace Ripple.Gms.Regions;

/// <content>What administrators and instruments see of it.</content>
internal sealed partial class ServedRegion
{
    /// <summary>The longest time since the newest round of a part: see <see cref="PartProgress.RoundAgeNsMax"/>.</summary>
    public long RoundAgeNsMax => _views.Newest.Progress.RoundAgeNsMax(_core.NowNs);

    /// <summary>The members that were silent in their parts' newest rounds: see <see cref="PartProgress.SilentCount"/>.</summary>
    public int SilentCount => _views.Newest.Progress.SilentCount;

    /// <summary>The region as it is at this moment.</summary>
    public RegionStatus Status()
    {
        KeptView kept = _views.Newest;
        int stillInView = kept.View.Members.Length - _removed.Count(s => kept.View.PositionOf(s) >= 0);
        return new RegionStatus
        {
            Identity = Identity,
            View = kept.View.Number,
            MemberCount = kept.View.Members.Length,
            EnteringCount = MemberCount + JoiningCount - stillInView,
            UnreachedCount = _paths.UnreachedCount,
            Leaves = [.. _leaves.Current.Select(LeafStatusOf)],
            Group = Group?.Address,
            GroupMemberCount = Group?.HearingCount ?? 0,
            Packets = _sender.Counters.Packets,
            Repairs = _sender.Counters.Repairs,
            MemberRepairs = MemberRepairs.Of(kept.Seats.Select(s => s.Member)),
            PaceBytesPerSecond = _sender.PaceBytesPerSecond,
            RoundAgeNsMax = RoundAgeNsMax,
            Parts = kept.Seats.Length == 0 ? [] : [.. Enumerable.Range(0, kept.View.PartCount).Select(i => PartStatusOf(kept, i))],
        };
    }

    private LeafStatus LeafStatusOf(Leaf leaf) => new(
        new MemberName(leaf.Member.Node, leaf.Member.Name),
        ReasonOf(leaf.Cause),
        _core.NowNs - leaf.SinceNs,
        leaf.Stage == LeafStage.Returning);

    private PartStatus PartStatusOf(KeptView kept, int index)
    {
        RegionPart part = kept.View.PartAt(index);
        PartRounds rounds = kept.Progress.RoundsOf(index);
        bool isHeard = rounds.Count > 0;
        return new PartStatus(
            index,
            part.End - part.First,
            NameAt(kept, part.First),
            NameAt(kept, part.End - 1),
            isHeard ? NameAt(kept, part.First + rounds.Rank) : null,
            rounds,
            isHeard ? _core.NowNs - rounds.ToldNs : null,
            [.. kept.Progress.SilentOf(index).ToArray().Select(p => NameAt(kept, p))],
            [.. Enumerable.Range(part.First, rounds.Rank).Select(p => NameAt(kept, p))],
            [.. AccusationsOf(kept, index)],
            MemberRepairs.Of(kept.Seats[part.First..part.End].Select(s => s.Member)));
    }

    private IEnumerable<AccusationStatus> AccusationsOf(KeptView kept, int index)
    {
        int first = kept.View.PartAt(index).First;
        int rank = kept.Progress.RoundsOf(index).Rank;
        MemberName accuser = NameAt(kept, first + rank);
        foreach (int position in Enumerable.Range(first, rank).Concat(kept.Progress.SilentOf(index).ToArray().Select(p => (int)p)))
        {
            if (kept.Seats[position].Member is { } member)
            {
                RingSuspicion suspicion = member.Suspicion;
                yield return new AccusationStatus(
                    NameAt(kept, position),
                    accuser,
                    suspicion.SilentNs(_core.NowNs),
                    suspicion.Rounds,
                    _core.NowNs - member.LastHeardNs);
            }
        }
    }

    private static MemberName NameAt(KeptView kept, int position) =>
        new(kept.View.Members[position].Node, kept.Seats[position].Member?.Name ?? string.Empty);
}
