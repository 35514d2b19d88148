using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>The node says it holds what the host does not have: it is asked to prove it.</summary>
/// <param name="Topic">The application.</param>
internal sealed record ProofRequest(uint Topic) : IMessage<ProofRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ProofRequest;

    /// <inheritdoc/>
    public static ProofRequest Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        return new ProofRequest(topic);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
    }
}
