using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Regions;

/// <content>What the rings of its parts tell.</content>
internal sealed partial class ServedRegion
{
    void IAggregateHandler.OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied) =>
        MemberAt(position)?.Rows?.OnLevels(new LevelRow(topic, generation, received, persisted, applied), isDirect: false);

    void IAggregateHandler.OnStream(ulong origin, ulong minContiguous, int minPosition)
    {
        // Who leads in the place of others says nothing of them, so that it knows no least of the part.
        if (origin == _services.Incarnation && _toldRank == 0)
        {
            PartProgress progress = _told!.Progress;
            progress.OnContiguous(_toldPart.Index, minContiguous);
            if (progress.Floor is { } floor)
            {
                _sender.OnAggregate(_told.View.Number, floor);
            }

            if (MemberAt(minPosition)?.Place is not { } behind)
            {
                return;
            }

            // The window waits for the one that has least of all; whoever has least in a part may lack the last packet all the same.
            if (minContiguous <= progress.Least)
            {
                _laggards.OnBehind(behind, minContiguous);
                OnLeast(minPosition, minContiguous);
            }
            else
            {
                _sender.OnBehind(behind.ControlAddress, minContiguous);
            }
        }
    }

    void IAggregateHandler.OnRejection(int position, uint topic, uint generation, ulong release, string reason) =>
        MemberAt(position)?.Rows?.OnRejection(new RejectionRow(topic, generation, release, reason), isDirect: false);

    void IAggregateHandler.OnRound(bool isQuiet)
    {
        // A quiet round finds nobody silent; one that is led in the place of others was, by them.
        if (isQuiet && _toldRank == 0)
        {
            return;
        }

        _told!.Progress.OnAskingRound(_toldPart.Index);
        for (int position = _toldPart.First; position < _toldPart.First + _toldRank; position++)
        {
            Accuse(position);
        }
    }

    void IAggregateHandler.OnSilent(int position)
    {
        _told!.Progress.OnSilent(_toldPart.Index, position);
        MemberAt(position)?.Rows?.OnSilent();
        Accuse(position);
    }

    /// <summary>What a leader told through another: its own key proves it, whoever sealed the packet.</summary>
    private void OnGathered(ReadOnlySpan<byte> payload)
    {
        var reader = new WireReader(payload);
        uint slot = reader.ReadU32();
        if (reader.IsOk && _members.TryGetValue(slot, out RegionSeat? seat) && seat.Member?.Place is { } leader)
        {
            _counters.AggregatesGathered++;
            OnAggregate(payload[sizeof(uint)..], leader, seat);
        }
        else
        {
            _counters.FramesRefused++;
        }
    }

    private void OnAggregate(ReadOnlySpan<byte> payload, RegionMember sealer, RegionSeat seat)
    {
        if (!AggregateReader.TryReadView(payload, out ViewNumber number))
        {
            _counters.FramesRefused++;
            return;
        }

        _told = _views.Find(number);
        if (_told is null)
        {
            return;
        }

        // Only the first members of a part lead its ring. The seal proves that a member sent this; the member's own key, which one.
        int leader = _told.View.PositionOf(sealer.Slot);
        _toldPart = leader < 0 ? default : _told.View.PartOf(leader);
        _toldRank = leader - _toldPart.First;
        if (leader < 0 || _toldRank >= RoundNumber.LeadersOf(_told.View) || !seat.TryBelieve(payload, out bool isNew))
        {
            _counters.FramesRefused++;
            return;
        }

        if (!isNew)
        {
            return;
        }

        if (_aggregates.TryRead(payload, _told.View, _toldPart, this, _toldRank) != DecodeStatus.Ok)
        {
            _counters.FramesRefused++;
            return;
        }

        Span<byte> frames = stackalloc byte[AckBytesMax];
        _counters.Aggregates++;
        _counters.RoundsSubstituted += _toldRank > 0 ? 1 : 0;
        _told.Progress.OnRound(_toldPart.Index, _toldRank, _core.NowNs);
        AggregateRoute route = seat.Member?.KnowsGathering == true ? RouteOf(_told, _toldPart.Index) : default;
        int length = _aggregates.WriteAck(frames, _services.Incarnation, _sender.Floor, route);
        _output.TrySend(sealer.ControlAddress, PacketClass.Control, frames[..length]);
        if (number == View.Number && _told.Progress.IsHeard && _viewPace.IsFirstRound(_core.NowNs) && _viewAlarm.IsScheduled)
        {
            ScheduleView();
        }

        _services.EvaluateWaits();
    }

    /// <summary>
    /// Which way the part's leader is to tell its next round. Through the first member of another part only while that one leads, so that a
    /// leader that is gone is not told through for longer than its part takes to be led by the next.
    /// </summary>
    private AggregateRoute RouteOf(KeptView told, int part)
    {
        int count = told.View.PartCount;
        int gathered = AggregateRoute.PartsTogether(count, _options.Limits.AggregateDatagramsMax);
        if (gathered == 0 || _toldRank > 0)
        {
            return default;
        }

        // Those that tell straight are not waited for.
        int first = part / gathered * gathered;
        int parts = 0;
        for (int i = first; i < Math.Min(first + gathered, count); i++)
        {
            parts += MayGather(told, i) ? 1 : 0;
        }

        return parts > 1 && MayGather(told, first) && told.Progress.RoundsOf(first).Count > 0
            ? new AggregateRoute(told.View.Members[told.View.PartAt(first).First].Slot, (byte)parts)
            : default;
    }

    private static bool MayGather(KeptView told, int part) =>
        told.Progress.RoundsOf(part).Rank == 0 && told.Seats[told.View.PartAt(part).First].Member?.KnowsGathering == true;

    private void Accuse(int position) =>
        MemberAt(position)?.Suspicion.OnSilent(
            _told!.View.Number,
            _told.Progress.AskingRoundsOf(_toldPart.Index),
            _core.NowNs,
            _told.Progress.RoundsOf(_toldPart.Index).Count,
            _told.View.Members[_toldPart.First + _toldRank].Node);

    private IRegionMember? MemberAt(int position) =>
        _told is { } told && (uint)position < (uint)told.Seats.Length ? told.Seats[position].Member : null;
}
