using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <content>Announces what was sent: to all members while one may miss something, and to a single member that is behind.</content>
internal sealed partial class StreamSender
{
    private long _beaconDelayNs;
    private bool _isBeforeFirst;

    /// <summary>
    /// The ring reports that a member is behind. Unless the last packet is too recent, this may be a lost tail, which shows in no packet,
    /// or what the window no longer has: a beacon goes to this member alone, which then requests packets that are missing and not just
    /// under way.
    /// </summary>
    /// <param name="controlAddress">Where the member receives beacons.</param>
    /// <param name="contiguous">The sequence up to which it has everything.</param>
    public void OnBehind(in NodeAddress controlAddress, ulong contiguous)
    {
        bool isOwed = contiguous < Highest && (_stableFloor < Highest || contiguous < Floor);
        if (!_isDisposed && isOwed && _core.NowNs - _lastPacketNs >= _options.BeaconFirstNs)
        {
            Counters.BeaconsToOne++;
            SendBeacon(controlAddress);
        }
    }

    /// <summary>
    /// Gives up what one member lacks: a beacon tells it alone that nothing up to a sequence can be had, so that it goes on behind that and
    /// catches up by release. What the others lack is kept.
    /// </summary>
    /// <param name="controlAddress">Where the member receives beacons.</param>
    /// <param name="to">The sequence; limited to what was sent.</param>
    public void Skip(in NodeAddress controlAddress, ulong to)
    {
        if (!_isDisposed)
        {
            Counters.SkipsToOne++;
            SendBeacon(controlAddress, Beacon with { FirstAvailable = Math.Max(Floor, Math.Min(to, Highest)) + 1 });
        }
    }

    /// <summary>Restarts the beacons: there is a new packet to miss, or a new member to miss one.</summary>
    private void ScheduleBeacon()
    {
        if (!_isDisposed && _stableFloor < Highest && _views.MemberCount > 0)
        {
            _beaconDelayNs = _beaconTimer.FirstDelayNs;
            _isBeforeFirst = true;
            _core.Alarms.ScheduleNoLater(_beaconAlarm, _core.NowNs + _beaconDelayNs);
        }
    }

    internal void SendBeacon(in NodeAddress to) => SendBeacon(to, Beacon);

    private void SendBeacon(in NodeAddress to, in StreamBeacon beacon)
    {
        Span<byte> frames = stackalloc byte[StreamBeacon.FrameBytes];
        var writer = new WireWriter(frames);
        beacon.Write(ref writer);
        _output.TrySend(to, PacketClass.Control, writer.Written);
    }

    private void OnBeaconDue()
    {
        if (_stableFloor >= Highest || _views.MemberCount == 0)
        {
            return;
        }

        // By unicast a train is sent once per member: the last of many members get it long after it was made, and a beacon would have them
        // request packets that are under way.
        if (_output.IsInFlight(this))
        {
            _core.ScheduleIn(_beaconAlarm, _options.BeaconFirstNs);
            return;
        }

        // While packets follow each other, each reveals the losses before it. The alarm is moved here, not by every packet.
        if (_core.NowNs < _lastPacketNs + _beaconDelayNs && _isBeforeFirst)
        {
            _core.Alarms.Schedule(_beaconAlarm, _lastPacketNs + _beaconDelayNs);
            return;
        }

        _isBeforeFirst = false;
        _beaconTimer.OnBeacon();
        _beacons.IsDue = true;
        _output.RegisterBroadcast(_beacons);
        _beaconDelayNs = Math.Min(_beaconDelayNs * 2, _options.BeaconMaxNs);
        _core.ScheduleIn(_beaconAlarm, _beaconDelayNs);
    }

    private sealed class BeaconFeed(StreamSender sender) : IFrameFeed
    {
        public bool IsDue { get; set; }

        public int PullFrames(Span<byte> frames)
        {
            if (!IsDue)
            {
                return 0;
            }

            IsDue = false;
            sender.Counters.Beacons++;
            var writer = new WireWriter(frames);
            sender.Beacon.Write(ref writer);
            return writer.Position;
        }
    }
}
