using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Time.Testing;
using Ripple.Trust;

namespace Ripple.Transports.Tests.Trust;

public sealed class ClusterAuthorityTests : IDisposable
{
    private static readonly DateTimeOffset Start = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);
    private readonly FakeTimeProvider _clock = new(Start);
    private readonly ClusterAuthority _authority;

    public ClusterAuthorityTests() => _authority = ClusterAuthority.Create(_clock);

    public void Dispose() => _authority.Dispose();

    [Fact]
    public void Host_certificate_is_trusted_for_both_sides_of_tls_and_brings_the_authority()
    {
        using X509Certificate2 host = _authority.IssueHost("h1", ["h1.example", "127.0.0.1", "::1"]);

        Assert.Equal(TrustVerdict.Trusted, Judge(host, CertificateUse.Server, out CertificateIdentity? identity));
        Assert.Equal(new HostIdentity(_authority.ClusterId, "h1"), identity);
        Assert.Equal(TrustVerdict.Trusted, Judge(host, CertificateUse.Client, out _));
        Assert.Equal(TrustVerdict.WrongAuthority, Judge(host, CertificateUse.Signing, out _));
        Assert.True(host.MatchesHostname("h1.example") && host.MatchesHostname("127.0.0.1") && host.MatchesHostname("::1"));
        Assert.Equal(_authority.Trust.ClusterId, AuthorityTrust.FromPinned(host, _authority.Trust.Fingerprint.Span)!.ClusterId);
        Assert.Null(AuthorityTrust.FromPinned(host, new byte[32]));
        Assert.Equal((Start.AddMinutes(-5), Start.AddDays(365)), (host.NotBefore.ToUniversalTime(), host.NotAfter.ToUniversalTime()));
        Assert.Equal(32, host.SerialNumber.Length);
    }

    [Fact]
    public void Node_certificate_carries_what_the_host_said_and_only_the_nodes_key()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        NodeIdentity asked = Node();
        using X509Certificate2 node = _authority.IssueNode(key.ExportSubjectPublicKeyInfo(), asked, "web-1")!;

        Assert.Equal(TrustVerdict.Trusted, Judge(node, CertificateUse.Client, out CertificateIdentity? identity));
        Assert.Equal(asked, identity);
        Assert.Equal(TrustVerdict.WrongAuthority, Judge(node, CertificateUse.Server, out _));
        Assert.Equal("CN=web-1", node.Subject);
        Assert.Equal(key.ExportSubjectPublicKeyInfo(), node.PublicKey.ExportSubjectPublicKeyInfo());
        Assert.Equal(Start.AddDays(30), node.NotAfter.ToUniversalTime());
    }

    [Fact]
    public void Keys_that_are_not_p256_are_not_certified()
    {
        using var p384 = ECDsa.Create(ECCurve.NamedCurves.nistP384);
        using var rsa = RSA.Create(2048);
        using var good = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        Assert.Null(_authority.IssueNode(p384.ExportSubjectPublicKeyInfo(), Node(), "n"));
        Assert.Null(_authority.IssueNode(rsa.ExportSubjectPublicKeyInfo(), Node(), "n"));
        Assert.Null(_authority.IssueNode([1, 2, 3], Node(), "n"));
        Assert.Null(_authority.IssueNode([.. good.ExportSubjectPublicKeyInfo(), 0], Node(), "n"));
    }

    [Fact]
    public void Certificate_is_out_of_time_before_and_after_and_due_in_its_last_third()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 node = _authority.IssueNode(key.ExportSubjectPublicKeyInfo(), Node(), "n")!;

        Assert.False(_authority.IsDue(node));
        _clock.AdjustTime(Start.AddDays(21));
        Assert.True(_authority.IsDue(node));
        _clock.AdjustTime(Start.AddDays(31));
        Assert.Equal(TrustVerdict.OutOfTime, Judge(node, CertificateUse.Client, out CertificateIdentity? identity));
        Assert.NotNull(identity);
        _clock.AdjustTime(Start.AddMinutes(-6));
        Assert.Equal(TrustVerdict.OutOfTime, Judge(node, CertificateUse.Client, out _));
    }

    [Fact]
    public void Another_authority_with_the_same_name_is_not_trusted()
    {
        using var other = ClusterAuthority.Create(_clock);
        using X509Certificate2 host = other.IssueHost("h1", []);
        Assert.Equal(TrustVerdict.WrongAuthority, Judge(host, CertificateUse.Server, out _));

        // The same subject, hence the same cluster id, with another key.
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var forged = new CertificateRequest($"CN=Ripple cluster {_authority.ClusterId}", key, HashAlgorithmName.SHA256);
        forged.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using X509Certificate2 forgedAuthority = forged.CreateSelfSigned(Start.AddDays(-1), Start.AddDays(900));
        using X509Certificate2 forgedHost = Leaf(forgedAuthority, $"ripple://{_authority.ClusterId}/host/h1");
        Assert.Equal(TrustVerdict.WrongAuthority, Judge(forgedHost, CertificateUse.Server, out _));
        Assert.Equal(TrustVerdict.WrongAuthority, Judge(forgedAuthority, CertificateUse.Server, out _));
    }

    [Fact]
    public void Saved_authority_is_the_same_one_and_only_its_owner_reads_it()
    {
        string path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        try
        {
            _authority.Save(path);
            if (!OperatingSystem.IsWindows())
            {
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
            }

            using var loaded = ClusterAuthority.Load(path, _clock);
            using X509Certificate2 host = loaded.IssueHost("h2", []);
            Assert.Equal(_authority.ClusterId, loaded.ClusterId);
            Assert.Equal(TrustVerdict.Trusted, Judge(host, CertificateUse.Server, out _));
            File.WriteAllText(path, "nonsense");
            Assert.Contains(
                path, Assert.Throws<CryptographicException>(() => ClusterAuthority.Load(path)).Message, StringComparison.Ordinal);
            Assert.Null(CertificateFile.TryLoad(path));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void Signature_holds_for_its_cluster_id_and_signer_only()
    {
        using var signer = new ReleaseSigner(_authority.IssueSigner("h1"));
        using var verifier = new ReleaseVerifier(_authority.Trust);
        byte[] id = RandomNumberGenerator.GetBytes(ReleaseSigner.ReleaseIdBytes);
        byte[] signature = new byte[ReleaseSigner.SignatureBytes];
        ulong signerId = signer.Sign(_authority.ClusterId, id, signature);

        Assert.Equal(SignatureStatus.UnknownSigner, verifier.Verify(signerId, _authority.ClusterId, id, signature));
        Assert.True(verifier.TryAdd(signer.CertificateDer.Span, out ulong added));
        Assert.True(verifier.TryAdd(signer.CertificateDer.Span, out _));
        Assert.Equal(signerId, added);
        Assert.Equal(SignatureStatus.Verified, verifier.Verify(signerId, _authority.ClusterId, id, signature));
        Assert.Equal(SignatureStatus.Wrong, verifier.Verify(signerId, Id128.New(), id, signature));
        Assert.Equal(SignatureStatus.Wrong, verifier.Verify(signerId, _authority.ClusterId, id, signature.AsSpan(1)));
        id[0] ^= 1;
        Assert.Equal(SignatureStatus.Wrong, verifier.Verify(signerId, _authority.ClusterId, id, signature));
    }

    [Fact]
    public void Verifier_takes_signers_of_its_authority_only_even_expired_ones()
    {
        using var verifier = new ReleaseVerifier(_authority.Trust);
        using var other = ClusterAuthority.Create(_clock);
        using X509Certificate2 foreign = other.IssueSigner("h1");
        using X509Certificate2 host = _authority.IssueHost("h1", []);
        _clock.AdjustTime(Start.AddYears(-3));
        using var older = ClusterAuthority.Create(_clock);
        using var oldVerifier = new ReleaseVerifier(older.Trust);
        using X509Certificate2 expired = older.IssueSigner("h1");

        Assert.False(verifier.TryAdd(foreign.RawData, out _));
        Assert.False(verifier.TryAdd(host.RawData, out _));
        Assert.False(verifier.TryAdd([1, 2, 3], out _));
        Assert.True(oldVerifier.TryAdd(expired.RawData, out _));
    }

    private NodeIdentity Node() => new(_authority.ClusterId, Id128.New(), "shop", NodeRoles.Node, "0123456789abcdef");

    private TrustVerdict Judge(X509Certificate2 certificate, CertificateUse use, out CertificateIdentity? identity) =>
        _authority.Trust.Judge(certificate, use, _clock.GetUtcNow(), out identity);

    private static X509Certificate2 Leaf(X509Certificate2 issuer, string uri)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=h1", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri(uri));
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], false));
        return request.Create(issuer, Start, Start.AddDays(30), [1, 2, 3, 4]);
    }
}
