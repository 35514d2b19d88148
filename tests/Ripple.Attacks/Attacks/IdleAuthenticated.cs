using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Trust;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// Whoever has the token of one node opens 600 connections of HTTP, asks once for something that it may see, and keeps them; what the host
/// closes is opened again. Administrators must get through, on connections of their own each time.
/// </summary>
internal sealed class IdleAuthenticated : Attack
{
    private const int ConnectionCount = 600;
    private static readonly TimeSpan Lasts = TimeSpan.FromSeconds(25);

    // It is places that are taken here, and not the time of handshakes.
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(15);
    private static readonly TimeSpan AgainPause = TimeSpan.FromSeconds(10);
    private int _answered;

    public override string Name => "idle-authenticated";

    public override string What => "600 connections of HTTP by one node's token, a good request each, kept open";

    public override IReadOnlyList<string> MemoryLines => ["TLS", "link: frames", "admin API: light"];

    public override int Connections => ConnectionCount;

    /// <summary>It does what it may; its own connections give way.</summary>
    public override bool IsNamed => false;

    public override async Task RunAsync(Attacker attacker)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(attacker.Ending);
        over.CancelAfter(Lasts);
        byte[] request = Encoding.ASCII.GetBytes(
            $"GET /v1/applications/{Stage.Target} HTTP/1.1\r\nHost: host\r\n"
            + $"Authorization: Bearer {ConnectionString.Parse(attacker.Given(Stage.Mallory)).Token!.Reveal()}\r\n\r\n");
        await Task.WhenAll(Enumerable.Range(0, ConnectionCount).Select(i => KeepAsync(attacker.Port, request, i * FirstPause, over.Token)));
        Attacker.Note("answered", _answered);
    }

    public override Task<string?> WatchAsync(Stage stage, Task attacking) => AdminProbe.WatchAsync(stage, attacking);

    private async Task KeepAsync(int port, byte[] request, TimeSpan first, CancellationToken over)
    {
        await Task.Delay(first, CancellationToken.None);
        while (!over.IsCancellationRequested)
        {
            try
            {
                await HoldAsync(port, request, over);
            }
            catch (Exception e) when (e is SocketException or IOException or OperationCanceledException
                or System.Security.Authentication.AuthenticationException)
            {
                // Refused, closed or over: again.
            }

            await Task.Delay(AgainPause, over).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task HoldAsync(int port, byte[] request, CancellationToken over)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), over);
#pragma warning disable CA5359 // An attacker does not care who answers.
        await using var stream = new SslStream(new NetworkStream(socket), false, (_, _, _, _) => true);
#pragma warning restore CA5359
        await stream.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions { TargetHost = "127.0.0.1", ApplicationProtocols = [SslApplicationProtocol.Http11] }, over);
        await stream.WriteAsync(request, over);
        byte[] answer = new byte[4_096];
        int bytes = await stream.ReadAtLeastAsync(answer, 12, throwOnEndOfStream: false, over);
        if (Encoding.ASCII.GetString(answer, 0, bytes).StartsWith("HTTP/1.1 200", StringComparison.Ordinal))
        {
            Interlocked.Increment(ref _answered);
        }

        while (await stream.ReadAsync(answer, over) > 0)
        {
        }
    }
}
