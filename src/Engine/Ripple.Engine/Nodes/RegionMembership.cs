using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>
/// A node's membership in its region, for one incarnation: the key, the view, the receiver of the host's stream, and the ring. Relies only
/// on what the seal proves: that the sealer is a member. Core thread.
/// </summary>
internal sealed class RegionMembership : IStreamReceiverHandler, IDisposable
{
    private readonly CoreLoop _core;
    private readonly NodeLimits _limits;
    private readonly NodeCounters _counters;
    private readonly IRegionMembershipHandler _handler;
    private readonly RegionOutput _output;
    private readonly PacketOpener _opener;
    private readonly RingMember _ring;
    private readonly PeerRepairer _repairer;
    private StreamReceiver _receiver;
    private RegionFrames _frames;
    private PacketSealer _sealer;
    private uint _keyEpoch;
    private readonly ulong _origin;
    private readonly NodeAddress _hostControl;
    private readonly uint _slot;
    private int _partMembers;
    // Who sealed the packet that is being taken; 0 for the host, and between packets.
    private uint _takenFrom;
    private bool _isFalse;

    public RegionMembership(
        CoreLoop core,
        NodeCounters counters,
        JoinAccepted accepted,
        IDatagramSink dataSink,
        IDatagramSink controlSink,
        IRingContribution contribution,
        IRegionMembershipHandler handler,
        SharedPackets? shared,
        NodeLimits limits)
    {
        _core = core;
        _limits = limits;
        _counters = counters;
        _handler = handler;
        _origin = accepted.HostIncarnation;
        _hostControl = accepted.HostControlAddress;
        _slot = accepted.Slot;
        View = accepted.View;
        var key = new RegionKey(accepted.KeyEpoch, accepted.Key.Span);
        _keyEpoch = accepted.KeyEpoch;
        _opener = new PacketOpener(View.RegionId, key, shared) { OnDeaf = slot => Ask(KeyFault.Deaf, slot) };
        _opener.AllowSlot(0);
        foreach (RegionMember member in View.Members)
        {
            _opener.AllowSlot(member.Slot);
        }

        _output = new RegionOutput(core, dataSink, controlSink, accepted.DatagramBytes);
        _sealer = new PacketSealer(View.RegionId, key, _slot, limits.KeyPacketsMax);
        _output.SetSealer(_sealer);
        _repairer = new PeerRepairer(core, _origin, new CacheOwners(_slot), _output, limits.Caching, counters.Caching);
        _repairer.Owners.OnView(View);
        _receiver = new StreamReceiver(
            core, _origin, accepted.FirstSequence, _hostControl, _output, this, limits.Stream, _repairer.Owners);
        var own = new MemberKey(View.RegionId, _slot, accepted.MemberKey.Span);
        RingOptions ring = limits.Ring with
        {
            TopicsPerToken = Math.Min(limits.Ring.TopicsPerToken, RingLimits.TopicsMaxOf(accepted.Topics.Count)),
        };
        _ring = new RingMember(core, _output, contribution, own, ring);
        _ring.OnView(View, _slot, _hostControl);
        _frames = new RegionFrames(_receiver, _ring, OnPathProbe, _repairer);
    }

    /// <summary>The newest view. It includes this member from when the host has found it to be reached at its address.</summary>
    public RegionView View { get; private set; }

    public StreamReceiver Receiver => _receiver;

    public RingMember Ring => _ring;

    /// <summary>What this member keeps for others.</summary>
    public PeerRepairer Repairer => _repairer;

    public ulong Origin => _origin;

    /// <summary>The member that sealed the packet that is taken now; null while that is none, or the host's.</summary>
    public NodeId? Sealer => _takenFrom != 0 && View.PositionOf(_takenFrom) is var position and >= 0 ? View.Members[position].Node : null;

    /// <summary>A level of this node changed.</summary>
    public void OnChanged() => _ring.OnChanged();

