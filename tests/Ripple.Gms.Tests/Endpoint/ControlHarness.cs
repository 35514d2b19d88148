using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Links;
using Ripple.Gms.Endpoint;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Endpoint;

/// <summary>A host with a real port, and clients of it, on one core.</summary>
internal sealed class ControlHarness : ILinkAcceptor, IAsyncDisposable
{
    /// <summary>Ends what hangs, and is never reached by what is merely slow.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly List<TlsLinkConnector> _connectors = [];
    private LinkListener? _listener;

    public SteppedCore Core { get; private init; } = new();

    public ClusterAuthority Authority { get; private init; } = ClusterAuthority.Create();

    public TestPolicy Policy { get; } = new();

    public LinkEndpoint Endpoint { get; private set; } = null!;

    public ConcurrentQueue<TestHandler> Accepted { get; } = new();

    public Func<ILink, TestHandler?> OnAccept { get; set; } = link => new TestHandler(link, isEcho: true);

    public string Address => $"127.0.0.1:{_listener!.Port}";

    public IPEndPoint SocketAddress => new(IPAddress.Loopback, _listener!.Port);

    public static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public static async Task<ControlHarness> StartAsync(
        Func<LinkEndpointOptions, LinkEndpointOptions>? change = null, TimeProvider? authorityTime = null, int requestsMax = 16_384)
    {
        var harness = new ControlHarness { Authority = ClusterAuthority.Create(authorityTime), Core = new(requestsMax) };
        var options = new LinkEndpointOptions
        {
            Authority = harness.Authority,
            HostCertificate = harness.Authority.IssueHost("host-1", ["localhost", "127.0.0.1"]),
            Requests = harness.Core.Requests,
            Acceptor = harness,
            Enrollment = harness.Policy,
            Admission = (peer, _) => ValueTask.FromResult(
                harness.Policy.Revoked.ContainsKey(peer.TokenId) ? $"The token {peer.TokenId} was revoked." : null),
            RefusalDelay = TimeSpan.FromMilliseconds(20),
            // The limits that a test is about, it sets.
            HelloTimeout = Patience,
            EnrollTimeout = Patience,
            HandshakeTimeout = Patience,
            AdmissionTimeout = Patience,
        };
        harness.Endpoint = new(change?.Invoke(options) ?? options);
        harness._listener = await LinkListener.StartAsync(harness.Endpoint, new(IPAddress.Loopback, 0), Cancel);
        return harness;
    }

    public TlsLinkConnector Client(Func<LinkConnectorOptions, LinkConnectorOptions>? change = null)
    {
        AccessTokenSecret token = Policy.NewToken();
        var options = new LinkConnectorOptions
        {
            Authority = Authority.Trust.Fingerprint,
            Token = () => token,
            Application = TestPolicy.Application,
            Name = "web-1",
            ConnectTimeout = Patience,
        };
        var connector = new TlsLinkConnector(Core.Requests, change?.Invoke(options) ?? options);
        _connectors.Add(connector);
        return connector;
    }

    /// <summary>Connects; the handler of the link, or what failed.</summary>
    public async Task<ConnectOutcome> ConnectAsync(
        TlsLinkConnector connector, string? address = null, Func<ILink, TestHandler>? handler = null)
    {
        var outcome = new ConnectOutcome(handler ?? (link => new TestHandler(link)));
        await Core.CallAsync(() => connector.Connect(address ?? Address, outcome));
        await outcome.Done.Task.WaitAsync(Patience, Cancel);
        return outcome;
    }

    public async Task<TestHandler> ConnectedAsync(TlsLinkConnector connector)
    {
        ConnectOutcome outcome = await ConnectAsync(connector);
        Assert.True(outcome.Handler is not null, outcome.Text);
        return outcome.Handler;
    }

    public async Task<Socket> RawAsync()
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(SocketAddress, Cancel);
        return socket;
    }

    public static Task UntilAsync(Func<bool> condition, string what) => UntilAsync(() => Task.FromResult(condition()), what);

    public static async Task UntilAsync(Func<Task<bool>> condition, string what)
    {
        for (long end = Environment.TickCount64 + (long)Patience.TotalMilliseconds; !await condition();)
        {
            Assert.True(Environment.TickCount64 < end, $"Waited in vain until {what}.");
            await Task.Delay(2, Cancel);
        }
    }

    public void OnLink(ILink link)
    {
        TestHandler? handler = OnAccept(link);
        link.Handler = handler;
        if (handler is not null)
        {
            Accepted.Enqueue(handler);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (TlsLinkConnector connector in _connectors)
        {
            await connector.DisposeAsync();
        }

        await _listener!.DisposeAsync();
        Core.Dispose();
        Authority.Dispose();
    }

    public static X509Certificate2 NodeOf(ClusterAuthority authority, string tokenId = "0123456789abcdef")
    {
        using var key = System.Security.Cryptography.ECDsa.Create(System.Security.Cryptography.ECCurve.NamedCurves.nistP256);
        var identity = new NodeIdentity(authority.ClusterId, Id128.New(), TestPolicy.Application, NodeRoles.Node, tokenId);
        using X509Certificate2 certificate = authority.IssueNode(key.ExportSubjectPublicKeyInfo(), identity, "old")!;
        return certificate.CopyWithPrivateKey(key);
    }
}
