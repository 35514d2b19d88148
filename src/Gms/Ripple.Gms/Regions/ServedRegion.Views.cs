using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Regions;

/// <content>Who enters the region, and its views.</content>
internal sealed partial class ServedRegion
{
    /// <summary>
    /// Schedules what waits: after a short delay, so that simultaneous changes share it. The next view waits until it may follow; whoever
    /// joins is answered before.
    /// </summary>
    private void ScheduleView()
    {
        long nextNs = _joining.Count > 0 ? _viewPace.AnnouncedNs(MemberCount) : NextViewNs();
        _core.Alarms.ScheduleNoLater(_viewAlarm, Math.Max(_core.NowNs + _options.ViewBatchNs, nextNs));
    }

    private long NextViewNs()
    {
        bool isLed = View.Number.SlotEpoch == _services.Context.Epoch.Value
            && !View.Members.IsEmpty
            && Enumerable.Range(0, View.PartCount).All(i => _members.ContainsKey(View.Members[View.PartAt(i).First].Slot));
        return _viewPace.NextNs(MemberCount, View.Members.Length, _entering.Count + _removed.Count, isLed);
    }

    private void MakeView()
    {
        if (_core.NowNs >= NextViewNs())
        {
            ChangeView();
        }

        Admit();
        if (_entering.Count + _removed.Count > 0)
        {
            ScheduleView();
        }

        _output.SetDestinations([.. _members.Values.Select(s => s.Member?.Place).OfType<RegionMember>()]);
        if (_members.Count > 0)
        {
            _sender.OnReady();
            return;
        }

        _sender.ReleaseFloor(_sender.NextSequence - 1);
        _releases.SkipAll();
    }

    /// <summary>Who is reached enters the view, who is gone leaves it; with neither there is no new view, unless the epoch rose.</summary>
    private void ChangeView()
    {
        RegionView previous = View;
        foreach (uint slot in _removed)
        {
            _opener.RemoveSlot(slot);
            Group?.Remove(slot);
        }

        uint[] removed = [.. _removed.Where(s => previous.PositionOf(s) >= 0)];
        RegionMember[] added = [.. _entering.Select(s => _members[s].Member?.Place).OfType<RegionMember>()];
        _removed.Clear();
        _entering.Clear();
        uint slotEpoch = _services.Context.Epoch.Value;
        if (removed.Length == 0 && added.Length == 0 && previous.Number.SlotEpoch == slotEpoch)
        {
            return;
        }

        CutParts();
        ShareCaching();
        UseShortForms();
        _viewPace.OnView(_core.NowNs);
        ViewNumber number = previous.Number.SlotEpoch < slotEpoch ? new ViewNumber(slotEpoch, 1) : previous.Number.Next();
        RegionView view = previous.Next(number, removed, added, _partMembers);
        _views.Add(view, view.Members.Select(m => _members[m.Slot]), _core.NowNs);
        _counters.Views++;
        _sender.OnView(view);
        _holder.Clear();
        // Whom the view lacks now is told it as well, and none after it.
        Tell(
            new ViewChange(Identity.RegionId, previous.Number, number, removed, added),
            _members.Values.Select(s => s.Member).Concat(_leaves.OnView(view, _core.NowNs)));
    }

    /// <summary>
    /// Views have several parts only while all members know of that. Whoever does is told before the first view that is cut otherwise.
    /// </summary>
    private void CutParts()
    {
        int partMembers = _members.Values.All(s => s.Member?.KnowsParts != false) ? _options.Limits.PartMembers : 0;
        if (partMembers != _partMembers)
        {
            _partMembers = partMembers;
            Tell(new RegionParts(Identity.RegionId, (ushort)partMembers), _members.Values.Where(s => s.Member?.KnowsParts == true));
        }
    }

    /// <summary>
    /// Members keep packets for each other only while all of them know of that. Whoever does is told before the view that changes it.
    /// </summary>
    private void ShareCaching()
    {
        int owners = _members.Values.All(s => s.Member?.KnowsCaching != false) ? _options.Limits.CacheOwners : 0;
        if (owners != _cacheOwners)
        {
            _cacheOwners = owners;
            Tell(new RegionCaching(Identity.RegionId, (ushort)owners), _members.Values.Where(s => s.Member?.KnowsCaching == true));
        }
    }

    /// <summary>
    /// Releases travel with short forms only while all members know them: from before the first that a joiner must receive.
    /// </summary>
    private void UseShortForms() => _releases.UsesShortForms = _members.Values.All(s => s.Member?.KnowsShortForms != false);

    /// <summary>Answers the joiners, and asks whether they are reached.</summary>
    private void Admit()
    {
        IRegionMember[] joiners = [.. _joining];
        _joining.Clear();
        byte[][] keys = [.. joiners.Select(_ => _services.Keys.NewMemberKey())];
        foreach ((IRegionMember joiner, byte[] key) in joiners.Zip(keys))
        {
            Seat(joiner, key);
        }

        UseShortForms();
        ulong firstSequence = _sender.NextSequence;
        foreach ((IRegionMember joiner, byte[] key) in joiners.Zip(keys))
        {
            joiner.Accept(this, firstSequence, key);
            if (_partMembers > 0 && joiner.KnowsParts)
            {
                joiner.Send(new RegionParts(Identity.RegionId, (ushort)_partMembers));
            }

            if (_cacheOwners > 0 && joiner.KnowsCaching)
            {
                joiner.Send(new RegionCaching(Identity.RegionId, (ushort)_cacheOwners));
            }

            _paths.Add(joiner, firstSequence);
            Group?.Offer(joiner);
        }
    }

    private void Seat(IRegionMember joiner, byte[] key)
    {
        RegionMember place = joiner.TakePlace(++_nextSlot);
        _members[place.Slot] = new RegionSeat(joiner, new MemberKey(Identity.RegionId, place.Slot, key));
        _opener.AllowSlot(place.Slot);
        _keys.OnSeated(place.Node);
    }

    /// <summary>
    /// A member is reached: it enters the next view. Who heard the stream through the group has it, and asks for what it lacks.
    /// </summary>
    private void OnReached(RegionMember member, ulong firstSequence)
    {
        if (Group?.IsHeardBy(member.Slot) != true)
        {
            _sender.OnReached(member.DataAddress, member.ControlAddress, firstSequence);
        }

        _entering.Add(member.Slot);
        ScheduleView();
    }
}
