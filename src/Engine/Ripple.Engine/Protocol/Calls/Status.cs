using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Requests the progress of every node of an application.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
internal sealed record Status(uint Call, string Application) : IMessage<Status>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Status;

    /// <inheritdoc/>
    public static Status Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        return new Status(call, application);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
    }
}
