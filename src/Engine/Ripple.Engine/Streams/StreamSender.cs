using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// The sending side of one stream: one sequence of packets from one sender incarnation to one region, continuous across views. Packets are
/// made when the socket takes them, kept in a fixed window until all members have them, repaired on request, and announced by beacons while
/// any may be missing at a member. Core thread.
/// </summary>
internal sealed partial class StreamSender : IFrameFeed, IDisposable
{
    // A smaller part is not worth its header: the message begins in the next packet instead, and this one is padded.
    private const int PartBytesMin = 40;

    private readonly CoreLoop _core;
    private readonly IStreamSource _source;
    private readonly RegionOutput _output;
    private readonly StreamOptions _options;
    private readonly SendWindow _window;
    private readonly ViewFloors _views;
    private readonly StreamRepairer _repairer;
    private readonly BeaconFeed _beacons;
    private readonly BeaconTimer _beaconTimer;
    private readonly Alarm _paceAlarm;
    private readonly Alarm _beaconAlarm;
    private readonly Alarm _stallAlarm;
    private readonly RateControl _rate;
    private ReadOnlyMemory<byte> _message;
    private uint _topic;
    private int _offset;
    private ulong _messageId;
    private bool _hasMessage;
    private bool _isWindowFull;
    private bool _isPaced;
    private ulong _stableFloor;
    private long _lastPacketNs;
    private bool _isDisposed;

