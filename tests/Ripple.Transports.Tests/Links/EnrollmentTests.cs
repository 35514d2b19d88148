using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Links;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Transports.Tests.Links;

/// <summary>What a node takes from a host that it enrols with; the host is certified, and may lie all the same.</summary>
public sealed class EnrollmentTests : IDisposable
{
    private static readonly AccessTokenSecret Token = AccessTokenSecret.New();
    private static readonly Id128 Node = new(7, 8);
    private readonly ClusterAuthority _authority = ClusterAuthority.Create();

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => _authority.Dispose();

    [Fact]
    public async Task A_certificate_for_this_node_its_key_and_its_application_is_taken()
    {
        using X509Certificate2 taken = await EnrollAsync(r => Grant(r.PublicKey, "shop"));

        Assert.True(taken.HasPrivateKey);
        Assert.Equal(IdentityStatus.Ok, IdentityReader.Read(taken, out CertificateIdentity? identity));
        Assert.Equal(("shop", Node), (((NodeIdentity)identity!).Application, ((NodeIdentity)identity).NodeId));
    }

    [Fact]
    public async Task A_node_without_an_application_takes_the_one_of_its_token()
    {
        using X509Certificate2 taken = await EnrollAsync(r => Grant(r.PublicKey, "other"), application: "");

        Assert.True(taken.HasPrivateKey);
    }

    [Fact]
    public Task A_certificate_for_another_application_is_refused() => RefusedAsync(r => Grant(r.PublicKey, "other"));

    [Fact]
    public async Task A_certificate_for_another_key_is_refused()
    {
        using var other = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        await RefusedAsync(_ => Grant(other.ExportSubjectPublicKeyInfo(), "shop"));
    }

    [Fact]
    public Task A_grant_that_names_another_node_is_refused() =>
        RefusedAsync(r => Grant(r.PublicKey, "shop") with { NodeId = new Id128(7, 9) });

    [Fact]
    public Task A_grant_that_names_another_cluster_is_refused() =>
        RefusedAsync(r => Grant(r.PublicKey, "shop") with { ClusterId = new Id128(1, 1) });

    [Fact]
    public async Task A_grant_that_brings_another_authority_is_refused()
    {
        using var other = ClusterAuthority.Create();
        await RefusedAsync(r => Grant(r.PublicKey, "shop") with { Authority = other.Trust.Der });
    }

    [Fact]
    public async Task A_certificate_of_another_authority_is_refused()
    {
        using var other = ClusterAuthority.Create();
        await RefusedAsync(r => Grant(r.PublicKey, "shop") with { Certificate = CertificateOf(other, r.PublicKey, "shop") });
    }

    [Fact]
    public Task A_certificate_that_is_none_is_refused() =>
        RefusedAsync(r => Grant(r.PublicKey, "shop") with { Certificate = new byte[] { 1, 2, 3 } });

    private async Task RefusedAsync(Func<EnrollRequest, EnrollGrant> grant)
    {
        LinkConnectException refused = await Assert.ThrowsAsync<LinkConnectException>(() => EnrollAsync(grant));

        Assert.Equal(LinkConnectFailure.Untrusted, refused.Failure);
        Assert.Contains("something else than a certificate for it", refused.Message, StringComparison.Ordinal);
    }

    private EnrollGrant Grant(ReadOnlyMemory<byte> publicKey, string application) =>
        new(CertificateOf(_authority, publicKey, application), _authority.Trust.Der, _authority.ClusterId, Node);

    private static byte[] CertificateOf(ClusterAuthority authority, ReadOnlyMemory<byte> publicKey, string application)
    {
        var identity = new NodeIdentity(authority.ClusterId, Node, application, "node", Token.Id);
        using X509Certificate2 certificate = authority.IssueNode(publicKey.Span, identity, "web-1")!;
        return certificate.RawData;
    }

    /// <summary>Enrols with a host that answers what a test wants.</summary>
    private async Task<X509Certificate2> EnrollAsync(Func<EnrollRequest, EnrollGrant> grant, string application = "shop")
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Task host = AnswerAsync(listener, grant);
        var endpoint = new HostEndpoint("127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port);
        var options = new LinkConnectorOptions { Authority = _authority.Trust.Fingerprint, Application = application, Name = "web-1" };
        await using TlsClientConnection connection = await TlsClientConnection.OpenAsync(endpoint, options, null, Cancel);
        Task<X509Certificate2> enrolled = Enrollment.EnrollAsync(connection, endpoint, options, Token, Cancel);
        await host;
        return await enrolled;
    }

    private async Task AnswerAsync(TcpListener listener, Func<EnrollRequest, EnrollGrant> grant)
    {
        using X509Certificate2 certificate = _authority.IssueHost("host", ["127.0.0.1"]);
        using TcpClient client = await listener.AcceptTcpClientAsync(Cancel);
        await using var stream = new SslStream(client.GetStream());
        await stream.AuthenticateAsServerAsync(
            new SslServerAuthenticationOptions { ServerCertificate = certificate, ApplicationProtocols = [LinkProtocol.Name] }, Cancel);
        (ushort type, byte[] body) = await LinkFrames.ReadAsync(stream, Cancel);
        Assert.Equal(LinkFrameType.Enroll, type);
        EnrollRequest request = EnrollRequest.Read(body)!;
        Assert.Equal((Token.Reveal(), "web-1"), (request.Token, request.Name));
        await LinkFrames.WriteAsync(stream, LinkFrameType.Enrolled, grant(request).ToBytes(), Cancel);
    }
}
