using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using Ripple.Attacks.Nodes;

namespace Ripple.Attacks.Stages;

/// <summary>A host as operators run it. What it prints is kept; its memory is looked at while somebody asks.</summary>
internal sealed class HostProcess(HostProgram program, string directory) : IAsyncDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(30);
    private readonly ConcurrentQueue<string> _log = new();
    private Process? _process;
    private volatile TaskCompletionSource _ready = new();

    public const string Application = "honest";

    public int Port { get; } = FreePort.Find();

    public int HealthPort { get; } = FreePort.Find();

    public string ClientConnection => Path.Combine(directory, "client.connection");

    public string AdminConnection => Path.Combine(directory, "admin.connection");

    /// <summary>Every line that it printed, as it is, over all its starts.</summary>
    public IReadOnlyCollection<string> Log => _log;

    public bool IsRunning => _process is { HasExited: false };

    /// <summary>Resident memory now, in megabytes.</summary>
    public double ResidentMb => _process is { } process ? Memory.ResidentMb(process.Id) : 0;

    /// <summary>Starts it, or starts it again on what it left.</summary>
    /// <exception cref="AttackException">It does not come up; the message has its last lines.</exception>
    public async Task StartAsync()
    {
        _ready = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        (string file, string[] arguments) = program.Start(
            "--data", directory,
            "--application", Application,
            "--listen", $"127.0.0.1:{Port.ToString(CultureInfo.InvariantCulture)}",
            "--health", $"127.0.0.1:{HealthPort.ToString(CultureInfo.InvariantCulture)}");
        var process = new Process
        {
            StartInfo = new ProcessStartInfo(file, arguments) { RedirectStandardOutput = true, RedirectStandardError = true },
            EnableRaisingEvents = true,
        };
        process.OutputDataReceived += (_, e) => Take(e.Data);
        process.ErrorDataReceived += (_, e) => Take(e.Data);
        TaskCompletionSource ready = _ready;
        process.Exited += (_, _) => ready.TrySetException(
            new AttackException($"The host ended: {string.Join(" | ", _log.TakeLast(3))}"));
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        _process = process;
        try
        {
            await ready.Task.WaitAsync(StartTimeout);
        }
        catch (TimeoutException e)
        {
            throw new AttackException($"The host did not say 'ready' within {StartTimeout.TotalSeconds} s.", e);
        }
    }

    /// <summary>Stops it as a service manager does; kills it when it does not end.</summary>
    public async Task StopAsync()
    {
        if (_process is not { } process)
        {
            return;
        }

        _ = _ready.Task.ContinueWith(
            t => t.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        if (!process.HasExited)
        {
            await Shell.SignalAsync("TERM", process.Id);
            using var limit = new CancellationTokenSource(StopTimeout);
            try
            {
                await process.WaitForExitAsync(limit.Token);
            }
            catch (OperationCanceledException)
            {
                process.Kill();
            }
        }

        process.Dispose();
        _process = null;
    }

    public async ValueTask DisposeAsync() => await StopAsync();

    private void Take(string? line)
    {
        if (line is not null)
        {
            _log.Enqueue(line);
            if (line == "ready")
            {
                _ready.TrySetResult();
            }
        }
    }
}
