using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Interest;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>
/// One region as its owner keeps it: the members, the views, the key, and this host's stream to it. Joins and removals are gathered into
/// one view; a joiner is answered when the view that includes it is the one the host sends in, with the releases committed at that moment
/// and the first sequence owed from there. Core thread.
/// </summary>
internal sealed class ServedRegion : IAggregateHandler, IDisposable
{
    /// <summary>What telling a view costs the core for each member, about: views follow each other no faster than they are told.</summary>
    private const long ViewMemberNs = 100_000;

    /// <summary>An acknowledgement of an aggregate: a frame's header, view and round, and the floor of one origin. Twice that.</summary>
    private const int AckBytesMax = 96;

    private readonly RegionServices _services;
    private readonly CoreLoop _core;
    private readonly GmsOptions _options;
    private readonly GmsCounters _counters;
    private readonly RegionOutput _output;
    private readonly StreamSender _sender;
    private readonly RegionReleases _releases;
    private readonly RegionVector _vector;
    private readonly KeptViews _views;
    private readonly SortedDictionary<uint, RegionSeat> _members = [];
    private readonly List<IRegionMember> _joining = [];
    private readonly List<uint> _removed = [];
    private readonly Alarm _viewAlarm;
    private readonly Alarm _keyAlarm;
    private readonly AggregateReader _aggregates = new();
    private readonly PacketOpener _opener;
    private byte[] _keyBytes;
    private uint _nextSlot;
    private long _lastViewNs;
    private RegionView? _aggregateView;
    private RegionSeat[] _aggregateSeats = [];

    /// <param name="services">What all regions of the host share.</param>
    /// <param name="identity">The region.</param>
    /// <param name="firstView">Its first view's counter.</param>
    /// <param name="firstKeyEpoch">Its first key epoch: slots begin at 1 again, and none is used twice in a key epoch.</param>
    public ServedRegion(RegionServices services, RegionIdentity identity, uint firstView, uint firstKeyEpoch)
    {
        _services = services;
        _core = services.Context.Core;
        _options = services.Context.Options;
        _counters = services.Counters;
        Identity = identity;
        _views = new KeptViews(new RegionView(identity.RegionId, new ViewNumber(services.Context.Epoch.Value, firstView), []));
        KeyEpoch = firstKeyEpoch;
        _keyBytes = services.Keys.NewRegionKey();
        var key = new RegionKey(KeyEpoch, _keyBytes);
        _opener = new PacketOpener(identity.RegionId, key);
        _output = new RegionOutput(_core, services.DataSink, services.ControlSink);
        _output.SetSealer(new PacketSealer(identity.RegionId, key, 0));
        _releases = new RegionReleases(identity, services.Applications, _counters);
        _vector = new RegionVector(services.Context, identity, services.Applications);
        _sender = new StreamSender(_core, services.Incarnation, _releases, _output, StreamOptions.Default) { OnStalled = OnStalled };
        NodeAddress group = services.Groups?.Take() ?? default;
        Group = group.IsNone ? null : new ServedGroup(_core, identity.RegionId, group, _output, _counters, services.Events);
        _viewAlarm = new Alarm(MakeView);
        _keyAlarm = new Alarm(Rekey);
        _core.ScheduleIn(_keyAlarm, _options.KeyLifetimeNs);
    }

