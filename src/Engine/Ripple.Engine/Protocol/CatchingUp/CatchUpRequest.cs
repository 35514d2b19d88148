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

/// <summary>One release of a catch-up.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Message">The release message, as in the stream.</param>
internal sealed record CatchUpRelease(uint Topic, ReadOnlyMemory<byte> Message) : IMessage<CatchUpRelease>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.CatchUpRelease;

    /// <inheritdoc/>
    public static CatchUpRelease Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ReadOnlyMemory<byte> message = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new CatchUpRelease(topic, message);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteBlock32(Message.Span);
    }
}

/// <summary>
/// The end of a catch-up: the node has been sent everything up to this release; or the state before one, if it asked for that.
/// </summary>
/// <param name="Topic">The application.</param>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The newest release sent; 0 for none.</param>
/// <param name="Before">As in the request.</param>
/// <param name="Code">Why a past state was not sent: <see cref="ErrorCode.NotFound"/> when there is none, or it is asked for again later;
/// else <see cref="ErrorCode.None"/>.</param>
internal sealed record CatchUpEnd(
    uint Topic, uint Generation, ulong Release, ulong Before = 0, ErrorCode Code = ErrorCode.None) : IMessage<CatchUpEnd>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.CatchUpEnd;

    /// <inheritdoc/>
    public static CatchUpEnd Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        ulong before = reader.ReadU64();
        var code = (ErrorCode)reader.ReadU16();
        return new CatchUpEnd(topic, generation, release, before, code);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        writer.WriteU64(Before);
        writer.WriteU16((ushort)Code);
    }
}
