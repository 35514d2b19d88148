using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// Somebody without any credential, from one address that nobody else has, keeps connections open that say nothing: 300 of TLS, 1,000 with
/// the first byte of a handshake, 4,100 of TCP, 600 to the port of health; what the host closes is opened again. Administrators, new nodes
/// and probes of health must get through.
/// </summary>
internal sealed class SilentConnections : Attack
{
    private const int Tls = 300;
    private const int OneByte = 1_000;
    private const int Silent = 4_100;
    private const int Health = 600;
    private static readonly IPAddress From = IPAddress.Parse("127.0.0.2");
    private static readonly TimeSpan Lasts = TimeSpan.FromSeconds(15);

    private static readonly TimeSpan AgainPause = TimeSpan.FromMilliseconds(200);

    public override string Name => "silent-connections";

    public override string What => "thousands of connections without a credential that say nothing, or one byte";

    public override IReadOnlyList<string> MemoryLines => ["TLS", "link: frames", "admin API: light"];

    public override int Connections => 4_096;

    /// <summary>It has no name.</summary>
    public override bool IsNamed => false;

    public override Task PrepareAsync(Stage stage) => Task.CompletedTask;

    public override async Task RunAsync(Attacker attacker)
    {
        int health = int.Parse(attacker.Given("health"), CultureInfo.InvariantCulture);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(attacker.Ending);
        over.CancelAfter(Lasts);
        await Task.WhenAll(
            KeepAsync(Silent, () => OpenAsync(attacker.Port, [], over.Token), over.Token),
            KeepAsync(OneByte, () => OpenAsync(attacker.Port, [0x16], over.Token), over.Token),
            KeepAsync(Health, () => OpenAsync(health, [], over.Token), over.Token),
            KeepAsync(Tls, () => ShakeAsync(attacker.Port, over.Token), over.Token));
    }

    public override async Task<string?> WatchAsync(Stage stage, Task attacking)
    {
        Task<string?> administrator = AdminProbe.WatchAsync(stage, attacking);
        Task<string?> health = HealthAsync(stage, attacking);
        await Task.Delay(TimeSpan.FromSeconds(5));
        string? member = null;
        try
        {
            await stage.AddMemberAsync("honest-late", TimeSpan.FromSeconds(20));
        }
        catch (AttackException)
        {
            member = "a new node did not get in within 20 s";
        }

        string[] broken = [.. new[] { await administrator, await health, member }.OfType<string>()];
        return broken.Length == 0 ? null : string.Join("; ", broken);
    }

    private static async Task<string?> HealthAsync(Stage stage, Task attacking)
    {
        string uri = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{stage.Host.HealthPort}/health/live");
        string? broken = null;
        while (!attacking.IsCompleted)
        {
            try
            {
                using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };
                await client.GetStringAsync(uri);
            }
            catch (Exception e) when (e is HttpRequestException or TaskCanceledException)
            {
                broken ??= $"a probe of health got nothing: {e.Message}";
            }

            await Task.Delay(TimeSpan.FromSeconds(1));
        }

        return broken;
    }

    /// <summary>Holds so many open: each one that ends is opened again.</summary>
    private static async Task KeepAsync(int count, Func<Task> hold, CancellationToken over)
    {
        await Task.WhenAll(Enumerable.Range(0, count).Select(async _ =>
        {
            while (!over.IsCancellationRequested)
            {
                try
                {
                    await hold();
                }
                catch (Exception e) when (e is SocketException or IOException or OperationCanceledException
                    or System.Security.Authentication.AuthenticationException)
                {
                    // Refused, closed or over: again.
                }

                await Task.Delay(AgainPause, CancellationToken.None);
            }
        }));
    }

    private static async Task OpenAsync(int port, byte[] first, CancellationToken over)
    {
        using Socket socket = await ConnectAsync(port, over);
        await socket.SendAsync(first, over);
        await socket.ReceiveAsync(new byte[64], over);
    }

    private static async Task ShakeAsync(int port, CancellationToken over)
    {
        using Socket socket = await ConnectAsync(port, over);
#pragma warning disable CA5359 // An attacker does not care who answers.
        await using var stream = new SslStream(new NetworkStream(socket), false, (_, _, _, _) => true);
#pragma warning restore CA5359
        await stream.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions { TargetHost = "127.0.0.1", ApplicationProtocols = [SslApplicationProtocol.Http11] }, over);
        await stream.ReadAtLeastAsync(new byte[64], 1, throwOnEndOfStream: false, over);
    }

    private static async Task<Socket> ConnectAsync(int port, CancellationToken over)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(new IPEndPoint(From, 0));
            await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), over);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
