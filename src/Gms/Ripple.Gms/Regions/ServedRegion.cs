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
/// One region as its host maintains it: the members, the views, the key, and the host's stream to it. Joins and removals are batched into
/// one view. A joiner is answered once the host sends in the view that includes it, with the releases committed at that moment and the
/// first sequence it must receive. Core thread.
/// </summary>
internal sealed class ServedRegion : IAggregateHandler, IDisposable
{
    /// <summary>Approximate core time per member to announce a view; views follow each other no faster than they are announced.</summary>
    private const long ViewMemberNs = 100_000;

    /// <summary>Twice the size of an aggregate's acknowledgement: frame header, view, round and the floor of one origin.</summary>
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

    /// <param name="services">Services shared by the host's regions.</param>
    /// <param name="identity">The region's identity.</param>
    /// <param name="firstView">The counter of its first view.</param>
    /// <param name="firstKeyEpoch">Its first key epoch. Slots restart at 1, and no slot is used twice in a key epoch.</param>
    public ServedRegion(RegionServices services, RegionIdentity identity, uint firstView, uint firstKeyEpoch)
    {
        _services = services;
        _core = services.Context.Core;
        _options = services.Context.Options;
        _counters = services.Counters;
        Identity = identity;
        var view = new RegionView(identity.RegionId, new ViewNumber(services.Context.Epoch.Value, firstView), []);
        _views = new KeptViews(view, _options.Limits.Stream.ViewsKept);
        KeyEpoch = firstKeyEpoch;
        _keyBytes = services.Keys.NewRegionKey();
        var key = new RegionKey(KeyEpoch, _keyBytes);
        _opener = new PacketOpener(identity.RegionId, key);
        _output = new RegionOutput(_core, services.DataSink, services.ControlSink);
        _output.SetSealer(new PacketSealer(identity.RegionId, key, 0, _options.Limits.KeyPacketsMax));
        _releases = new RegionReleases(identity, services.Applications, _counters);
        _vector = new RegionVector(services.Context, identity, services.Applications);
        _sender = new StreamSender(_core, services.Incarnation, _releases, _output, _options.Limits.Stream) { OnStalled = OnStalled };
        NodeAddress group = services.Groups?.Take() ?? default;
        Group = group.IsNone ? null : new ServedGroup(_core, identity.RegionId, group, _output, _counters, services.Events);
        _viewAlarm = new Alarm(MakeView);
        _keyAlarm = new Alarm(Rekey);
        _core.ScheduleIn(_keyAlarm, _options.KeyLifetimeNs);
    }

    /// <summary>Adds the memory of a region and of each of its members.</summary>
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

    /// <summary>The view that the host currently sends in.</summary>
    public RegionView View => _views.Newest;

    public uint KeyEpoch { get; private set; }

    /// <summary>The current region key. Must not be modified.</summary>
    public byte[] Key => _keyBytes;

    /// <summary>Its multicast group; null when none was assigned.</summary>
    public ServedGroup? Group { get; }

    /// <summary>Its stream, for instruments and checkers.</summary>
    public StreamSender Stream => _sender;

    public int MemberCount => _members.Count;

    public int JoiningCount => _joining.Count;

    public bool IsEmpty => _members.Count == 0 && _joining.Count == 0;

    /// <summary>Adds a node to the next view.</summary>
    public void Join(IRegionMember member)
    {
        _joining.Add(member);
        ScheduleView();
    }

    /// <summary>Removes a node; the next view excludes it.</summary>
    /// <param name="member">The node.</param>
    /// <param name="place">Its place; null when no view has included it yet.</param>
    /// <param name="cause">The reason for the removal.</param>
    public void Remove(IRegionMember member, RegionMember? place, RemovalCause cause)
    {
        if (_joining.Remove(member) || place is null || !_members.Remove(place.Slot, out RegionSeat? seat))
        {
            return;
        }

        seat.Clear();
        _removed.Add(place.Slot);
        // A failed member stalls the ring: views of failures are made soon, but batched.
        ScheduleView();
        if (cause == RemovalCause.Expelled)
        {
            Rekey();
        }
    }

    /// <summary>An application of this region's interest committed releases.</summary>
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

    /// <summary>Asks every member to report a release directly instead of through the ring.</summary>
    public void Demand(uint topic, ulong release) => Tell(new DirectDemand(topic, release), _members.Values);

    /// <summary>The digest of its applications' current states.</summary>
    public Digest160 Vector() => _vector.Digest();

    /// <summary>Handles a datagram of this region.</summary>
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
    /// Schedules the next view: after a short delay, so that simultaneous changes share it, and later after the previous view the larger
    /// the region is, because each view costs a message per member.
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
        _output.SetSealer(new PacketSealer(Identity.RegionId, key, 0, _options.Limits.KeyPacketsMax));
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

    /// <summary>Sends one message, encoded once, to many members.</summary>
    private static void Tell<T>(T message, IEnumerable<RegionSeat> seats)
        where T : class, IMessage<T>
    {
        byte[] body = MessageCodec.Encode(message);
        // A copy: a member that does not read is closed during the send, and leaves the set.
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

    /// <summary>A member has stalled the window for too long: the window moves on without it, and it catches up by releases.</summary>
    private void OnStalled() => _sender.ReleaseFloor(_sender.NextSequence - 1);
}
