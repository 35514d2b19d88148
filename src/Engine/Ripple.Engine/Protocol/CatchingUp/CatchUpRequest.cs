using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>
/// A node's request to be brought to the newest release; or, where its validators reject the newest and it has accepted none, for the state
/// at an earlier one.
/// </summary>
/// <param name="Topic">The application.</param>
/// <param name="Generation">The generation the node holds; 0 when it holds nothing.</param>
/// <param name="Release">The newest release of its chain.</param>
/// <param name="Id">That release's id.</param>
/// <param name="Before">0 for the newest release; else the state before this release of the generation is asked for.</param>
/// <param name="IsMostApplied">Of those before it, the one that most members have in effect; else the one right before it.</param>
internal sealed record CatchUpRequest(
    uint Topic, uint Generation, ulong Release, Digest160 Id, ulong Before = 0, bool IsMostApplied = false) : IMessage<CatchUpRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.CatchUpRequest;

    /// <inheritdoc/>
    public static CatchUpRequest Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        Digest160 id = WireParts.ReadDigest(ref reader);
        ulong before = reader.ReadU64();
        bool isMostApplied = reader.ReadBool();
        return new CatchUpRequest(topic, generation, release, id, before, isMostApplied);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        WireParts.WriteDigest(ref writer, Id);
        writer.WriteU64(Before);
        writer.WriteBool(IsMostApplied);
    }
}
