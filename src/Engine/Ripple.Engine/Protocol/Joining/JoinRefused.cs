using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

/// <summary>The node is not admitted.</summary>
/// <param name="Code">Why.</param>
/// <param name="Text">What to do.</param>
internal sealed record JoinRefused(ErrorCode Code, string Text) : IMessage<JoinRefused>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.JoinRefused;

    /// <inheritdoc/>
    public static JoinRefused Read(ref WireReader reader)
    {
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        return new JoinRefused(code, text);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
    }
}
