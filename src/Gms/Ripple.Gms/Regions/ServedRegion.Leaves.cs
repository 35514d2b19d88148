using Ripple.Engine.Regions;

namespace Ripple.Gms.Regions;

/// <content>Members that leave its views, and not the frontier.</content>
internal sealed partial class ServedRegion
{
    /// <summary>
    /// How long a ring must find a member silent, while the host hears it: longer than the pauses of a second that nobody is to notice.
    /// </summary>
    private const long SilentNsMax = 1_500_000_000;

    /// <summary>How many leaves it has.</summary>
    public int LeafCount => _leaves.Count;

    /// <summary>A round of all parts names the member that has least of the stream.</summary>
    private void OnLeast(int position, ulong contiguous)
    {
        if (_told!.View.Number != View.Number || _told.Progress.Floor is null || MemberAt(position) is not { Place: { } place } member)
        {
            return;
        }

        if (_holder.OnLeast(place.Slot, contiguous, _sender.Floor, _sender.Highest, _core.NowNs)
            && MayBecomeLeaf(member)
            && AreOthersFarAhead(member))
        {
            MakeLeaf(member, place, LeafCause.HeldFloor);
        }
    }

    /// <summary>Who was silent for too long leaves; who keeps pace again returns.</summary>
    private void LookForLeaves()
    {
        LookForSilent();
        foreach (IRegionMember member in _leaves.GiveUp(_core.NowNs, _paths.IsReached))
        {
            uint slot = member.Place!.Slot;
            member.BecomeLeaf();
            TryUnseat(slot);
        }

        foreach (IRegionMember member in _leaves.Return(_core.NowNs))
        {
            Join(member);
        }
    }

    private void LookForSilent()
    {
        KeptView kept = _views.Newest;
        int[] silent = [.. Enumerable.Range(0, kept.Seats.Length == 0 ? 0 : kept.View.PartCount).SelectMany(i => SilentIn(kept, i))];
        if (silent.Length * _options.Limits.MembersPerLeaf > kept.Seats.Length)
        {
            // So many: it is the network, or the host's own.
            return;
        }

        foreach (int position in silent)
        {
            if (kept.Seats[position].Member is { Place: { } place } member
                && member.Suspicion.SilentNs(_core.NowNs) >= SilentNsMax
                && MayBecomeLeaf(member))
            {
                MakeLeaf(member, place, LeafCause.Silent);
            }
        }
    }

    /// <summary>Whom the newest round of a part did not hear, and in whose place another led it.</summary>
    private static IEnumerable<int> SilentIn(KeptView kept, int part)
    {
        int first = kept.View.PartAt(part).First;
        return kept.Progress.SilentOf(part).ToArray().Select(p => (int)p)
            .Concat(Enumerable.Range(first, kept.Progress.RoundsOf(part).Rank))
            .Distinct();
    }

    /// <summary>Who is not heard over its connection either is no leaf, but about to fail.</summary>
    private bool MayBecomeLeaf(IRegionMember member) => member.KnowsLeaves && member.IsHeard && _leaves.HasRoom(_members.Count);

    /// <summary>
    /// Whether nearly all others lack at most half of the releases that a member lacks of what was sent. Where all are slow, they do not.
    /// </summary>
    private bool AreOthersFarAhead(IRegionMember member)
    {
        ulong lacking = member.Rows is { } rows ? _releases.Lacking(rows) : 0;
        if (lacking == 0)
        {
            return false;
        }

        int others = 0;
        int near = 0;
        foreach (RegionSeat seat in _views.Newest.Seats)
        {
            if (seat.Member?.Rows is { } other && !ReferenceEquals(seat.Member, member))
            {
                others++;
                near += 2 * _releases.Lacking(other) > lacking ? 1 : 0;
            }
        }

        return others > 0 && near * _options.Limits.MembersPerLeaf <= others;
    }

    private static string ReasonOf(LeafCause cause) => cause == LeafCause.HeldFloor
        ? "the stream of its region waited for it while the others were far ahead"
        : "its ring did not hear it for a second and a half, and the host did";

    private void MakeLeaf(IRegionMember member, RegionMember place, LeafCause cause)
    {
        _leaves.Add(member, place.Slot, cause, _core.NowNs);
        _holder.Clear();
        member.BecomeLeaf();
        TryUnseat(place.Slot);
        _counters.LeavesMade++;
        _services.Events.Post(
            GmsEventKind.Leaf,
            member.Name,
            ReasonOf(cause) + "; everything comes to it by catch-up, over its control connection, until it keeps pace");
    }
}
