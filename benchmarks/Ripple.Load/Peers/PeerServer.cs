using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Ripple.Load.Processes;

namespace Ripple.Load.Peers;

/// <summary>The server of a peer, on a port of loopback that nobody had.</summary>
internal sealed class PeerServer : IAsyncDisposable
{
    private static readonly TimeSpan ListenTimeout = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(50);
    private readonly Process _process;

    private PeerServer(Process process, int port)
    {
        _process = process;
        Port = port;
    }

    public int Port { get; }

    public int ProcessId => _process.Id;

    /// <summary>Its processor time so far, user and kernel, in milliseconds.</summary>
    public double CpuMs
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime.TotalMilliseconds;
        }
    }

    /// <summary>Looks for a peer's program.</summary>
    /// <exception cref="PeerException">It is not there.</exception>
    public static void Demand(Peer peer)
    {
        if (peer.Program is { } program && !IsOnPath(program))
        {
            throw new PeerException(
                $"'{program}' is not on the path, so that {peer.Name} cannot be compared with. Install it (Debian: "
                    + $"apt-get install {peer.Package}) and stop its service.");
        }
    }

    /// <summary>Starts a peer's program, and waits until it listens.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="program">Its program.</param>
    /// <param name="directory">An empty directory of its own.</param>
    /// <exception cref="PeerException">It does not listen.</exception>
    public static async Task<PeerServer> StartAsync(Peer peer, string program, string directory)
    {
        int port = FreePort.Tcp();
        var start = new ProcessStartInfo(program, peer.Arguments(port, FreePort.Tcp(), directory))
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        Process process = Process.Start(start)!;
        // A pipe that nobody reads stops who writes to it.
        process.OutputDataReceived += static (_, _) => { };
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        var server = new PeerServer(process, port);
        if (!await server.ListensAsync())
        {
            await server.DisposeAsync();
            throw new PeerException($"{peer.Name} does not listen. Start '{peer.Program}' by hand to see why.");
        }

        return server;
    }

    public async ValueTask DisposeAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    private async Task<bool> ListensAsync()
    {
        for (long begin = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begin) < ListenTimeout && !_process.HasExited;)
        {
            using var probe = new TcpClient();
            try
            {
                await probe.ConnectAsync(IPAddress.Loopback, Port);
                return true;
            }
            catch (SocketException)
            {
                await Task.Delay(LookPeriod);
            }
        }

        return false;
    }

    private static bool IsOnPath(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator).Any(
            d => d.Length > 0 && File.Exists(Path.Combine(d, program)));
}
