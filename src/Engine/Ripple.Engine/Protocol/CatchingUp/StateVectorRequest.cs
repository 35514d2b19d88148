using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>A request for the state vector, from a node whose own digest of it differs from the host's.</summary>
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
        // The message has no body.
    }
}