    /// <summary>Adds what a region holds, and each of its members.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        StreamSender.AddMemory(budget, StreamOptions.Default);
        RegionOutput.AddMemory(budget);
        AggregateReader.AddMemory(budget);
        PacketOpener.AddMemory(budget);
        ServedGroup.AddMemory(budget);
        KeptViews.AddMemory(budget);
    }

    public RegionIdentity Identity { get; }

    /// <summary>The view that the host sends in.</summary>
    public RegionView View => _views.Newest;

    public uint KeyEpoch { get; private set; }

    /// <summary>The key that members seal with now. Not to be changed.</summary>
    public byte[] Key => _keyBytes;

    /// <summary>Its multicast group; null when it has none.</summary>
    public ServedGroup? Group { get; }

    public StreamCounters StreamCounters => _sender.Counters;

    public int MemberCount => _members.Count;

    public int JoiningCount => _joining.Count;

    public bool IsEmpty => _members.Count == 0 && _joining.Count == 0;

    /// <summary>A node will be in the next view.</summary>
    public void Join(IRegionMember member)
    {
        _joining.Add(member);
        ScheduleView();
    }

    /// <summary>A node is gone; the next view says so.</summary>
    /// <param name="member">The node.</param>
    /// <param name="place">The place it had; null when no view included it yet.</param>
    /// <param name="cause">Why it is gone.</param>
    public void Remove(IRegionMember member, RegionMember? place, RemovalCause cause)
    {
        if (_joining.Remove(member) || place is null || !_members.Remove(place.Slot, out RegionSeat? seat))
        {
            return;
        }

        seat.Clear();
        _removed.Add(place.Slot);
        // A member that failed holds up the ring: views of failures are made soon, but together.
        ScheduleView();
        if (cause == RemovalCause.Expelled)
        {
            Rekey();
        }
    }

    /// <summary>Something of this region's interest was committed.</summary>
    public void OnCommitted(ApplicationPrimary primary)
    {
        bool isAnybodyThere = _members.Count > 0;
        _releases.OnCommitted(primary, isAnybodyThere);
        if (isAnybodyThere)
        {
            _sender.OnReady();
        }
    }

    /// <inheritdoc cref="RegionReleases.IsFarBehind"/>
    public bool IsFarBehind(ApplicationPrimary primary) => _releases.IsFarBehind(primary);

    /// <summary>Asks every member to say itself, and not by the ring, what it has.</summary>
    public void Demand(uint topic, ulong release) => Tell(new DirectDemand(topic, release), _members.Values);

    /// <summary>The digest of what its applications are at.</summary>
    public Digest160 Vector() => _vector.Digest();

    /// <summary>A datagram of this region reached the host.</summary>
    public void OnDatagram(Span<byte> datagram)
    {
        if (_opener.TryOpen(datagram, _core.NowNs, out PacketHeader header, out ReadOnlySpan<byte> frames) != OpenStatus.Ok
            || !_members.TryGetValue(header.Slot, out RegionSeat? seat)
            || seat.Member?.Place is not { } sealer)
        {
            _counters.DatagramsRefused++;
            return;
        }

        var reader = new FrameReader(frames);
        while (reader.TryNext())
        {
            switch (reader.Type)
            {
                case FrameType.Nak:
                    _sender.OnNak(sealer.DataAddress, sealer.ControlAddress, reader.Payload);
                    break;
                case FrameType.Aggregate:
                    OnAggregate(reader.Payload, sealer);
                    break;
                default:
                    _counters.FramesRefused++;
                    break;
            }
        }

        if (reader.Status != DecodeStatus.Ok)
        {
            _counters.FramesRefused++;
        }
    }

    void IAggregateHandler.OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied) =>
        MemberAt(position)?.Rows?.OnLevels(new LevelRow(topic, generation, received, persisted, applied), isDirect: false);

    void IAggregateHandler.OnStream(ulong origin, ulong minContiguous, int minPosition)
    {
        if (origin == _services.Incarnation)
        {
            _sender.OnAggregate(_aggregateView!.Number, minContiguous);
            if (MemberAt(minPosition)?.Place is { } behind)
            {
                _sender.OnBehind(behind.ControlAddress, minContiguous);
            }
        }
    }

    void IAggregateHandler.OnRejection(int position, uint topic, uint generation, ulong release, string reason) =>
        MemberAt(position)?.Rows?.OnRejection(new RejectionRow(topic, generation, release, reason));

    void IAggregateHandler.OnSilent(int position) => MemberAt(position)?.Rows?.OnSilent();

    public void Dispose()
    {
        _core.Alarms.Cancel(_viewAlarm);
        _core.Alarms.Cancel(_keyAlarm);
        _sender.Dispose();
        _output.Dispose();
        _opener.Dispose();
        if (Group is { } group)
        {
            _services.Groups!.Return(group.Address);
        }
    }

    /// <summary>
    /// Soon, so that what comes together is one view; and the larger the region, the longer after the view before, for each costs a message
    /// a member.
    /// </summary>
    private void ScheduleView()
    {
        long dueNs = Math.Max(_core.NowNs + _options.ViewBatchNs, _lastViewNs + (MemberCount * ViewMemberNs));
        _core.Alarms.ScheduleNoLater(_viewAlarm, dueNs);
    }

    private void Rekey()
    {
        KeyEpoch++;
        _keyBytes = _services.Keys.NewRegionKey();
        var key = new RegionKey(KeyEpoch, _keyBytes);
        _opener.TryAddKey(key, _core.NowNs);
        _output.SetSealer(new PacketSealer(Identity.RegionId, key, 0));
        Tell(new RegionRekey(Identity.RegionId, KeyEpoch, _keyBytes), _members.Values);
        _core.ScheduleIn(_keyAlarm, _options.KeyLifetimeNs);
    }

    private void MakeView()
    {
        _lastViewNs = _core.NowNs;
        RegionView previous = View;
        uint firstJoiner = _nextSlot + 1;
        IRegionMember[] joiners = [.. _joining];
        _joining.Clear();
        RegionMember[] added = [.. joiners.Select(Seat)];
        uint[] removed = [.. _removed];
        _removed.Clear();
        foreach (uint slot in removed)
        {
            _opener.RemoveSlot(slot);
            Group?.Remove(slot);
        }

        uint slotEpoch = _services.Context.Epoch.Value;
        ViewNumber number = previous.Number.SlotEpoch < slotEpoch ? new ViewNumber(slotEpoch, 1) : previous.Number.Next();
        _views.Add(previous.Next(number, removed, added), _members.Values);
        _counters.Views++;
        ulong firstSequence = _sender.NextSequence;
        _sender.OnView(View);
        _output.SetDestinations(View);
        Tell(
            new ViewChange(Identity.RegionId, previous.Number, number, removed, added),
            _members.Where(m => m.Key < firstJoiner).Select(m => m.Value));
        foreach (IRegionMember joiner in joiners)
        {
            joiner.Accept(this, firstSequence);
            Group?.Offer(joiner);
        }

        if (_members.Count > 0)
        {
            _sender.OnReady();
            return;
        }

        _sender.ReleaseFloor(_sender.NextSequence - 1);
        _releases.SkipAll();
    }

    private RegionMember Seat(IRegionMember joiner)
    {
        RegionMember place = joiner.TakePlace(++_nextSlot);
        _members[place.Slot] = new RegionSeat(joiner);
        _opener.AllowSlot(place.Slot);
        return place;
    }

    /// <summary>Tells many the same, encoded once.</summary>
    private static void Tell<T>(T message, IEnumerable<RegionSeat> seats)
        where T : class, IMessage<T>
    {
        byte[] body = MessageCodec.Encode(message);
        // A list of their own: who does not read what it is sent is closed, and no member any more.
        foreach (IRegionMember? member in seats.Select(s => s.Member).ToArray())
        {
            member?.Send(T.Type, body);
        }
    }

    private void OnAggregate(ReadOnlySpan<byte> payload, RegionMember leader)
    {
        if (!AggregateReader.TryReadView(payload, out ViewNumber number))
        {
            _counters.FramesRefused++;
            return;
        }

        _aggregateView = _views.Find(number, out _aggregateSeats);
        if (_aggregateView is null)
        {
            return;
        }

        if (_aggregates.TryRead(payload, _aggregateView, this) != DecodeStatus.Ok)
        {
            _counters.FramesRefused++;
            return;
        }

        Span<byte> frames = stackalloc byte[AckBytesMax];
        _counters.Aggregates++;
        int length = _aggregates.WriteAck(frames, _services.Incarnation, _sender.Floor);
        _output.TrySend(leader.ControlAddress, PacketClass.Control, frames[..length]);
        _services.EvaluateWaits();
    }

    private IRegionMember? MemberAt(int position) =>
        (uint)position < (uint)_aggregateSeats.Length ? _aggregateSeats[position].Member : null;

    /// <summary>A member holds up the window for too long: the window goes on without it, and it catches up by release.</summary>
    private void OnStalled() => _sender.ReleaseFloor(_sender.NextSequence - 1);
}
