using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Gms.Server;
using Ripple.Transports.Links;

namespace Ripple.Client.Tests.Processes;

/// <summary>
/// Who is no member sends what it likes to a real host: it is refused and counted by name, and the members notice nothing.
/// </summary>
public sealed class HostileClientTests : IAsyncLifetime
{
    private readonly TestFolder _folder = new();
    private GmsServer? _server;
    private RippleClient? _client;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private GmsServer Server => _server!;

    public async ValueTask InitializeAsync()
    {
        _server = await GmsServer.StartAsync(
            new GmsServerOptions
            {
                DataDirectory = Path.Combine(_folder.Path, "host"),
                ListenAddress = new IPEndPoint(IPAddress.Loopback, 0),
                HealthAddress = null,
                Application = "shop",
            },
            NullLoggerFactory.Instance,
            Token);
        _client = await ConnectAsync(await File.ReadAllTextAsync(_server.Directory.AdminConnection, Token));
    }

    public async ValueTask DisposeAsync()
    {
        if (_client is not null)
        {
            await _client.DisposeAsync();
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        _folder.Dispose();
    }

    [Fact]
    public async Task Wrong_token_is_refused_with_what_to_do()
    {
        string good = await File.ReadAllTextAsync(Server.Directory.ClientConnection, Token);
        string[] parts = good.Trim().Split(';');
        int token = Array.FindIndex(parts, p => p.StartsWith("Token=", StringComparison.Ordinal));
        // The last letter of 32 bytes in base64 has four bits of them, in front: another letter, such as B, would not be a token at all.
        parts[token] = parts[token][..^1] + (parts[token][^1] == 'A' ? 'E' : 'A');
        long before = Server.LinkEndpointCounters.WrongTokens;

        RippleException refused = await Assert.ThrowsAnyAsync<RippleException>(() => ConnectAsync(string.Join(';', parts)));

        Assert.IsType<RippleRefusedException>(refused);
        Assert.Contains("token", refused.Message, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("administrator", refused.Message, StringComparison.OrdinalIgnoreCase);
        Assert.True(Server.LinkEndpointCounters.WrongTokens > before);
        await WorksAsync();
    }

    [Fact]
    public async Task Garbage_before_the_handshake_ends_its_connection_alone()
    {
        for (int i = 0; i < 20; i++)
        {
            using TcpClient tcp = await OpenAsync();
            NetworkStream stream = tcp.GetStream();
            await SendAsync(stream, 1 + (i * 401));
            await EndsAsync(stream);
        }

        await WorksAsync();
    }

    [Fact]
    [SuppressMessage("Security", "CA5359", Justification = "Who sends garbage does not mind to whom.")]
    public async Task Garbage_after_the_handshake_is_counted_as_malformed()
    {
        long before = Server.LinkEndpointCounters.Malformed;
        for (int i = 0; i < 10; i++)
        {
            using TcpClient tcp = await OpenAsync();
            await using var tls = new SslStream(tcp.GetStream());
            await tls.AuthenticateAsClientAsync(
                new SslClientAuthenticationOptions
                {
                    TargetHost = "localhost",
                    // Who names no protocol is taken for HTTP.
                    ApplicationProtocols = [LinkProtocol.Name],
                    RemoteCertificateValidationCallback = (_, _, _, _) => true,
                },
                Token);
            await SendAsync(tls, 64 + (i * 100));
            await EndsAsync(tls);
        }

        Assert.Equal(before + 10, Server.LinkEndpointCounters.Malformed);
        await WorksAsync();
    }

    [Fact]
    public async Task Garbage_datagrams_are_counted_and_change_nothing()
    {
        long before = Server.Host.Counters.DatagramsRefused;
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        IPEndPoint[] ports = [Server.Host.DataAddress.ToEndPoint(), Server.Host.ControlAddress.ToEndPoint()];
        for (int i = 0; i < 200; i++)
        {
            byte[] datagram = RandomNumberGenerator.GetBytes(1 + (i * 7));
            if (i % 2 == 0)
            {
                // Half of them begin as a packet does.
                datagram[0] = 0x11;
            }

            await socket.SendToAsync(datagram, ports[i % 2], Token);
        }

        // The system may drop some of what it is sent; what arrives is counted.
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(TimeSpan.FromMinutes(2));
        while (Server.Host.Counters.DatagramsRefused - before < 100)
        {
            await Task.Delay(10, limit.Token);
        }

        await WorksAsync();
    }

    private static async Task SendAsync(Stream stream, int bytes)
    {
        try
        {
            await stream.WriteAsync(RandomNumberGenerator.GetBytes(bytes), Token);
        }
        catch (IOException)
        {
            // Refused before it was through.
        }
    }

    /// <summary>Reads until the host ends the connection.</summary>
    private static async Task EndsAsync(Stream stream)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(TimeSpan.FromMinutes(2));
        byte[] buffer = new byte[4_096];
        try
        {
            while (await stream.ReadAsync(buffer, limit.Token) > 0)
            {
            }
        }
        catch (IOException)
        {
            // Ended hard.
        }
    }

    private async Task<TcpClient> OpenAsync()
    {
        var tcp = new TcpClient();
        await tcp.ConnectAsync(IPAddress.Loopback, Server.Endpoint.Port, Token);
        return tcp;
    }

    private static Task<RippleClient> ConnectAsync(string connection) =>
        RippleClient.ConnectAsync(connection, new RippleClientOptions
        {
            Application = "shop",
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = TimeSpan.FromMinutes(2),
        }, Token);

    /// <summary>The member that was there before still publishes, and has what it published.</summary>
    private async Task WorksAsync()
    {
        Assert.Equal(ConnectionState.Connected, _client!.ConnectionState);
        ulong before = _client.Current().Release;
        PublishResult published = await _client.PublishAsync(
            new PublishRequest { Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["a"] = Encoding.UTF8.GetBytes("1") } }, Token);
        Assert.Equal(before + 1, published.Release);
        WaitResult proof = await _client.WaitAsync(
            "shop", published.Release, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: Token);
        Assert.Equal(WaitOutcome.Held, proof.Outcome);
        Assert.Equal(0, Server.Host.Counters.Failures);
    }
}
