using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

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
