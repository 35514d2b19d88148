using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

/// <summary>The node leaves voluntarily.</summary>
/// <param name="Reason">Human-readable; not used by the host.</param>
internal sealed record Leave(string Reason) : IMessage<Leave>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Leave;

    /// <inheritdoc/>
    public static Leave Read(ref WireReader reader)
    {
        string reason = reader.ReadText16(4_096);
        return new Leave(reason);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText16(Reason);
    }
}

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
