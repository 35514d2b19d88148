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

/// <summary>The answer to a call that returns only success or failure.</summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None on success.</param>
/// <param name="Text">On failure, what the caller should do.</param>
internal sealed record CallResult(uint Call, ErrorCode Code, string Text) : IMessage<CallResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.CallResult;

    /// <inheritdoc/>
    public static CallResult Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        return new CallResult(call, code, text);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
    }
}
