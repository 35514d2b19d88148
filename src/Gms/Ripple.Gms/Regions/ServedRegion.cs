using Ripple.Engine.Core;
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
/// One region as its host maintains it: the members, the views, the key, and the host's stream to it. A joiner is answered with the
/// releases committed at that moment and the first sequence it must receive. The views are those of the ring: a member enters them once it
/// is reached at its address, so that no other member is told of an address that nobody proved, and nobody waits for one that gets no
/// packets. Joins and changes of the view are batched. Core thread.
/// </summary>
internal sealed partial class ServedRegion : IAggregateHandler, IDisposable
{
    /// <summary>Twice the size of an aggregate's acknowledgement: frame header, view, round and the floor of one origin.</summary>
    private const int AckBytesMax = 96;

    private readonly RegionServices _services;
    private readonly CoreLoop _core;
    private readonly GmsOptions _options;
    private readonly GmsCounters _counters;
    private readonly RegionOutput _output;
    private readonly StreamSender _sender;
    private readonly StreamLaggards _laggards;
    private readonly FloorHolder _holder;
    private readonly RegionLeaves _leaves;
    private readonly RegionReleases _releases;
    private readonly RegionVector _vector;
    private readonly KeptViews _views;
    private readonly MemberPaths _paths;
    private readonly SortedDictionary<uint, RegionSeat> _members = [];
    private readonly List<IRegionMember> _joining = [];
    private readonly SortedSet<uint> _entering = [];
    private readonly List<uint> _removed = [];
    private readonly Alarm _viewAlarm;
    private readonly ViewPace _viewPace = new();
    private readonly RegionKeys _keys;
    private readonly AggregateReader _aggregates = new();
    private readonly PacketOpener _opener;
    private PacketSealer _sealer;
    private uint? _deafEpoch;
    private uint _nextSlot;
    private int _partMembers;
    private int _cacheOwners;
    // What the aggregate that is read at the moment is of.
    private KeptView? _told;
    private RegionPart _toldPart;
    private int _toldRank;

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
        _views = new KeptViews(view, _core.NowNs, _options.Limits.Stream.ViewsKept);
        _keys = new RegionKeys(_core, _options, services.Keys, firstKeyEpoch, OnKeyChanged);
        var key = new RegionKey(KeyEpoch, Key);
        _opener = new PacketOpener(identity.RegionId, key) { OnDeaf = slot => OnKeyFault(_options.Name, KeyFault.Deaf, slot) };
        DatagramBytes = _options.DatagramBytesOf(identity.Zone);
        _output = new RegionOutput(_core, services.DataSink, services.ControlSink, DatagramBytes);
        _sealer = new PacketSealer(identity.RegionId, key, 0, _options.Limits.KeyPacketsMax);
        _output.SetSealer(_sealer);
        _releases = new RegionReleases(identity, services.Applications, _counters);
        _vector = new RegionVector(services.Context, identity, services.Applications);
        _sender = new StreamSender(_core, services.Incarnation, _releases, _output, _options.Limits.Stream) { OnStalled = OnStalled };
        _laggards = new StreamLaggards(_core, _sender, _options.Limits.Stream);
        _leaves = new RegionLeaves(_options.Limits.MembersPerLeaf);
        _holder = new FloorHolder(_options.Limits.Stream);
        _paths = new MemberPaths(services, identity, _output, OnReached);
        NodeAddress group = services.Groups?.Take() ?? default;
        Group = group.IsNone ? null : new ServedGroup(_core, identity.RegionId, group, _output, _counters, services.Events);
        _viewAlarm = new Alarm(MakeView);
    }

    /// <summary>Adds the memory of a region and of each of its members.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        StreamSender.AddMemory(budget, StreamOptions.Default);
        RegionOutput.AddMemory(budget);
        AggregateReader.AddMemory(budget);
        PacketOpener.AddMemory(budget);
        ServedGroup.AddMemory(budget);
        MemberPaths.AddMemory(budget);
        KeptViews.AddMemory(budget);
        RegionSeat.AddMemory(budget);
        RegionKeys.AddMemory(budget);
        RegionLeaves.AddMemory(budget);
    }

    public RegionIdentity Identity { get; }

    /// <summary>The view that the host currently sends in.</summary>
    public RegionView View => _views.Newest.View;

    public uint KeyEpoch => _keys.Epoch;

    /// <summary>The most bytes of a datagram, as its zone takes them.</summary>
    public int DatagramBytes { get; }

    /// <summary>The current region key. Must not be modified.</summary>
    public byte[] Key => _keys.Key;

    /// <summary>Its multicast group; null when none was assigned.</summary>
    public ServedGroup? Group { get; }

    /// <summary>Which of its members are reached at their addresses.</summary>
    public MemberPaths Paths => _paths;

    /// <summary>Its stream, for instruments and checkers.</summary>
    public StreamSender Stream => _sender;

    /// <summary>The members that have a seat.</summary>
    public int MemberCount => _members.Count;

    /// <summary>All nodes of the region: with a seat, without one, and about to get one.</summary>
    public int NodeCount => MemberCount + _leaves.UnseatedCount + JoiningCount;

    /// <inheritdoc cref="RegionReleases.UsesShortForms"/>
    public bool UsesShortForms => _releases.UsesShortForms;

    public int JoiningCount => _joining.Count;

    public bool IsEmpty => NodeCount == 0;

    /// <summary>Admits a node with the next batch.</summary>
    public void Join(IRegionMember member)
    {
        _joining.Add(member);
        ScheduleView();
    }

    /// <summary>Removes a node; the next view excludes it.</summary>
    /// <param name="member">The node.</param>
    /// <param name="place">Its place; null when it was not admitted yet.</param>
    /// <param name="cause">The reason for the removal.</param>
    public void Remove(IRegionMember member, RegionMember? place, RemovalCause cause)
    {
        bool wasLeaf = _leaves.Remove(member);
        if ((_joining.Remove(member) && !wasLeaf) || place is null || !(TryUnseat(place.Slot) || wasLeaf))
        {
            return;
        }

        if (cause == RemovalCause.Expelled)
        {
            _keys.ChangeNow();
        }
        else
        {
            _keys.OnGone(place.Node, member.TokenId);
        }
    }

    private bool TryUnseat(uint slot)
    {
        if (!_members.Remove(slot, out RegionSeat? seat))
        {
            return false;
        }

        seat.Clear();
        _paths.Remove(slot);
        _entering.Remove(slot);
        _laggards.OnGone(slot);
        _removed.Add(slot);
        // A failed member stalls the ring: views of failures are made soon, but batched.
        ScheduleView();
        return true;
    }

    /// <inheritdoc cref="RegionKeys.Check"/>
    public void CheckTokens(Func<NodeId, string, bool> isEntitled) => _keys.Check(isEntitled);

    /// <summary>A member asks for another key.</summary>
    public void OnKeyRequest(IRegionMember member, KeyRequest request)
    {
        if (request.RegionId == Identity.RegionId && request.KeyEpoch == KeyEpoch)
        {
            OnKeyFault(member.Name, request.Fault, request.Slot);
        }
    }

    /// <summary>Called a few times a second: a key is followed by another long before the host may seal no more packets with it.</summary>
    public void OnTick()
    {
        if (_sealer.IsWorn)
        {
            _keys.ChangeNow();
        }

        LookForLeaves();
    }

    /// <summary>An application of this region's interest committed releases.</summary>
    public void OnCommitted(ApplicationPrimary primary)
    {
        bool isAnybodyThere = _members.Count > 0;
        _vector.OnCommitted(primary);
        _releases.OnCommitted(primary, isAnybodyThere);
        if (isAnybodyThere)
        {
            _sender.OnReady();
        }

        foreach (Leaf leaf in _leaves.Current.ToArray())
        {
            leaf.Member.BringForward(primary);
        }
    }

    /// <inheritdoc cref="RegionReleases.IsFarBehind"/>
    public bool IsFarBehind(ApplicationPrimary primary) => _releases.IsFarBehind(primary);

    /// <summary>Asks every member that was not asked yet to report a release directly instead of through the ring.</summary>
    public void Demand(uint topic, ulong release) => Tell(
        new DirectDemand(topic, release),
        _members.Values.Select(s => s.Member)
            .Concat(_leaves.Current.Where(l => l.Member.Place is null).Select(l => l.Member))
            .Where(m => m?.Rows?.TryDemand(topic, release) == true));

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
                case FrameType.Nak when _paths.IsReached(header.Slot):
                    _sender.OnNak(sealer.DataAddress, sealer.ControlAddress, reader.Payload);
                    break;
                case FrameType.Aggregate:
                    OnAggregate(reader.Payload, sealer, seat);
                    break;
                case FrameType.Gathered:
                    OnGathered(reader.Payload);
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

    public void Dispose()
    {
        _core.Alarms.Cancel(_viewAlarm);
        _keys.Dispose();
        _paths.Dispose();
        _sender.Dispose();
        _output.Dispose();
        _opener.Dispose();
        if (Group is { } group)
        {
            _services.Groups!.Return(group.Address);
        }
    }

    private void OnKeyFault(string who, KeyFault fault, uint slot)
    {
        _keys.ChangeSoon();
        if (fault == KeyFault.Deaf && _deafEpoch != KeyEpoch)
        {
            _deafEpoch = KeyEpoch;
            string whom = slot == 0 ? _options.Name
                : _members.TryGetValue(slot, out RegionSeat? seat) && seat.Member is { } member ? member.Name
                : "a member that is gone";
            _services.Events.Post(
                GmsEventKind.Deaf,
                who,
                $"it refuses the packets of {whom}: somebody with the key of the region has counted ahead in that name; the key changes");
        }
    }

    private void OnKeyChanged()
    {
        var key = new RegionKey(KeyEpoch, Key);
        _opener.TryAddKey(key, _core.NowNs);
        _sealer = new PacketSealer(Identity.RegionId, key, 0, _options.Limits.KeyPacketsMax);
        _output.SetSealer(_sealer);
        _counters.KeyChanges++;
        Tell(new RegionRekey(Identity.RegionId, KeyEpoch, Key), _members.Values);
    }

    private static void Tell<T>(T message, IEnumerable<RegionSeat> seats)
        where T : class, IMessage<T> => Tell(message, seats.Select(s => s.Member));

    /// <summary>Sends one message, encoded once, to many members.</summary>
    private static void Tell<T>(T message, IEnumerable<IRegionMember?> members)
        where T : class, IMessage<T>
    {
        byte[] body = MessageCodec.Encode(message);
        // A copy: a member that does not read is closed during the send, and leaves the set.
        foreach (IRegionMember? member in members.ToArray())
        {
            member?.Send(T.Type, body);
        }
    }

    private void OnStalled() => _laggards.OnStalled();
}
