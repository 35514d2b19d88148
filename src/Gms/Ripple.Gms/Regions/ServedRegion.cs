using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Interest;
using Ripple.Engine.Memory;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Publishing;
using Ripple.Gms.Sessions;

namespace Ripple.Gms.Regions;

/// <summary>
/// One region as its owner keeps it: the members, the views, the key, and this host's stream to it. Joins and removals are gathered into one view; a joiner is
/// answered when the view that includes it is the one the host sends in, with the releases committed at that moment and the first sequence owed from there.
/// Core thread.
/// </summary>
internal sealed class ServedRegion : IStreamSource, IAggregateHandler, IDisposable
{
    private const int ViewsKept = 8;
    private const long ViewMemberNs = 100_000;

    private readonly HostContext _context;
    private readonly GmsCounters _counters;
    private readonly IServedRegionOwner _owner;
    private readonly RegionOutput _output;
    private readonly StreamSender _sender;
    private readonly SortedDictionary<uint, NodeConnection> _members = [];
    private readonly List<NodeConnection> _joining = [];
    private readonly List<uint> _removed = [];
    private readonly Queue<RegionView> _views = [];
    private readonly SortedDictionary<uint, ulong> _cursors = [];
    private readonly Alarm _viewAlarm;
    private readonly Alarm _keyAlarm;
    private readonly AggregateReader _aggregates = new();
    private readonly PacketOpener _opener;
    private RegionKey _key;
    private byte[] _keyBytes;
    private uint _nextSlot;
    private long _lastViewNs;
    private uint _lastTopic;
    private RegionView? _aggregateView;
    private Digest160 _vector;
    private long _vectorVersion = -1;

    public ServedRegion(HostContext context, GmsCounters counters, RegionIdentity identity, IServedRegionOwner owner, IDatagramSink dataSink, IDatagramSink controlSink)
    {
        _context = context;
        _counters = counters;
        _owner = owner;
        Identity = identity;
        View = new RegionView(identity.RegionId, new ViewNumber(context.SlotEpoch, owner.NextViewCounter(identity.RegionId)), []);
        _views.Enqueue(View);
        KeyEpoch = owner.FirstKeyEpoch;
        _keyBytes = owner.NewKey();
        _key = new RegionKey(KeyEpoch, _keyBytes);
        _opener = new PacketOpener(identity.RegionId, _key);
        _output = new RegionOutput(context.Core, dataSink, controlSink);
        _output.SetSealer(new PacketSealer(identity.RegionId, _key, 0));
        _sender = new StreamSender(context.Core, owner.Incarnation, this, _output, StreamOptions.Default) { OnStalled = OnStalled };
        NodeAddress group = owner.TakeGroup();
        Group = group.IsNone ? null : new ServedGroup(context.Core, identity.RegionId, group, _output, counters, owner.Events);
        _viewAlarm = new Alarm(MakeView);
        _keyAlarm = new Alarm(() => Rekey("lifetime"));
        context.Core.ScheduleIn(_keyAlarm, context.Options.KeyLifetimeNs);
        foreach (string application in identity.Interest)
        {
            if (owner.Find(application) is { } primary)
            {
                _cursors[primary.Topic] = primary.Committed.Release + 1;
            }
        }
    }

