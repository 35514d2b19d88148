using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

/// <summary>The host is stopping.</summary>
/// <param name="Reason">Human-readable.</param>
internal sealed record Goodbye(string Reason) : IMessage<Goodbye>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Goodbye;

    /// <inheritdoc/>
    public static Goodbye Read(ref WireReader reader)
    {
        string reason = reader.ReadText16(4_096);
        return new Goodbye(reason);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText16(Reason);
    }
}
