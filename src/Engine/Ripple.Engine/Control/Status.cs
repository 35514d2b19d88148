using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>Asks who has what.</summary>
/// <param name="Call">The caller's number for the answer.</param>
/// <param name="Application">The application.</param>
public sealed record Status(uint Call, string Application) : IControlMessage<Status>
{
    /// <inheritdoc/>
    public static ControlType Type => ControlType.Status;

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