    /// <summary>Adds what a region holds, and each of its members.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        StreamSender.AddMemory(budget, StreamOptions.Default);
        RegionOutput.AddMemory(budget);
        AggregateReader.AddMemory(budget);
        PacketOpener.AddMemory(budget);
        ServedGroup.AddMemory(budget);
        budget.Add<RegionMember>(MemoryScope.Connection, MemoryKind.Retained, "region: a member in each view kept", ViewsKept);
    }

    public RegionIdentity Identity { get; }

    public RegionView View { get; private set; }

    public uint KeyEpoch { get; private set; }

    /// <summary>Its multicast group; null when it has none.</summary>
    public ServedGroup? Group { get; }

    public StreamCounters StreamCounters => _sender.Counters;

    public int MemberCount => _members.Count;

    public int JoiningCount => _joining.Count;

    public bool IsEmpty => _members.Count == 0 && _joining.Count == 0;

    public void Join(NodeConnection session)
    {
        _joining.Add(session);
        ScheduleView();
    }

    public void Remove(NodeConnection session, RemovalCause cause)
    {
        if (_joining.Remove(session))
        {
            return;
        }

        if (_members.Remove(session.Slot))
        {
            _removed.Add(session.Slot);
            // A member that failed holds up the ring: views of failures are made soon, but together.
            ScheduleView();
            if (cause == RemovalCause.Expelled)
            {
                Rekey("expulsion");
            }
        }
    }

    /// <summary>Something of this region's interest was committed.</summary>
    public void OnCommitted(ApplicationPrimary primary)
    {
        if (_members.Count == 0)
        {
            _cursors[primary.Topic] = primary.Committed.Release + 1;
            return;
        }

        _cursors.TryAdd(primary.Topic, primary.Committed.Release);
        _sender.OnReady();
    }

    /// <summary>Whether its stream has so much of an application's releases still to take that it would soon have to leave some out. A region that keeps up takes what
    /// comes within milliseconds, and one whose window is full goes on taking when members had their second.</summary>
    public bool IsFarBehind(ApplicationPrimary primary) =>
        _cursors.TryGetValue(primary.Topic, out ulong cursor) && primary.Recent.BytesFrom(cursor) > primary.Recent.BytesMax / 2;

    /// <summary>Asks every member to say itself, and not by the ring, what it has.</summary>
    public void Demand(uint topic, ulong release) => Tell(new DirectDemand(topic, release), _members.Values);

    /// <summary>The digest of what its applications are at. Computed when one of them moved, not for each heartbeat.</summary>
    public Digest160 Vector()
    {
        long version = _owner.StateVersion;
        if (_vectorVersion != version)
        {
            _vectorVersion = version;
            _vector = StateVectorDigest.Compute(Identity.Interest
                .Select(_owner.Find)
                .OfType<ApplicationPrimary>()
                .Select(p => p.State(_context.SlotEpoch))
                .Select(t => (t.Application, t.Generation, t.Release, t.Id)));
        }

        return _vector;
    }

    /// <summary>The next message: the applications take turns.</summary>
    public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        for (int turn = 0; turn < 2; turn++)
        {
            foreach ((uint candidate, ulong cursor) in _cursors)
            {
                if ((turn == 0 && candidate <= _lastTopic) || _owner.Find(candidate) is not { } primary)
                {
                    continue;
                }

                ulong next = Math.Max(cursor, primary.Recent.First);
                if (primary.Recent.Find(next) is { } recent)
                {
                    _counters.StreamSkips += (long)(next - cursor);
                    _cursors[candidate] = next + 1;
                    _lastTopic = topic = candidate;
                    message = recent.Message;
                    return true;
                }
            }
        }

        topic = 0;
        message = default;
        return false;
    }

    /// <summary>A datagram of this region reached the host.</summary>
    public void OnDatagram(Span<byte> datagram)
    {
        if (_opener.TryOpen(datagram, _context.Core.NowNs, out PacketHeader header, out ReadOnlySpan<byte> frames) != OpenStatus.Ok)
        {
            _counters.DatagramsRefused++;
            return;
        }

        if (!_members.TryGetValue(header.Slot, out NodeConnection? sealer) || sealer.RegionMember is not { } member)
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
                    _sender.OnNak(member.DataAddress, member.ControlAddress, reader.Payload);
                    break;
                case FrameType.Aggregate:
                    OnAggregate(reader.Payload, member);
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

    public void Rekey(string reason)
    {
        _ = reason;
        KeyEpoch++;
        _keyBytes = _owner.NewKey();
        _key = new RegionKey(KeyEpoch, _keyBytes);
        _opener.TryAddKey(_key, _context.Core.NowNs);
        _output.SetSealer(new PacketSealer(Identity.RegionId, _key, 0));
        Tell(new RegionRekey(Identity.RegionId, KeyEpoch, _keyBytes), _members.Values);
        _context.Core.ScheduleIn(_keyAlarm, _context.Options.KeyLifetimeNs);
    }

    void IAggregateHandler.OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied)
    {
        if (MemberAt(position) is { } session)
        {
            _owner.OnLevels(session, new LevelRow(topic, generation, received, persisted, applied));
        }
    }

    void IAggregateHandler.OnStream(ulong origin, ulong minContiguous, int minPosition)
    {
        if (origin == _owner.Incarnation)
        {
            _sender.OnAggregate(_aggregateView!.Number, minContiguous);
            if (MemberAt(minPosition)?.RegionMember is { } behind)
            {
                _sender.OnBehind(behind.ControlAddress, minContiguous);
            }
        }
    }

    void IAggregateHandler.OnRejection(int position, uint topic, uint generation, ulong release, string reason)
    {
        if (MemberAt(position) is { } session)
        {
            _owner.OnRejection(session, new RejectionRow(topic, generation, release, reason));
        }
    }

    void IAggregateHandler.OnSilent(int position)
    {
        if (MemberAt(position) is { } session)
        {
            _owner.OnSilent(session);
        }
    }

    public void Dispose()
    {
        _context.Core.Alarms.Cancel(_viewAlarm);
        _context.Core.Alarms.Cancel(_keyAlarm);
        _sender.Dispose();
        _output.Dispose();
        _opener.Dispose();
        if (Group is { } group)
        {
            _owner.ReturnGroup(group.Address);
        }
    }

    /// <summary>Soon, so that what comes together is one view; and the larger the region, the longer after the view before, for each costs a message a member.</summary>
    private void ScheduleView() => _context.Core.Alarms.ScheduleNoLater(
        _viewAlarm,
        Math.Max(_context.Core.NowNs + _context.Options.ViewBatchNs, _lastViewNs + (MemberCount * ViewMemberNs)));

    private void MakeView()
    {
        _lastViewNs = _context.Core.NowNs;
        ViewNumber number = View.Number.SlotEpoch < _context.SlotEpoch ? new ViewNumber(_context.SlotEpoch, 1) : View.Number.Next();
        uint firstJoiner = _nextSlot + 1;
        var added = new List<RegionMember>(_joining.Count);
        NodeConnection[] joiners = [.. _joining];
        _joining.Clear();
        foreach (NodeConnection session in joiners)
        {
            RegionMember member = session.BecomeMember(++_nextSlot);
            added.Add(member);
            _members[member.Slot] = session;
            _opener.AllowSlot(member.Slot);
        }

        foreach (uint slot in _removed)
        {
            _opener.RemoveSlot(slot);
            Group?.Remove(slot);
        }

        RegionView previous = View;
        View = previous.Next(number, _removed, added);
        _views.Enqueue(View);
        if (_views.Count > ViewsKept)
        {
            _views.Dequeue();
        }

        _counters.Views++;
        ulong firstSequence = _sender.NextSequence;
        _sender.OnView(View);
        _output.SetDestinations(View);
        uint[] removed = [.. _removed];
        _removed.Clear();
        Tell(new ViewChange(Identity.RegionId, previous.Number, number, removed, added), _members.Values.TakeWhile(s => s.Slot < firstJoiner));
        foreach (NodeConnection session in joiners)
        {
            session.Accept(this, _keyBytes, firstSequence);
            Group?.Offer(session);
        }

        if (_members.Count == 0)
        {
            _sender.ReleaseFloor(_sender.NextSequence - 1);
            foreach (uint topic in _cursors.Keys.ToArray())
            {
                _cursors[topic] = (_owner.Find(topic)?.Committed.Release ?? 0) + 1;
            }
        }
        else
        {
            _sender.OnReady();
        }
    }

    /// <summary>Tells many the same, encoded once.</summary>
    private static void Tell<T>(T message, IEnumerable<NodeConnection> sessions)
        where T : class, IMessage<T>
    {
        byte[] body = MessageCodec.Encode(message);
        // A list of their own: who does not read what it is sent is closed, and no member any more.
        foreach (NodeConnection session in sessions.ToArray())
        {
            session.Send(T.Type, body);
        }
    }

    private void OnAggregate(ReadOnlySpan<byte> payload, RegionMember leader)
    {
        if (!AggregateReader.TryReadView(payload, out ViewNumber number))
        {
            _counters.FramesRefused++;
            return;
        }

        _aggregateView = _views.FirstOrDefault(v => v.Number == number);
        if (_aggregateView is null)
        {
            return;
        }

        if (_aggregates.TryRead(payload, _aggregateView, this) != DecodeStatus.Ok)
        {
            _counters.FramesRefused++;
            return;
        }

        Span<byte> frames = stackalloc byte[256];
        _counters.Aggregates++;
        int length = _aggregates.WriteAck(frames, _owner.Incarnation, _sender.Floor);
        _output.TrySend(leader.ControlAddress, PacketClass.Control, frames[..length]);
        _owner.OnTableChanged(this);
    }

    private NodeConnection? MemberAt(int position)
    {
        RegionView view = _aggregateView!;
        return position < view.Members.Length && _members.TryGetValue(view.Members[position].Slot, out NodeConnection? session) ? session : null;
    }

    /// <summary>A member holds up the window for too long: the window goes on without it, and it catches up by release.</summary>
    private void OnStalled() => _sender.ReleaseFloor(_sender.NextSequence - 1);
}
