using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Joining;

/// <summary>The certificate of a release signer, to be verified against the cluster's authority.</summary>
/// <param name="Der">The certificate.</param>
internal sealed record SignerCertificate(ReadOnlyMemory<byte> Der)
{
    internal static SignerCertificate Read(ref WireReader reader)
    {
        ReadOnlyMemory<byte> der = reader.ReadBlock16().ToArray();
        return new SignerCertificate(der);
    }

    internal void Write(ref WireWriter writer)
    {
        writer.WriteBlock16(Der.Span);
    }
}
