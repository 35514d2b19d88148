using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Creates an application.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Name">Its name.</param>
internal sealed record CreateApplication(uint Call, string Name) : IMessage<CreateApplication>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.CreateApplication;

    /// <inheritdoc/>
    public static CreateApplication Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string name = reader.ReadText8();
        return new CreateApplication(call, name);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Name);
    }
}
