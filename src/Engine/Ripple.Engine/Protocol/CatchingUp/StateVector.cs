using Ripple.Engine.Protocol.Joining;
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

/// <summary>The newest committed releases of the node's interest.</summary>
/// <param name="Topics">One entry per application.</param>
internal sealed record StateVector(IReadOnlyList<TopicState> Topics) : IMessage<StateVector>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.StateVector;

    /// <inheritdoc/>
    public static StateVector Read(ref WireReader reader)
    {
        IReadOnlyList<TopicState> topics = WireParts.ReadTopics(ref reader);
        return new StateVector(topics);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        WireParts.WriteTopics(ref writer, Topics);
    }
}
