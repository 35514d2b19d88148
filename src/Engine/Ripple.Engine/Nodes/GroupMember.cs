using Ripple.Engine.Core;
using Ripple.Engine.Protocol.Views;

namespace Ripple.Engine.Nodes;

/// <summary>
/// A node's participation in the multicast group of its region. Reports that it hears the host only once it does, and that it does not when
/// the stream keeps arriving only by other paths: the host then sends it the stream by unicast. Core thread.
/// </summary>
internal sealed class GroupMember : IDatagramHandler, IDisposable
{
    // A lost burst is repaired by unicast in less time than this, whatever its number of packets.
    private const long SilenceNs = 1_000_000_000;
    private const int UnheardMax = 8;
    private const long DeafNsMin = 1_000_000_000;
    private const long DeafNsMax = 64_000_000_000;
    private readonly CoreLoop _core;
    private readonly Node _node;
    private readonly IDatagramGroups? _groups;
    private readonly Func<GroupReport, bool> _trySend;
    private IDatagramPort? _port;
    private GroupReport? _unsent;
    private ulong _regionId;
    private bool _isFromGroup;
    private bool _hears;
    private int _unheard;
    private long _heardNs;
    private long _deafUntilNs;
    private long _deafNs = DeafNsMin;

    /// <param name="core">The core.</param>
    /// <param name="node">Handles received datagrams.</param>
    /// <param name="groups">Joins multicast groups; null when no group can be joined.</param>
    /// <param name="trySend">Sends a report to the host; false when it must be sent later.</param>
    public GroupMember(CoreLoop core, Node node, IDatagramGroups? groups, Func<GroupReport, bool> trySend)
    {
        _core = core;
        _node = node;
        _groups = groups;
        _trySend = trySend;
    }

    public void OnGroup(RegionGroup offer)
    {
        Leave();
        _regionId = offer.RegionId;
        string reason = "this node cannot take multicast";
        if (_groups is not null && _groups.TryJoin(offer.Group, out _port, out reason))
        {
            _port.Handler = this;
            Report(GroupState.Joined, "nothing was heard yet");
            return;
        }

        Report(GroupState.NotJoined, reason);
    }

    public void OnDatagram(Span<byte> datagram)
    {
        _isFromGroup = true;
        _node.OnDatagram(datagram);
        _isFromGroup = false;
    }

    /// <summary>
    /// A packet of the host was opened, received from the group or otherwise. True while the host's stream comes by the group.
    /// </summary>
    public bool OnHostPacket(PacketClass packetClass)
    {
        if (_isFromGroup)
        {
            _node.Counters.GroupPackets++;
            _unheard = 0;
            _heardNs = _core.NowNs;
            if (!_hears && _core.NowNs >= _deafUntilNs)
            {
                _hears = true;
                Report(GroupState.Hears, string.Empty);
            }

            return _hears;
        }

        if (_hears && packetClass >= PacketClass.Repair && ++_unheard >= UnheardMax && _core.NowNs - _heardNs >= SilenceNs)
        {
            // An unreliable path must not make the host switch back and forth.
            _hears = false;
            _deafUntilNs = _core.NowNs + _deafNs;
            _deafNs = Math.Min(2 * _deafNs, DeafNsMax);
            Report(GroupState.Joined, "the group went silent while the stream went on");
        }

        return _hears;
    }

    public void OnWritable()
    {
        if (_unsent is { } report && _trySend(report))
        {
            _unsent = null;
        }
    }

    /// <summary>Leaves the group, if it has joined one.</summary>
    public void Leave()
    {
        _unsent = null;
        _hears = false;
        _unheard = 0;
        if (_port is { } port)
        {
            _port = null;
            _core.Forget(this);
            port.Dispose();
        }
    }

    public void Dispose() => Leave();

    private void Report(GroupState state, string reason)
    {
        var report = new GroupReport(_regionId, state, reason);
        _unsent = _trySend(report) ? null : report;
    }
}
