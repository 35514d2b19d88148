using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Evidence;

/// <summary>A sign of life from the node, with its levels as direct evidence.</summary>
/// <param name="Sequence">The number of the heartbeat on its connection.</param>
/// <param name="View">The view the node is in.</param>
/// <param name="Rows">The node's levels.</param>
internal sealed record Heartbeat(ulong Sequence, ViewNumber View, IReadOnlyList<LevelRow> Rows) : IMessage<Heartbeat>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Heartbeat;

    /// <inheritdoc/>
    public static Heartbeat Read(ref WireReader reader)
    {
        ulong sequence = reader.ReadU64();
        ViewNumber view = new ViewNumber(reader.ReadU64());
        IReadOnlyList<LevelRow> rows = WireParts.ReadRows(ref reader);
        return new Heartbeat(sequence, view, rows);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(Sequence);
        writer.WriteU64(View.Value);
        WireParts.WriteRows(ref writer, Rows);
    }
}

/// <summary>A sign of life from the host, with a digest that shows the node whether it misses a release.</summary>
/// <param name="Sequence">The heartbeat it answers.</param>
/// <param name="View">The view the host sends in.</param>
/// <param name="NextSequence">The next sequence of the host's stream to the region: all below it were sent.</param>
/// <param name="StateVectorDigest">The digest of the newest committed releases of the node's interest.</param>
internal sealed record HeartbeatReply(ulong Sequence, ViewNumber View, ulong NextSequence, Digest160 StateVectorDigest)
    : IMessage<HeartbeatReply>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.HeartbeatReply;

    /// <inheritdoc/>
    public static HeartbeatReply Read(ref WireReader reader)
    {
        ulong sequence = reader.ReadU64();
        ViewNumber view = new ViewNumber(reader.ReadU64());
        ulong nextSequence = reader.ReadU64();
        Digest160 vectorDigest = WireParts.ReadDigest(ref reader);
        return new HeartbeatReply(sequence, view, nextSequence, vectorDigest);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(Sequence);
        writer.WriteU64(View.Value);
        writer.WriteU64(NextSequence);
        WireParts.WriteDigest(ref writer, StateVectorDigest);
    }
}
