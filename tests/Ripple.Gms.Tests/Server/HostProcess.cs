using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace Ripple.Gms.Tests.Server;

/// <summary>The host program as a process of its own.</summary>
internal sealed class HostProcess : IDisposable
{
    private readonly Process _process;
    private readonly ConcurrentQueue<string> _lines = new();
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private HostProcess(string[] arguments, bool isLimited = false, IReadOnlyDictionary<string, string>? environment = null)
    {
        string program = Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet";
        var start = new ProcessStartInfo(isLimited ? "/bin/sh" : program)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (isLimited)
        {
            // A file that may not grow is an error of the write, and no signal that ends the process.
            start.ArgumentList.Add("-c");
            start.ArgumentList.Add("trap '' XFSZ; exec \"$0\" \"$@\"");
            start.ArgumentList.Add(program);
        }

        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Ripple.Gms.Host.dll"));
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        foreach ((string name, string value) in environment ?? new Dictionary<string, string>())
        {
            start.Environment[name] = value;
        }

        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += OnLine;
        _process.ErrorDataReceived += OnLine;
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public string Output => string.Join('\n', _lines);

    /// <summary>How often it said that it is ready.</summary>
    public int ReadyCount => _lines.Count(l => l == "ready");

    /// <summary>The most memory that it has held at a time, with what the runtime and the system count to it. On Linux.</summary>
    public long PeakBytes
    {
        get
        {
            string[] status = File.ReadAllLines($"/proc/{_process.Id}/status");
            string line = Assert.Single(status, l => l.StartsWith("VmHWM:", StringComparison.Ordinal));
            return 1_024 * long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2], CultureInfo.InvariantCulture);
        }
    }

    /// <summary>Runs to the end; exit code and everything printed.</summary>
    public static async Task<(int ExitCode, string Output)> RunAsync(params string[] arguments)
    {
        using var process = new HostProcess(arguments);
        return await process.EndAsync();
    }

    /// <summary>Starts a host and waits until it says that it is ready.</summary>
    public static Task<HostProcess> StartAsync(params string[] arguments) => StartAsync(arguments, isLimited: false);

    /// <summary>The same; limited, it may be told by <see cref="LimitFilesAsync"/> how large its files may be.</summary>
    public static async Task<HostProcess> StartAsync(string[] arguments, bool isLimited)
    {
        var process = new HostProcess(arguments, isLimited);
        await process.ReadyAsync();
        return process;
    }

    /// <summary>Starts a host, and waits for nothing.</summary>
    public static HostProcess Begin(params string[] arguments) => new(arguments);

    /// <summary>The same, with variables of its own in its environment.</summary>
    public static HostProcess Begin(IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        new(arguments, environment: environment);

    /// <summary>Waits until it says that it is ready.</summary>
    public async Task ReadyAsync()
    {
        Task first = await Task.WhenAny(_ready.Task, EndAsync()).WaitAsync(TimeSpan.FromMinutes(2), HostHarness.Cancel);
        Assert.True(first == _ready.Task, Output);
    }

    public async Task<(int ExitCode, string Output)> EndAsync()
    {
        await _process.WaitForExitAsync(HostHarness.Cancel).WaitAsync(TimeSpan.FromMinutes(2), HostHarness.Cancel);
        return (_process.ExitCode, Output);
    }

    /// <summary>The most bytes that it may write a file to; null for no limit.</summary>
    public async Task LimitFilesAsync(long? bytes)
    {
        string limit = bytes?.ToString(CultureInfo.InvariantCulture) ?? "unlimited";
        using Process set = Process.Start(
            "prlimit", ["--pid", _process.Id.ToString(CultureInfo.InvariantCulture), $"--fsize={limit}:unlimited"]);
        await set.WaitForExitAsync(HostHarness.Cancel);
        Assert.Equal(0, set.ExitCode);
    }

    /// <summary>Asks it to end, as a service manager does.</summary>
    public Task TerminateAsync() => SignalAsync("TERM");

    /// <summary>Sends it a signal: STOP, CONT, KILL.</summary>
    public async Task SignalAsync(string signal)
    {
        using Process kill = Process.Start("kill", [$"-{signal}", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync(HostHarness.Cancel);
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private void OnLine(object sender, DataReceivedEventArgs e)
    {
        if (e.Data is { } line)
        {
            _lines.Enqueue(line);
            if (line == "ready")
            {
                _ready.TrySetResult();
            }
        }
    }
}
