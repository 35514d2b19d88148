using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>The node's vector digest differs: it asks for the vector.</summary>
internal sealed record StateVectorRequest() : IMessage<StateVectorRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.StateVectorRequest;

    /// <inheritdoc/>
    public static StateVectorRequest Read(ref WireReader reader)
    {
        _ = reader.IsOk;
        return new StateVectorRequest();
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        // Nothing but the type.
    }
}
