using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Ripple.Trust;

namespace Ripple.Transports.Tests.Trust;

/// <summary>What a release's signature is over, written down here a second time: it may never change.</summary>
public sealed class ReleaseSignerTests
{
    [Fact]
    public void A_signature_is_over_its_purpose_the_cluster_and_the_whole_id_of_the_release()
    {
        using ClusterAuthority authority = ClusterAuthority.Create();
        using var signer = new ReleaseSigner(authority.IssueSigner("host"));
        byte[] release = [.. Enumerable.Range(1, 20).Select(i => (byte)i)];
        byte[] cluster = new byte[Id128.Bytes];
        authority.ClusterId.Write(cluster);
        byte[] signature = new byte[64];

        signer.Sign(authority.ClusterId, release, signature);

        using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(signer.CertificateDer.Span);
        using ECDsa key = certificate.GetECDsaPublicKey()!;
        byte[] signed = [.. "ripple/signature/1"u8, .. cluster, .. release];
        Assert.True(key.VerifyData(signed, signature, HashAlgorithmName.SHA256, DSASignatureFormat.IeeeP1363FixedFieldConcatenation));
    }
}