    /// <summary>Makes a sender that has sent nothing.</summary>
    /// <param name="core">The core all calls are made on.</param>
    /// <param name="origin">The sender's incarnation.</param>
    /// <param name="source">The source of messages, asked when a packet is made.</param>
    /// <param name="output">The region's output; not owned.</param>
    /// <param name="options">Sizes and times.</param>
    public StreamSender(CoreLoop core, ulong origin, IStreamSource source, RegionOutput output, StreamOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.WindowPackets, StreamReceiver.WindowPackets, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.WindowPackets, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.PaceMinBytesPerSecond, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.PaceStartBytesPerSecond, options.PaceMinBytesPerSecond, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.PaceMaxBytesPerSecond, options.PaceStartBytesPerSecond, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.PaceMaxBytesPerSecond, StreamOptions.PaceBytesPerSecondMax, nameof(options));
        _core = core;
        Origin = origin;
        _source = source;
        _output = output;
        _options = options;
        _window = new SendWindow(options.WindowPackets);
        _views = new ViewFloors(options.ViewsKept);
        _rate = new RateControl(options);
        _bulkRate = new RateLimiter(_rate.BytesPerSecond / BulkShare, options.PaceBurstBytes);
        _paceAlarm = new Alarm(OnReady);
        _beaconAlarm = new Alarm(OnBeaconDue);
        _stallAlarm = new Alarm(OnStallDue);
        _beacons = new BeaconFeed(this);
        _beaconTimer = new BeaconTimer(options);
        _repairer = new StreamRepairer(core, this, _window, _rate, output, options);
    }

    /// <summary>Adds the memory that a sender of these sizes holds.</summary>
    public static void AddMemory(MemoryBudget budget, StreamOptions options)
    {
        SendWindow.AddMemory(budget, options.WindowPackets);
        RepairQueue.AddMemory(budget, options.RepairsMax, StreamRepairer.RecentMax);
        RepairPaces.AddMemory(budget);
        LossReports.AddMemory(budget);
    }

    /// <summary>
    /// Called on the core thread when the window has been full for <see cref="StreamOptions.WindowStallNs"/> without the floor moving, and
    /// again after each such time: the owner may give up on a member and call <see cref="ReleaseFloor"/>. Null: the stream waits forever
    /// for the slowest member.
    /// </summary>
    public Action? OnStalled { get; init; }

    /// <summary>The sender's incarnation.</summary>
    public ulong Origin { get; }

    /// <summary>What was done so far.</summary>
    public StreamCounters Counters { get; } = new();

    /// <summary>The newest sequence sent; 0 when none was.</summary>
    public ulong Highest => _window.Highest;

    /// <summary>The sequence of the next packet: the first one owed to members of a view made now.</summary>
    public ulong NextSequence => _window.Highest + 1;

    /// <summary>Everything up to here is stable or was given up, and is no longer kept. Only grows.</summary>
    public ulong Floor => _window.Floor;

    /// <summary>The current rate limit, in bytes of frames per second to each destination.</summary>
    public long PaceBytesPerSecond => _rate.BytesPerSecond;

    /// <summary>The repairs that wait for their turn.</summary>
    public int WaitingRepairs => _repairer.WaitingCount;

    /// <summary>The beacon that would be sent now.</summary>
    public StreamBeacon Beacon => new(Origin, Highest, Floor + 1, _views.Current, Floor);

    /// <summary>The source has a message. Not called while the region has no members; nothing would be pulled then.</summary>
    public void OnReady()
    {
        if (!_isDisposed)
        {
            _output.RegisterStream(this);
        }
    }

    /// <summary>
    /// A view takes effect: its joiners are owed everything from <see cref="NextSequence"/> on. Views that are not newer than the last are
    /// ignored. Call it before the destinations change.
    /// </summary>
    public void OnView(RegionView view)
    {
        if (_views.TryAdd(view, NextSequence))
        {
            _rate.MemberCount = _views.MemberCount;
            ScheduleBeacon();
        }
    }

    /// <summary>
    /// All members of a view have everything up to and including a sequence. Raises the floor as far as members that joined after that view
    /// allow; ignored for a view older than the last 16, and for a sequence never sent.
    /// </summary>
    public void OnAggregate(ViewNumber view, ulong minContiguous)
    {
        if (minContiguous > Highest || !_views.TryGetBound(view, out ulong bound))
        {
            Counters.AggregatesIgnored++;
            return;
        }

        ulong floor = Math.Min(minContiguous, bound);
        _stableFloor = Math.Max(_stableFloor, floor);
        _beaconTimer.OnProved(_stableFloor, _core.NowNs);
        AdvanceFloor(floor);
    }

    /// <summary>
    /// A member is reached at its address from now on: resends unasked what it has missed, as far as the window and the queue of repairs
    /// have it. It requests the rest; a beacon tells it what the window no longer has, since the floor did not wait for this member.
    /// </summary>
    /// <param name="dataAddress">Where it receives data.</param>
    /// <param name="controlAddress">Where it receives beacons.</param>
    /// <param name="firstSequence">The first sequence it is owed.</param>
    public void OnReached(in NodeAddress dataAddress, in NodeAddress controlAddress, ulong firstSequence)
    {
        if (!_isDisposed)
        {
            _repairer.OnReached(dataAddress, controlAddress, firstSequence);
        }
    }

    /// <summary>
    /// Frees everything up to a sequence, even if members miss it: the next beacons tell them, and they catch up by release. Limited to
    /// sequences that were sent.
    /// </summary>
    public void ReleaseFloor(ulong to)
    {
        to = Math.Min(to, Highest);
        if (_views.MemberCount == 0)
        {
            _stableFloor = Math.Max(_stableFloor, to);
        }

        AdvanceFloor(to);
    }

    /// <summary>
    /// A member requests missing packets. Repairs go to it alone; when a request is below the window, a beacon tells it so.
    /// </summary>
    /// <param name="requesterDataAddress">Where it receives repairs.</param>
    /// <param name="requesterControlAddress">Where it receives beacons.</param>
    /// <param name="nakPayload">The payload of the NAK frame.</param>
    public void OnNak(in NodeAddress requesterDataAddress, in NodeAddress requesterControlAddress, ReadOnlySpan<byte> nakPayload)
    {
        if (!_isDisposed)
        {
            _beaconTimer.OnNak();
            _repairer.OnNak(requesterDataAddress, requesterControlAddress, nakPayload);
        }
    }

    /// <summary>
    /// What has time is asked for only when there is nothing else: waiting would bring more of that, and no turn. And nothing waits behind
    /// what has time. A full window or the pace ended the train, and not the source: what follows is there already.
    /// </summary>
    public bool MayGather => !_wasBulk && !_source.HasBulk && !_isWindowFull && !_isPaced;

    /// <inheritdoc/>
    public int PullFrames(Span<byte> frames)
    {
        if (_isDisposed || !TryHaveMessage(isFirst: true))
        {
            return 0;
        }

        long nowNs = _core.NowNs;
        if (_window.IsFull && _output.DataTargets.Length == 0)
        {
            // No member is reached: the newest packets are kept for members that will be, and the stream does not stop.
            _window.ReleaseTo(Floor + 1);
        }
        else if (_window.IsFull)
        {
            OnWindowFull();
            return 0;
        }

        _isPaced = !_rate.IsOpen(nowNs);
        if (_isPaced)
        {
            _core.Alarms.ScheduleNoLater(_paceAlarm, _rate.OpensAtNs);
            return 0;
        }

        var writer = new WireWriter(frames[..Math.Min(frames.Length, WireLimits.FramesBytesMax)]);
        new StreamPosition(Origin, NextSequence).Write(ref writer);
        bool isFirst = true;
        _wasBulk = false;
        while (TryHaveMessage(isFirst))
        {
            _wasBulk |= _isBulk;
            if (!TryPack(ref writer, isFirst))
            {
                break;
            }

            isFirst = false;
        }

        if (_hasMessage)
        {
            // More follows: packets of one size leave as one train. The rest, less than a part's header and minimum content, is padded: 5 %
            // of a packet at most.
            writer.Take(writer.RoomBytes).Clear();
        }

        _window.Add(writer.Written, nowNs);
        _rate.OnSent(writer.Position, nowNs);
        Counters.PaceCuts = _rate.Cuts;
        Counters.Packets++;
        Counters.Bytes += writer.Position;
        _lastPacketNs = nowNs;
        _beaconTimer.OnPacket(Highest, nowNs);
        ScheduleBeacon();
        return writer.Position;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isDisposed = true;
        _output.Unregister(this);
        _output.Unregister(_beacons);
        _core.Alarms.Cancel(_paceAlarm);
        _core.Alarms.Cancel(_beaconAlarm);
        _core.Alarms.Cancel(_stallAlarm);
        _repairer.Dispose();
        _message = default;
    }

    private bool TryHaveMessage(bool isFirst)
    {
        if (_hasMessage)
        {
            return true;
        }

        // What has time never shares a packet with what has none, which would make a longer train of it.
        bool canBeBulk = isFirst || _isBulk;
        _isBulk = false;
        if (!_source.TryNext(out _topic, out _message) && !(canBeBulk && TryHaveBulk()))
        {
            return false;
        }

        if (_message.Length > WireLimits.MessageBytesMax)
        {
            throw new InvalidOperationException(
                $"A message of {_message.Length} bytes for topic {_topic}: a stream carries at most {WireLimits.MessageBytesMax}. "
                    + $"Send the header alone and the body by chunks.");
        }

        _hasMessage = true;
        _offset = 0;
        _messageId++;
        Counters.Messages++;
        return true;
    }

    /// <summary>Writes the message, or as much of it as fits; false when the packet is full.</summary>
    private bool TryPack(ref WireWriter writer, bool isFirst)
    {
        int room = writer.RoomBytes - MessagePart.OverheadBytes;
        int rest = _message.Length - _offset;
        if (room < rest && room < PartBytesMin && !isFirst)
        {
            return false;
        }

        int taken = Math.Min(room, rest);
        new MessagePart(_topic, _messageId, (uint)_offset, (uint)_message.Length, _message.Span.Slice(_offset, taken)).TryWrite(ref writer);
        _offset += taken;
        if (_offset < _message.Length)
        {
            return false;
        }

        _hasMessage = false;
        return true;
    }

    private void AdvanceFloor(ulong to)
    {
        if (to <= Floor)
        {
            return;
        }

        _window.ReleaseTo(to);
        if (_isWindowFull)
        {
            _isWindowFull = false;
            _core.Alarms.Cancel(_stallAlarm);
            OnReady();
        }
        else if (_isBulkHeld)
        {
            _isBulkHeld = false;
            OnReady();
        }
    }

    private void OnWindowFull()
    {
        _rate.OnWindowFull();
        if (!_isWindowFull)
        {
            _isWindowFull = true;
            Counters.WindowFull++;
            _core.ScheduleIn(_stallAlarm, _options.WindowStallNs);
        }
    }

    private void OnStallDue()
    {
        Counters.Stalls++;
        // Scheduled before the call, which may end the stall or the stream.
        _core.ScheduleIn(_stallAlarm, _options.WindowStallNs);
        OnStalled?.Invoke();
    }
}

/// <summary>
/// The source of a stream's messages. Asked when a packet is made, so that nothing is queued between the releases and the wire.
/// </summary>
internal interface IStreamSource
{
    /// <summary>
    /// Takes the next message for the region out of the source; false when there is none now. The bytes stay unchanged until the next call
    /// of this method. At most <see cref="Wire.WireLimits.MessageBytesMax"/>.
    /// </summary>
    bool TryNext(out uint topic, out ReadOnlyMemory<byte> message);

    /// <summary>Whether there are messages that have time: they go when there is no other.</summary>
    bool HasBulk => false;

    /// <summary>Takes the next message that has time out of the source; else as <see cref="TryNext"/>.</summary>
    bool TryNextBulk(out uint topic, out ReadOnlyMemory<byte> message)
    {
        topic = 0;
        message = default;
        return false;
    }
}
