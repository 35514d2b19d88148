using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>The node leaves by its own will.</summary>
/// <param name="Reason">For the audit.</param>
public sealed record Leave(string Reason) : IControlMessage<Leave>
{
    /// <inheritdoc/>
    public static ControlType Type => ControlType.Leave;

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
