using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Time.Testing;
using Ripple.Engine.Links;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Endpoint;

public sealed class EnrollmentTests
{
    [Fact]
    public async Task Node_with_a_right_token_enrols_connects_and_is_known_by_its_certificate()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        var kept = new List<X509Certificate2>();
        TlsLinkConnector client = harness.Client(options => options with { OnCertificate = kept.Add });

        TestHandler link = await harness.ConnectedAsync(client);

        Assert.Equal(new LinkPeer { Kind = LinkPeerKind.Host, Name = "host-1" }, link.Link.Peer);
        await ControlHarness.UntilAsync(() => !harness.Accepted.IsEmpty, "the host has the link");
        LinkPeer peer = harness.Accepted.Single().Link.Peer;
        Assert.Equal((LinkPeerKind.Node, "shop", "node", "web-1"), (peer.Kind, peer.Application, peer.Role, peer.Name));
        Assert.Equal(IdentityStatus.Ok, IdentityReader.Read(Assert.Single(kept), out CertificateIdentity? identity));
        Assert.Equal(new Id128(peer.NodeIdHigh, peer.NodeIdLow), ((NodeIdentity)identity!).NodeId);
        Assert.Equal(((NodeIdentity)identity).TokenId, peer.TokenId);

        // The second connect shows the certificate, and enrols no more.
        await harness.ConnectedAsync(client);
        await ControlHarness.UntilAsync(() => harness.Endpoint.Counters.Admitted == 2, "both are admitted");
        Assert.Equal(1, harness.Endpoint.Counters.Enrolled);
    }

    [Theory]
    [InlineData("wrong secret", "The token is not known here.")]
    [InlineData("unknown", "The token is not known here.")]
    [InlineData("revoked", "was revoked")]
    [InlineData("other application", "is not good for 'bank'")]
    public async Task Node_with_a_bad_token_is_refused_with_the_reason(string how, string expected)
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        AccessTokenSecret token = harness.Policy.NewToken();
        if (how == "revoked")
        {
            harness.Policy.Revoked[token.Id] = true;
        }
        else if (how == "wrong secret")
        {
            Assert.True(AccessTokenSecret.TryParse($"{token.Id}{AccessTokenSecret.New().Reveal()[16..]}", out token!));
        }
        else if (how == "unknown")
        {
            token = AccessTokenSecret.New();
        }

        TlsLinkConnector client = harness.Client(
            options => options with { Token = () => token, Application = how == "other application" ? "bank" : "shop" });
        ConnectOutcome outcome = await harness.ConnectAsync(client);

        Assert.Equal(LinkConnectFailure.Refused, outcome.Failure);
        Assert.Contains(expected, outcome.Text, StringComparison.Ordinal);
        Assert.DoesNotContain(token.Reveal()[17..], outcome.Text, StringComparison.Ordinal);
        Assert.Equal(1, harness.Endpoint.Counters.WrongTokens);
        Assert.Empty(harness.Accepted);
    }

    [Fact]
    public async Task Token_revoked_after_enrolment_closes_the_door_at_the_next_connect()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        AccessTokenSecret token = harness.Policy.NewToken();
        TlsLinkConnector client = harness.Client(options => options with { Token = () => token });
        await harness.ConnectedAsync(client);
        harness.Policy.Revoked[token.Id] = true;

        ConnectOutcome outcome = await harness.ConnectAsync(client);

        Assert.Equal(LinkConnectFailure.Refused, outcome.Failure);
        Assert.Contains("was revoked", outcome.Text, StringComparison.Ordinal);
        Assert.Equal(1, harness.Endpoint.Counters.NotAdmitted);
    }

    [Fact]
    public async Task Certificate_in_its_last_third_is_renewed_at_a_connect_under_the_same_identity()
    {
        var clock = new FakeTimeProvider(DateTimeOffset.UtcNow.AddDays(-21));
        await using ControlHarness harness = await ControlHarness.StartAsync(authorityTime: clock);
        using X509Certificate2 old = ControlHarness.NodeOf(harness.Authority);
        clock.SetUtcNow(DateTimeOffset.UtcNow);
        var kept = new List<X509Certificate2>();
        TlsLinkConnector client = harness.Client(options => options with { Certificate = old, OnCertificate = kept.Add, Token = null });

        await harness.ConnectedAsync(client);

        X509Certificate2 renewed = Assert.Single(kept);
        Assert.Equal(old.GetNameInfo(X509NameType.UrlName, false), renewed.GetNameInfo(X509NameType.UrlName, false));
        Assert.True(renewed.HasPrivateKey && renewed.NotAfter > old.NotAfter.AddDays(20));
        await harness.ConnectedAsync(client);
        Assert.Single(kept);
    }

    [Fact]
    public async Task Expired_certificate_is_replaced_by_enrolling_again()
    {
        var clock = new FakeTimeProvider(DateTimeOffset.UtcNow.AddDays(-40));
        await using ControlHarness harness = await ControlHarness.StartAsync(authorityTime: clock);
        using X509Certificate2 expired = ControlHarness.NodeOf(harness.Authority);
        clock.SetUtcNow(DateTimeOffset.UtcNow);

        // The client's clock is behind: it thinks its certificate good, and hears from the host that it is not.
        TlsLinkConnector late = harness.Client(
            options => options with { Certificate = expired, Time = new FakeTimeProvider(DateTimeOffset.UtcNow.AddDays(-11)) });
        Assert.Equal(LinkConnectFailure.Untrusted, (await harness.ConnectAsync(late)).Failure);
        Assert.Equal(1, harness.Endpoint.Counters.WrongCertificates);

        TlsLinkConnector client = harness.Client(options => options with { Certificate = expired });
        await harness.ConnectedAsync(client);
        Assert.NotEqual(expired.SerialNumber, client.Certificate!.SerialNumber);

        TlsLinkConnector withoutToken = harness.Client(options => options with { Certificate = expired, Token = null });
        Assert.Equal(LinkConnectFailure.Refused, (await harness.ConnectAsync(withoutToken)).Failure);
    }

    [Fact]
    public async Task Certificate_of_another_authority_is_refused()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        using var other = ClusterAuthority.Create();
        using X509Certificate2 foreign = ControlHarness.NodeOf(other);

        ConnectOutcome outcome = await harness.ConnectAsync(
            harness.Client(options => options with { Certificate = foreign, Token = null }));

        Assert.Equal(LinkConnectFailure.Refused, outcome.Failure);
        Assert.Contains("not one of this cluster's", outcome.Text, StringComparison.Ordinal);
        Assert.Equal(1, harness.Endpoint.Counters.WrongCertificates);
        Assert.Empty(harness.Accepted);
    }

    [Fact]
    public async Task Host_of_another_authority_gets_neither_token_nor_certificate()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        using var other = ClusterAuthority.Create();
        using X509Certificate2 node = ControlHarness.NodeOf(other);

        ConnectOutcome bare = await harness.ConnectAsync(harness.Client(options => options with { Authority = other.Trust.Fingerprint }));
        ConnectOutcome certified = await harness.ConnectAsync(
            harness.Client(options => options with { Authority = other.Trust.Fingerprint, Certificate = node }));

        foreach (ConnectOutcome outcome in (ConnectOutcome[])[bare, certified])
        {
            Assert.Equal(LinkConnectFailure.Untrusted, outcome.Failure);
            Assert.Contains("issued by another authority", outcome.Text, StringComparison.Ordinal);
        }

        Assert.Equal((0, 0), (harness.Endpoint.Counters.WrongTokens, harness.Endpoint.Counters.Enrolled));
    }

    [Fact]
    public async Task Host_that_shows_a_node_certificate_is_not_a_host()
    {
        using var authority = ClusterAuthority.Create();
        using X509Certificate2 node = ControlHarness.NodeOf(authority);
        await using ControlHarness harness = await ControlHarness.StartAsync(options => options with { HostCertificate = node });

        ConnectOutcome outcome = await harness.ConnectAsync(
            harness.Client(options => options with { Authority = authority.Trust.Fingerprint }));

        Assert.Equal(LinkConnectFailure.Untrusted, outcome.Failure);
    }

    [Fact]
    public async Task Anonymous_connection_that_sends_nothing_is_closed()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync(
            options => options with { EnrollTimeout = TimeSpan.FromMilliseconds(300) });

        await using SslStream silent = await AnonymousAsync(harness);
        Assert.Equal(0, await ReadToEndAsync(silent));
        await ControlHarness.UntilAsync(() => harness.Endpoint.Counters.Malformed == 1, "it is counted");
        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 0, "it is gone");
    }

    [Fact]
    public async Task Anonymous_connection_that_sends_something_else_is_told_and_closed()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();

        await using SslStream other = await AnonymousAsync(harness);
        await LinkFrames.WriteAsync(other, 77, new byte[10], ControlHarness.Cancel);
        Assert.Equal(LinkFrameType.EnrollRefused, (await LinkFrames.ReadAsync(other, ControlHarness.Cancel)).Type);
        Assert.Equal(0, await ReadToEndAsync(other));
        await using SslStream large = await AnonymousAsync(harness);
        await large.WriteAsync(new byte[] { 255, 255, 255, 127, 1, 0 }, ControlHarness.Cancel);
        Assert.Equal(LinkFrameType.EnrollRefused, (await LinkFrames.ReadAsync(large, ControlHarness.Cancel)).Type);

        await ControlHarness.UntilAsync(() => harness.Endpoint.Counters.Malformed == 2, "both are counted");
        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 0, "both are gone");
    }

    [Fact]
    public async Task Too_many_anonymous_connections_are_told_that_the_host_is_busy()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync(
            options => options with
            {
                // One address has half, and further ones wait for half of the time there is; those before them are there for all of it.
                AnonymousMax = 4,
                AdmissionTimeout = TimeSpan.FromSeconds(20),
                RefusalDelay = TimeSpan.FromMinutes(1),
            });
        await using SslStream first = await AnonymousAsync(harness);
        await using SslStream second = await AnonymousAsync(harness);
        byte[] wrong = new EnrollRequest("wrong", default, "", "web-1").ToBytes();
        await LinkFrames.WriteAsync(first, LinkFrameType.Enroll, wrong, ControlHarness.Cancel);
        await LinkFrames.WriteAsync(second, LinkFrameType.Enroll, wrong, ControlHarness.Cancel);
        await ControlHarness.UntilAsync(() => harness.Endpoint.Counters.WrongTokens == 2, "both wait for their refusal");

        ConnectOutcome outcome = await harness.ConnectAsync(harness.Client());

        Assert.Equal(LinkConnectFailure.Busy, outcome.Failure);
        Assert.Equal(1, harness.Endpoint.Counters.OverLimit);
    }

    [Fact]
    public async Task Policy_that_throws_admits_nobody()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync(
            options => options with { Admission = (_, _) => throw new IOException("no database") });
        Assert.Equal(LinkConnectFailure.Busy, (await harness.ConnectAsync(harness.Client())).Failure);
        Assert.Equal(1, harness.Endpoint.Counters.PolicyErrors);
    }

    private static async Task<SslStream> AnonymousAsync(ControlHarness harness)
    {
        var stream = new SslStream(new NetworkStream(await harness.RawAsync(), ownsSocket: true));
        var options = new SslClientAuthenticationOptions { TargetHost = "x", RemoteCertificateValidationCallback = AcceptAny };
        await stream.AuthenticateAsClientAsync(options, ControlHarness.Cancel);
        return stream;
    }

    private static bool AcceptAny(object sender, X509Certificate? shown, X509Chain? chain, SslPolicyErrors errors) => shown is not null;

    private static async Task<int> ReadToEndAsync(Stream stream)
    {
        try
        {
            return await stream.ReadAsync(new byte[1], ControlHarness.Cancel);
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
