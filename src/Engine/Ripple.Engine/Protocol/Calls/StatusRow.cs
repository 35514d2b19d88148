using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>The progress of one member.</summary>
/// <param name="Node">The node.</param>
/// <param name="Incarnation">Its incarnation.</param>
/// <param name="Name">Its name.</param>
/// <param name="Zone">Its zone.</param>
/// <param name="State">0 present, 1 silent, 2 left, 3 failed.</param>
/// <param name="Received">The newest release received.</param>
/// <param name="Persisted">The newest release persisted.</param>
/// <param name="Applied">The newest release applied.</param>
/// <param name="DirectApplied">The newest release applied, as reported by the member itself and not through the ring.</param>
/// <param name="Rejected">The newest release rejected; 0 for none.</param>
/// <param name="Reason">Why it was rejected.</param>
internal sealed record StatusRow(
    NodeId Node,
    ulong Incarnation,
    string Name,
    string Zone,
    byte State,
    ulong Received,
    ulong Persisted,
    ulong Applied,
    ulong DirectApplied,
    ulong Rejected,
    string Reason)
{
    internal static StatusRow Read(ref WireReader reader)
    {
        NodeId node = WireParts.ReadNode(ref reader);
        ulong incarnation = reader.ReadU64();
        string name = reader.ReadText8();
        string zone = reader.ReadText8();
        byte state = reader.ReadU8();
        ulong received = reader.ReadU64();
        ulong persisted = reader.ReadU64();
        ulong applied = reader.ReadU64();
        ulong directApplied = reader.ReadU64();
        ulong rejected = reader.ReadU64();
        string reason = reader.ReadText16(4_096);
        return new StatusRow(node, incarnation, name, zone, state, received, persisted, applied, directApplied, rejected, reason);
    }

    internal void Write(ref WireWriter writer)
    {
        WireParts.WriteNode(ref writer, Node);
        writer.WriteU64(Incarnation);
        writer.WriteText8(Name);
        writer.WriteText8(Zone);
        writer.WriteU8(State);
        writer.WriteU64(Received);
        writer.WriteU64(Persisted);
        writer.WriteU64(Applied);
        writer.WriteU64(DirectApplied);
        writer.WriteU64(Rejected);
        writer.WriteText16(Reason);
    }
}
