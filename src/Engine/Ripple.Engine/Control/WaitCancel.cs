using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>Ends a wait without an answer.</summary>
/// <param name="Call">The wait.</param>
public sealed record WaitCancel(uint Call) : IControlMessage<WaitCancel>
{
    /// <inheritdoc/>
    public static ControlType Type => ControlType.WaitCancel;

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
