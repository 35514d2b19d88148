using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>The newest committed releases of the node's interest.</summary>
/// <param name="Topics">One an application.</param>
public sealed record Vector(IReadOnlyList<TopicState> Topics) : IControlMessage<Vector>
{
    /// <inheritdoc/>
    public static ControlType Type => ControlType.Vector;

    /// <inheritdoc/>
    public static Vector Read(ref WireReader reader)
    {
        IReadOnlyList<TopicState> topics = WireParts.ReadTopics(ref reader);
        return new Vector(topics);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        WireParts.WriteTopics(ref writer, Topics);
    }
}
