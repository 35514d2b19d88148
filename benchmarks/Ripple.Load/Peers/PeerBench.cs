using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Ripple.Load.Processes;
using Ripple.Load.Push;

namespace Ripple.Load.Peers;

/// <summary>
/// The generator of a folder, built, and the servers it is pointed at: one cell at a time, on loopback, as this program's own host and
/// nodes are.
/// </summary>
internal sealed class PeerBench : IDisposable
{
    private const int CountMax = 100;
    private static readonly TimeSpan BuildTimeout = TimeSpan.FromSeconds(120);
    private static readonly TimeSpan CellTimeout = TimeSpan.FromSeconds(120);
    private readonly string _directory = Directory.CreateDirectory(
        Path.Combine(Path.GetTempPath(), $"ripple-peers-{Guid.NewGuid():N}")).FullName;

    private string Generator => Path.Combine(_directory, "generator");

    /// <summary>Builds the generator and looks for the servers.</summary>
    /// <exception cref="PeerException">Something is missing.</exception>
    public static async Task<PeerBench> MakeAsync(string folder)
    {
        string source = Path.Combine(folder, "pushbench.cc");
        if (!File.Exists(source))
        {
            throw new PeerException($"There is no '{source}'. --peers takes the folder with the generator's source.");
        }

        foreach (Peer peer in Peer.All)
        {
            PeerServer.Demand(peer);
        }

        var bench = new PeerBench();
        try
        {
            (int exit, _, string errors) = await RunAsync("g++", ["-O2", "-std=c++17", "-o", bench.Generator, source], BuildTimeout);
            return exit == 0 ? bench : throw new PeerException($"'{source}' does not build:\n{errors}");
        }
        catch (Exception e)
        {
            bench.Dispose();
            throw e is Win32Exception ? new PeerException("g++ is not on the path. Install it (Debian: apt-get install g++).") : e;
        }
    }

    /// <summary>
    /// Starts a peer, measures one cell, and ends it. At the rate of a push, or, when that has a window, with the same window for the same
    /// time.
    /// </summary>
    public Task<PeerCell> MeasureAsync(Peer peer, PushOptions options) =>
        ServeAsync(peer, server => GenerateAsync(peer, server, options));

    /// <summary>
    /// The same before and after every core was kept busy, with subscribers that were there meanwhile. The generator says no times of
    /// single updates, so that how soon the peer recovered is not known: its second cell begins right behind the disturbance.
    /// </summary>
    public Task<(PeerCell Before, PeerCell After)> MeasureDisturbedAsync(Peer peer, PushOptions options) =>
        ServeAsync(peer, async server =>
        {
            await using Disturbance disturbance = await Disturbance.PrepareAsync();
            PeerCell before = await GenerateAsync(peer, server, options);
            PushOptions meanwhile = options with { Count = Math.Max(1, (int)(options.DisturbSeconds * options.Rate)) };
            await Task.WhenAll(disturbance.RunAsync(options.DisturbSeconds), GenerateAsync(peer, server, meanwhile));
            return (before, await GenerateAsync(peer, server, options));
        });

    private async Task<T> ServeAsync<T>(Peer peer, Func<PeerServer, Task<T>> measure)
    {
        string data = Directory.CreateDirectory(Path.Combine(_directory, $"{peer.Name}-{Guid.NewGuid():N}")).FullName;
        await using PeerServer server = await PeerServer.StartAsync(peer, peer.Program ?? Generator, data);
        return await measure(server);
    }

    private async Task<PeerCell> GenerateAsync(Peer peer, PeerServer server, PushOptions options)
    {
        List<string> arguments =
        [
            "-d", peer.Name, "-host", "127.0.0.1", "-port", Text(server.Port), "-n", Text(options.Clients), "-size", Text(options.Bytes),
            "-iface", "lo", "-pid", Text(server.ProcessId),
        ];
        arguments.AddRange(options.Window > 0
            ? ["-sat", Text(options.Window), "-secs", Text(options.Seconds)]
            : ["-rate", Text(options.Rate), "-count", Text(Math.Min(options.Count, CountMax))]);
        (int exit, string output, string errors) = await RunAsync(
            Generator, arguments, CellTimeout + TimeSpan.FromSeconds(options.Seconds));
        return exit == 0 && JsonSerializer.Deserialize<PeerCell>(output) is { } cell
            ? cell
            : throw new PeerException($"The generator failed with {peer.Name}: {errors}");
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);

    private static async Task<(int Exit, string Output, string Errors)> RunAsync(
        string program, IEnumerable<string> arguments, TimeSpan timeout)
    {
        using Process process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        using var limit = new CancellationTokenSource(timeout);
        try
        {
            await process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            throw new PeerException($"'{Path.GetFileName(program)}' did not end within {timeout.TotalSeconds} s.");
        }

        return (process.ExitCode, await output, await errors);
    }
}
