using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>A member named in the answer to a wait.</summary>
/// <param name="Node">The node.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">The release it has reached: the least of the levels that the predicate reads.</param>
/// <param name="Reason">Why it cannot satisfy the wait or is excluded; empty when it is only behind.</param>
internal sealed record WaitMember(NodeId Node, string Name, ulong Value, string Reason)
{
    internal static WaitMember Read(ref WireReader reader)
    {
        NodeId node = WireParts.ReadNode(ref reader);
        string name = reader.ReadText8();
        ulong value = reader.ReadU64();
        string reason = reader.ReadText16(4_096);
        return new WaitMember(node, name, value, reason);
    }

    internal void Write(ref WireWriter writer)
    {
        WireParts.WriteNode(ref writer, Node);
        writer.WriteText8(Name);
        writer.WriteU64(Value);
        writer.WriteText16(Reason);
    }
}
