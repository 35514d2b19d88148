using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;

namespace Ripple.Simulator.Adversary;

/// <summary>What can be seen of a node before and after it handles one datagram.</summary>
/// <param name="Refused">Datagrams that were not opened.</param>
/// <param name="Misread">Opened ones that were malformed, or that their sealer may not send.</param>
/// <param name="Window">Packets that the receiver of the stream took.</param>
/// <param name="Highest">The newest sequence it knows of.</param>
/// <param name="Contiguous">The sequence up to which it has all.</param>
/// <param name="Floor">The sender's floor, as told to it.</param>
/// <param name="Hops">Tokens that its ring took.</param>
/// <param name="Pending">Releases that wait in its intakes.</param>
internal readonly record struct NodeReading(
    long Refused, long Misread, long Window, ulong Highest, ulong Contiguous, ulong Floor, long Hops, int Pending)
{
    /// <summary>Reads a node; null while it is in no region, and holds datagrams back unopened.</summary>
    public static NodeReading? Of(Node? node)
    {
        if (node?.Region is not { } region)
        {
            return null;
        }

        int pending = 0;
        foreach (ApplicationReplica replica in node.Applications)
        {
            pending += replica.PendingCount;
        }

        NodeCounters counters = node.Counters;
        return new NodeReading(
            counters.DatagramsRefused,
            counters.FramesRefused + region.Receiver.Counters.Malformed + region.Ring.Counters.Refused,
            region.Receiver.Counters.Packets,
            region.Receiver.Highest,
            region.Receiver.Contiguous,
            region.Receiver.Floor,
            region.Ring.Counters.Hops,
            pending);
    }

    /// <summary>Whether the datagram in between was opened and decoded.</summary>
    public bool IsOpenedSince(in NodeReading before) => Refused == before.Refused && Misread == before.Misread;

    /// <summary>Whether it changed the window, the ring or an intake.</summary>
    public bool IsNewSince(in NodeReading before) => this != before with { Refused = Refused, Misread = Misread };
}
