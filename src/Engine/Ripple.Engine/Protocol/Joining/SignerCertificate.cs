using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

/// <summary>
/// The certificate of a release signer, to be verified against the cluster's authority: a part of the answer to a join, and a frame of its
/// own for those that have no room there, before it, and for a signer that is new, to every member, long before it signs.
/// </summary>
/// <param name="Der">The certificate.</param>
internal sealed record SignerCertificate(ReadOnlyMemory<byte> Der) : IMessage<SignerCertificate>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SignerCertificate;

    /// <inheritdoc/>
    public static SignerCertificate Read(ref WireReader reader)
    {
        ReadOnlyMemory<byte> der = reader.ReadBlock16().ToArray();
        return new SignerCertificate(der);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteBlock16(Der.Span);
    }
}