    public void OnDatagram(Span<byte> datagram)
    {
        OpenStatus status = _opener.TryOpen(datagram, _core.NowNs, out PacketHeader header, out ReadOnlySpan<byte> frames);
        if (status != OpenStatus.Ok)
        {
            _counters.RefuseDatagram(status);
            return;
        }

        if (header.Slot == 0)
        {
            _ring.HearsGroup = _handler.OnHostPacket(header.Class);
        }

        _takenFrom = header.Slot;
        _isFalse = false;
        bool isTaken = _frames.TryTake(header.Slot, header.Class, frames);
        _takenFrom = 0;
        if (_isFalse)
        {
            // With the packet itself, which was kept after its message had been delivered.
            _repairer.Forget();
        }

        if (!isTaken)
        {
            Refuse(header.Slot);
        }
        else if (header.Slot != 0 && header.Class == PacketClass.Repair)
        {
            // What a neighbour had to repair did not come by the group either.
            _counters.Caching.Received++;
            _ring.HearsGroup = _handler.OnHostPacket(PacketClass.Repair);
        }
    }

    /// <summary>The views that follow are cut so; ignored for another region.</summary>
    public void SetParts(RegionParts parts) => _partMembers = parts.RegionId == View.RegionId ? parts.PartMembers : _partMembers;

    /// <summary>How many members keep a packet from now on; ignored for another region.</summary>
    public void SetCaching(RegionCaching caching)
    {
        if (caching.RegionId == View.RegionId)
        {
            _repairer.Owners.SetCount(caching.Owners);
        }
    }

    /// <summary>
    /// The ring says that all members have everything up to a sequence. It is members that say so: what this one lacks is not believed.
    /// </summary>
    public void OnFloor(ulong origin, ulong floor)
    {
        if (origin == _origin)
        {
            _repairer.OnFloor(Math.Min(floor, _receiver.Contiguous));
        }
    }

    /// <summary>Applies a view change; false when it does not start from the current view.</summary>
    public bool TryChange(ViewChange change)
    {
        if (change.From != View.Number)
        {
            return false;
        }

        // Only the differences are processed: a region may have thousands of members, and a new view for every few that join.
        foreach (uint slot in change.RemovedSlots)
        {
            _opener.RemoveSlot(slot);
        }

        foreach (RegionMember member in change.Added)
        {
            _opener.AllowSlot(member.Slot);
        }

        Enter(View.Next(change.To, change.RemovedSlots, change.Added, _partMembers));
        return true;
    }

    /// <summary>Enters a whole view; ignored when it is another region's, or not newer than the current one.</summary>
    public void SetView(RegionView view)
    {
        if (view.RegionId != View.RegionId || view.Number.CompareTo(View.Number) <= 0)
        {
            return;
        }

        foreach (RegionMember member in View.Members)
        {
            if (view.PositionOf(member.Slot) < 0)
            {
                _opener.RemoveSlot(member.Slot);
            }
        }

        foreach (RegionMember member in view.Members)
        {
            if (View.PositionOf(member.Slot) < 0)
            {
                _opener.AllowSlot(member.Slot);
            }
        }

        Enter(view.Cut(_partMembers));
    }

    private void Enter(RegionView view)
    {
        bool wasIncluded = View.PositionOf(_slot) >= 0;
        bool isIncluded = view.PositionOf(_slot) >= 0;
        View = view;
        if (wasIncluded && !isIncluded)
        {
            // Ends this membership.
            _handler.OnExcluded();
            return;
        }

        _repairer.Owners.OnView(view);
        _ring.OnView(view, _slot, _hostControl);
        if (isIncluded && !wasIncluded)
        {
            _handler.OnIncluded();
        }
    }

    /// <summary>Takes the region's next key; ignored when it is another region's, or not newer than the newest one.</summary>
    public void SetKey(RegionRekey key)
    {
        if (key.RegionId != View.RegionId)
        {
            return;
        }

        var regionKey = new RegionKey(key.KeyEpoch, key.Key.Span);
        if (!_opener.TryAddKey(regionKey, _core.NowNs))
        {
            return;
        }

        _keyEpoch = key.KeyEpoch;
        _sealer = new PacketSealer(View.RegionId, regionKey, _slot, _limits.KeyPacketsMax);
        _output.SetSealer(_sealer);
    }

