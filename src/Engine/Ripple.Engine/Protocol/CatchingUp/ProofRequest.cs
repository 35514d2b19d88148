using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>Asks a node that claims to be ahead of the host to prove it.</summary>
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
