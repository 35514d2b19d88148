using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>What a node refused and repaired. Written on the core thread; read from others, each value by itself.</summary>
internal sealed class NodeCounters
{
    private const int NamesMax = 1_024;
    private readonly SortedDictionary<NodeId, long> _forgedByNode = [];
    private readonly long[] _refusedByStatus = new long[(int)OpenStatus.Forged + 1];

    /// <summary>Datagrams that were not opened: another region, key, slot, a replay, a forged seal, or no packet at all.</summary>
    public long DatagramsRefused { get; private set; }

    /// <summary>Datagrams of a good seal whose content a member had no right to send or that is malformed.</summary>
    public long FramesRefused { get; internal set; }

    /// <summary>Packets of the host that came through the region's multicast group.</summary>
    public long GroupPackets { get; internal set; }

    /// <summary>Things that came by stream and were not what the primary released.</summary>
    public long Forged { get; internal set; }

    /// <summary>Control frames that were malformed or unknown.</summary>
    public long ControlRefused { get; internal set; }

    /// <summary>Times this node asked a host to bring it forward.</summary>
    public long CatchUps { get; internal set; }

    /// <summary>Snapshots taken.</summary>
    public long Snapshots { get; internal set; }

    /// <summary>Joins completed.</summary>
    public long Joins { get; internal set; }

    /// <summary>What members sealed and had no right to, by member. Core thread.</summary>
    public IReadOnlyDictionary<NodeId, long> RefusedByMember => _forgedByNode;

    /// <summary>Datagrams refused for this reason.</summary>
    public long DatagramsRefusedAs(OpenStatus status) => _refusedByStatus[(int)status];

    internal void RefuseDatagram(OpenStatus status)
    {
        DatagramsRefused++;
        _refusedByStatus[(int)status]++;
    }

    internal void Blame(NodeId node)
    {
        if (_forgedByNode.TryGetValue(node, out long count))
        {
            _forgedByNode[node] = count + 1;
        }
        else if (_forgedByNode.Count < NamesMax)
        {
            _forgedByNode[node] = 1;
        }
    }
}
