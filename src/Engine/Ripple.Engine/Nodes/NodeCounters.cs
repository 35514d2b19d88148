using Ripple.Engine.Caching;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>Counts of a node's refusals and repairs. Written on the core thread; other threads read each value independently.</summary>
internal sealed class NodeCounters
{
    private const int NamesMax = 1_024;
    private readonly SortedDictionary<NodeId, long> _forgedByNode = [];
    private readonly long[] _refusedByStatus = new long[(int)OpenStatus.Forged + 1];

    /// <summary>Datagrams that were not opened: another region, key or slot, a replay, a forged seal, or not a packet at all.</summary>
    public long DatagramsRefused { get; private set; }

    /// <summary>Datagrams with a valid seal whose content is malformed or not permitted for the sealing member.</summary>
    public long FramesRefused { get; internal set; }

    /// <summary>Packets of the host received through the region's multicast group.</summary>
    public long GroupPackets { get; internal set; }

    /// <summary>Releases, values and snapshots received that are malformed, incomplete, or not as signed by the primary.</summary>
    public long Forged { get; internal set; }

    /// <summary>Control frames that were malformed or unknown.</summary>
    public long ControlRefused { get; internal set; }

    /// <summary>Catch-up requests sent to a host.</summary>
    public long CatchUps { get; internal set; }

    /// <summary>Snapshots accepted.</summary>
    public long Snapshots { get; internal set; }

    /// <summary>Past states asked for, because the newest is rejected and none was accepted.</summary>
    public long PastStatesAsked { get; internal set; }

    /// <summary>Times that another key was asked for, because packets of a member or the host were refused, or a key was worn.</summary>
    public long KeysAsked { get; internal set; }

    /// <summary>Times that the host's stream was received anew, because forged packets had moved its window ahead of the host.</summary>
    public long StreamsRestarted { get; internal set; }

    /// <summary>Values that came by the stream whole.</summary>
    public long ValuesStreamed { get; internal set; }

    /// <summary>Values that the stream was to bring and did not bring whole: the host was asked for the rest.</summary>
    public long ValuesAsked { get; internal set; }

    /// <summary>Joins completed.</summary>
    public long Joins { get; internal set; }

    /// <summary>Times that a view lacked this node after one that had it.</summary>
    public long Exclusions { get; internal set; }

    /// <summary>What this node did for others that lost packets, and they for it.</summary>
    public CachingCounters Caching { get; } = new();

    /// <summary>Datagrams refused after opening, by the member that sealed them. Core thread.</summary>
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
