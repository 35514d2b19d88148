using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Cluster;

/// <summary>One <c>ripple-host</c>, as an operator would start it.</summary>
internal sealed class HostProgram : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private readonly string _storeFile;
    private readonly ConcurrentQueue<string> _lines = new();
    private Process? _process;

    public HostProgram(string name, string folder, string storeFile)
    {
        Name = name;
        Directory = Path.Combine(folder, name);
        _storeFile = storeFile;
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        Port = ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    public string Name { get; }

    public string Directory { get; }

    public int Port { get; }

    /// <summary>Whether it said that it leads since it was started or stood by last.</summary>
    public bool Leads => _lines.LastOrDefault(l => l == "ready" || l.Contains("stands by", StringComparison.Ordinal)) == "ready";

    public bool StandsBy => _lines.LastOrDefault(
        l => l == "ready" || l.Contains("stands by:", StringComparison.Ordinal)) is { } line && line != "ready";

    public void Start()
    {
        _lines.Clear();
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (string argument in (string[])
            [
                Path.Combine(AppContext.BaseDirectory, "Ripple.Gms.Host.dll"),
                "--data", Directory,
                "--store-file", _storeFile,
                "--name", Name,
                "--listen", string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{Port}"),
                "--health", "off",
            ])
        {
            start.ArgumentList.Add(argument);
        }

        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, e) => Add(e.Data);
        _process.ErrorDataReceived += (_, e) => Add(e.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Waits until something is true of it.</summary>
    public async Task UntilAsync(Func<HostProgram, bool> condition, string what)
    {
        for (long end = Environment.TickCount64 + (long)Patience.TotalMilliseconds; !condition(this);)
        {
            if (_process!.HasExited || Environment.TickCount64 > end)
            {
                throw new ClusterException($"{Name} never {what}. It said:\n{string.Join('\n', _lines)}");
            }

            await Task.Delay(20);
        }
    }

    /// <summary>Sends a signal: KILL, STOP, CONT.</summary>
    public void Signal(string signal)
    {
        using Process kill = Process.Start("kill", [$"-{signal}", _process!.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    public void Dispose()
    {
        if (_process is { HasExited: false })
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _process?.Dispose();
    }

    private void Add(string? line)
    {
        if (line is not null)
        {
            _lines.Enqueue(line);
        }
    }
}

/// <summary>Something is not as the sample claims.</summary>
/// <param name="message">What.</param>
internal sealed class ClusterException(string message) : Exception(message);
