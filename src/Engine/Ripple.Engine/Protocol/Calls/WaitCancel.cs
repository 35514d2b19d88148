using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Ends a wait without an answer.</summary>
/// <param name="Call">The wait.</param>
internal sealed record WaitCancel(uint Call) : IMessage<WaitCancel>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.WaitCancel;

    /// <inheritdoc/>
    public static WaitCancel Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        return new WaitCancel(call);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
    }
}
