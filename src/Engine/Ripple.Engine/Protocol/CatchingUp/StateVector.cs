using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

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
