using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>The host stops.</summary>
/// <param name="Reason">For people.</param>
public sealed record Goodbye(string Reason) : IControlMessage<Goodbye>
{
    /// <inheritdoc/>
    public static ControlType Type => ControlType.Goodbye;

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
