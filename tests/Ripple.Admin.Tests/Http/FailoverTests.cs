using System.Net;
using System.Net.Sockets;
using Ripple.Trust;

namespace Ripple.Admin.Tests.Http;

/// <summary>A host that does not answer does not stand in the way of one that does.</summary>
public sealed class FailoverTests(RealHost host) : IClassFixture<RealHost>, IDisposable
{
    /// <summary>Takes connections, and never says a word.</summary>
    private readonly TcpListener _mute = Listen();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static RippleAdminOptions Once { get; } = new() { RetryCount = 0, ConnectTimeout = TimeSpan.FromSeconds(4) };

    /// <summary>So often that the host which answers is tried again where the machine is too slow to connect within the limit.</summary>
    private static RippleAdminOptions Often { get; } = Once with { RetryCount = 20 };

    private int MutePort => ((IPEndPoint)_mute.LocalEndpoint).Port;

    public void Dispose() => _mute.Dispose();

    [Fact]
    public async Task A_host_that_never_ends_the_handshake_is_passed_over()
    {
        using var client = new RippleAdminClient(host.Connection(null, MutePort, host.Port), Often);

        Assert.NotEmpty((await client.GetClusterAsync(Token)).ClusterId);
    }

    [Fact]
    public async Task What_may_not_be_repeated_is_passed_on_as_well_since_it_never_left()
    {
        using var client = new RippleAdminClient(host.Connection(null, MutePort, host.Port), Often);

        Assert.Equal("passed-on", (await client.CreateApplicationAsync("passed-on", Token)).Name);
    }

    [Fact]
    public async Task A_call_that_fails_without_another_try_leaves_the_next_call_to_the_next_host()
    {
        using var client = new RippleAdminClient(host.Connection(null, MutePort, host.Port), Once);

        for (bool isAnswered = false; !isAnswered;)
        {
            RippleAdminException failure = await Assert.ThrowsAsync<RippleAdminException>(() => client.GetClusterAsync(Token));

            Assert.Equal(AdminFailure.Unreachable, failure.Failure);
            Assert.Contains($"127.0.0.1:{MutePort} did not take a connection within ", failure.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("30 s", failure.Message, StringComparison.Ordinal);
            try
            {
                Assert.NotEmpty((await client.GetClusterAsync(Token)).ClusterId);
                isAnswered = true;
            }
            catch (RippleAdminException late)
            {
                // It was left to the next host, and the machine was too slow to connect to it: the turn is the first one's again.
                Assert.Contains($"127.0.0.1:{host.Port} did not take a connection within ", late.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public async Task A_host_of_another_authority_is_told_as_such_and_a_closed_port_is_not()
    {
        int closed = ClosedPort();
        using var client = new RippleAdminClient(
            host.Connection($"sha256:{new string('a', 64)}", host.Port, closed), Once with { ConnectTimeout = TimeSpan.FromMinutes(2) });

        RippleAdminException untrusted = await Assert.ThrowsAsync<RippleAdminException>(() => client.GetClusterAsync(Token));
        RippleAdminException refused = await Assert.ThrowsAsync<RippleAdminException>(() => client.GetClusterAsync(Token));

        Assert.Contains("can be trusted: its certificate was issued by another authority", untrusted.Message, StringComparison.Ordinal);
        Assert.Contains("can be reached: ", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("trusted", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_that_takes_the_request_and_never_answers_is_passed_over_where_asking_twice_does_no_harm()
    {
        var handler = new SilentHandler();
        using var client = new RippleAdminClient(
            ConnectionString.Parse(FakeHost.ConnectionText.Replace("host.test:7400", "a.test:1,b.test:2", StringComparison.Ordinal)),
            new RippleAdminOptions { RetryCount = 1, RequestTimeout = TimeSpan.FromMilliseconds(50) },
            handler);

        RippleAdminException failure = await Assert.ThrowsAsync<RippleAdminException>(() => client.GetClusterAsync(Token));
        Assert.Contains("b.test:2 did not answer within ", failure.Message, StringComparison.Ordinal);
        Assert.Equal(["a.test", "b.test"], handler.Asked);

        await Assert.ThrowsAsync<RippleAdminException>(() => client.CreateApplicationAsync("x", Token));
        Assert.Equal(["a.test", "b.test", "a.test"], handler.Asked);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(2, 3)]
    public async Task As_often_is_asked_again_as_was_said(int retryCount, int asked)
    {
        var handler = new SilentHandler();
        using var client = new RippleAdminClient(
            ConnectionString.Parse(FakeHost.ConnectionText),
            new RippleAdminOptions { RetryCount = retryCount, RequestTimeout = TimeSpan.FromMilliseconds(10) },
            handler);

        await Assert.ThrowsAsync<RippleAdminException>(() => client.GetClusterAsync(Token));

        Assert.Equal(asked, handler.Asked.Count);
    }

    [Fact]
    public async Task A_publish_that_is_not_answered_ends()
    {
        var handler = new SilentHandler();
        using var client = new RippleAdminClient(
            ConnectionString.Parse(FakeHost.ConnectionText),
            new RippleAdminOptions { RetryCount = 0, ChangeTimeout = TimeSpan.FromMilliseconds(50) },
            handler);

        RippleAdminException failure = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.PublishAsync("shop", new() { Set = [new() { Key = "a", Text = "1" }] }, cancellationToken: Token));

        Assert.Equal(AdminFailure.Unreachable, failure.Failure);
    }

    private static TcpListener Listen()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return listener;
    }

    /// <summary>A port nobody listens on.</summary>
    private static int ClosedPort()
    {
        using TcpListener listener = Listen();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>Takes requests, and answers none.</summary>
    private sealed class SilentHandler : HttpMessageHandler
    {
        public List<string> Asked { get; } = [];

        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            Asked.Add(request.RequestUri!.Host);
            await Task.Delay(Timeout.Infinite, cancellationToken);
            throw new InvalidOperationException("It cannot end.");
        }
    }
}
