using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>
/// Follows a predicate: the newest release for which it holds, whenever that changes, until <see cref="WaitCancel"/>.
/// </summary>
/// <param name="Call">The call number, chosen by the caller and repeated in each point.</param>
/// <param name="Application">The application.</param>
/// <param name="Predicate">The predicate, or the name of one, which is followed when it is changed.</param>
internal sealed record Monitor(uint Call, string Application, string Predicate) : IMessage<Monitor>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Monitor;

    /// <inheritdoc/>
    public static Monitor Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        string predicate = reader.ReadText16(4_096);
        return new Monitor(call, application, predicate);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        writer.WriteText16(Predicate);
    }
}

/// <summary>
/// How far a predicate has come. The order of (generation, version, release) never goes back within a monitor.
/// </summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None; else the monitor ended, or could not begin.</param>
/// <param name="Text">On error, what the caller should do; otherwise why it cannot be evaluated now, empty if it can.</param>
/// <param name="Generation">The generation of the release.</param>
/// <param name="Version">The version of the predicate; 0 if it was given as text.</param>
/// <param name="Release">The newest release for which it holds; 0 for none.</param>
internal sealed record MonitorPoint(uint Call, ErrorCode Code, string Text, uint Generation, ulong Version, ulong Release)
    : IMessage<MonitorPoint>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.MonitorPoint;

    /// <inheritdoc/>
    public static MonitorPoint Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        uint generation = reader.ReadU32();
        ulong version = reader.ReadU64();
        ulong release = reader.ReadU64();
        return new MonitorPoint(call, code, text, generation, version, release);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
        writer.WriteU32(Generation);
        writer.WriteU64(Version);
        writer.WriteU64(Release);
    }
}