    /// <summary>Called with each heartbeat: a key that is worn is followed by another before it is used up.</summary>
    public void OnHeartbeat()
    {
        if (_sealer.IsWorn)
        {
            Ask(KeyFault.Worn, _slot);
        }
    }

    /// <summary>
    /// The host said over its connection which sequence it sends next. A receiver that was already beyond it when it asked was made to skip
    /// packets that were not sent yet, by a member that sealed in the host's name, and would refuse them: it starts over at that sequence.
    /// Catch-up brings what it missed.
    /// </summary>
    /// <param name="next">The next sequence of the host's stream, after the question.</param>
    /// <param name="contiguous">What this member had or skipped before the question.</param>
    public void OnHostSequence(ulong next, ulong contiguous)
    {
        if (contiguous >= next)
        {
            _counters.StreamsRestarted++;
            StreamReceiver misled = _receiver;
            misled.Dispose();
            _receiver = new StreamReceiver(
                _core, _origin, next, _hostControl, _output, this, _limits.Stream, _repairer.Owners)
            {
                Counters = misled.Counters,
            };
            _frames = new RegionFrames(_receiver, _ring, OnPathProbe, _repairer);
            _repairer.Restart();
            _handler.OnSkipped();
        }

        _receiver.OnSent(next - 1);
    }

    void IStreamReceiverHandler.OnMessage(uint topic, ReadOnlySpan<byte> message) => _handler.OnMessage(topic, message);

    void IStreamReceiverHandler.OnSkipped(ulong fromSequence, ulong toSequence) => _handler.OnSkipped();

    void IStreamReceiverHandler.OnProgress(ulong packets) => _ring.OnStreamProgress(packets);

    public void Dispose()
    {
        _ring.Dispose();
        _receiver.Dispose();
        _repairer.Dispose();
        _output.Dispose();
        _opener.Dispose();
    }

    private void Ask(KeyFault fault, uint slot) => _handler.OnKeyFault(new KeyRequest(View.RegionId, _keyEpoch, fault, slot));

    private void OnPathProbe(ulong nonceHigh, ulong nonceLow) => _handler.OnPathProbe(new PathAnswer(View.RegionId, nonceHigh, nonceLow));

    /// <summary>
    /// A message that was just delivered is false. Where a member sealed the packet that completed it, that member made it up, or passed
    /// on in good faith what somebody had sealed in the host's name; whoever has the key can. Where the host seems to have sealed it, what
    /// is kept for others may be false as well.
    /// </summary>
    public void OnFalseMessage()
    {
        if (_takenFrom != 0)
        {
            Refuse(_takenFrom);
        }

        _isFalse = true;
        _repairer.Forget();
    }

    /// <summary>A message that was delivered some time ago is false.</summary>
    /// <param name="sealer">The member that sealed the packet which completed it; null for the host, or if no packet brought it.</param>
    public void OnFalseMessage(NodeId? sealer)
    {
        if (sealer is { } member)
        {
            _counters.FramesRefused++;
            _counters.Blame(member);
        }

        _isFalse = true;
        _repairer.Forget();
    }

    private void Refuse(uint sealer)
    {
        _counters.FramesRefused++;
        int position = View.PositionOf(sealer);
        if (position >= 0)
        {
            _counters.Blame(View.Members[position].Node);
        }
    }
}

/// <summary>Events that a region membership reports to its node. Core thread.</summary>
internal interface IRegionMembershipHandler
{
    /// <summary>A packet of the host was opened; true if the host's stream comes by a group.</summary>
    bool OnHostPacket(PacketClass packetClass);

    /// <summary>A probe of the host arrived at this node's address.</summary>
    void OnPathProbe(PathAnswer answer);

    /// <summary>A message of the host's stream is complete. Valid during the call only; unverified.</summary>
    void OnMessage(uint topic, ReadOnlySpan<byte> message);

    /// <summary>The sender no longer has the missing packets.</summary>
    void OnSkipped();

    /// <summary>The key of the region is no longer of use: another is needed.</summary>
    void OnKeyFault(KeyRequest request);

    /// <summary>The newest view is the first that includes this node.</summary>
    void OnIncluded();

    /// <summary>The newest view does not include this node, and the one before did.</summary>
    void OnExcluded();
}
