using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>A member that a wait names.</summary>
/// <param name="Node">The node.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">The release it is at, at the level asked for.</param>
/// <param name="Reason">Why it cannot hold or is left out; empty when it is merely behind.</param>
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
