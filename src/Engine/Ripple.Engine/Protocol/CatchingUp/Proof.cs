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

/// <summary>The newest signed header a node holds.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Header">The header.</param>
/// <param name="Signature">The signature over its id.</param>
/// <param name="Signer">The signer's certificate, which a restored host may have lost; empty if the node has not got it.</param>
internal sealed record Proof(
    uint Topic, ReadOnlyMemory<byte> Header, ReadOnlyMemory<byte> Signature, ReadOnlyMemory<byte> Signer = default) : IMessage<Proof>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Proof;

    /// <inheritdoc/>
    public static Proof Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ReadOnlyMemory<byte> header = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        ReadOnlyMemory<byte> signature = reader.ReadBlock16().ToArray();
        ReadOnlyMemory<byte> signer = reader.ReadBlock16().ToArray();
        return new Proof(topic, header, signature, signer);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteBlock32(Header.Span);
        writer.WriteBlock16(Signature.Span);
        writer.WriteBlock16(Signer.Span);
    }
}
