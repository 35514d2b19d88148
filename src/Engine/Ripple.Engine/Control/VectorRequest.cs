using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>The node's vector digest differs: it asks for the vector.</summary>
public sealed record VectorRequest() : IControlMessage<VectorRequest>
{
    /// <inheritdoc/>
    public static ControlType Type => ControlType.VectorRequest;

    /// <inheritdoc/>
    public static VectorRequest Read(ref WireReader reader)
    {
        _ = reader.IsOk;
        return new VectorRequest();
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        // Nothing but the type.
    }
}
