using System.Diagnostics;
using System.Threading.Channels;

namespace Ripple.Load.Processes;

/// <summary>
/// This program in another process: lines go in by its standard input, and come out by its standard output. Its errors are shown as they
/// are.
/// </summary>
internal sealed class Child : IAsyncDisposable
{
    private static readonly TimeSpan ExitTimeout = TimeSpan.FromSeconds(20);
    private readonly Process _process;
    private readonly Channel<string> _lines = Channel.CreateUnbounded<string>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Task _reading;
    private bool _isKilled;

    private Child(Process process)
    {
        _process = process;
        _reading = Task.Run(ReadAsync);
    }

    /// <summary>Its number.</summary>
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

    /// <summary>
    /// Starts one that has hundreds of nodes, and so their heap, and makes their garbage. Where the machine tells nothing of its caches,
    /// .NET collects after each two megabytes, and all nodes stand still for a seventh of the time, which as many processes do not.
    /// </summary>
    public static Child StartMany(params string[] arguments) => Start(arguments, youngBytes: "0x4000000");

    public static Child Start(params string[] arguments) => Start(arguments, youngBytes: null);

    private static Child Start(string[] arguments, string? youngBytes)
    {
        // Started by the runtime's own program ("dotnet X.dll") or by the built one; in both cases this process's first argument leads back
        // here.
        string program = Environment.ProcessPath!;
        var start = new ProcessStartInfo(program) { RedirectStandardInput = true, RedirectStandardOutput = true, UseShellExecute = false };
        if (Path.GetFileNameWithoutExtension(program) == "dotnet")
        {
            start.ArgumentList.Add(Environment.GetCommandLineArgs()[0]);
        }

        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        if (arguments[0] is Roles.Clients or Roles.DeafClients or Roles.SdkClients or Roles.HistoryClients
            or Roles.EventSubscribers or Roles.EventEmitter or Roles.RedisSubscribers)
        {
            // The default of .NET, as in users' programs; this program's own is 0.
            start.Environment["DOTNET_ThreadPool_UnfairSemaphoreSpinLimit"] = "0x46";
        }

        if (youngBytes is not null)
        {
            start.Environment.TryAdd("DOTNET_GCgen0size", youngBytes);
        }

        // The default of .NET: what these processes do all the time is compiled again with what was seen of it, before anything is
        // measured. This process's own few calls are not worth that.
        start.Environment["DOTNET_TieredCompilation"] = "1";
        if (arguments[0] == Roles.Host)
        {
            // As ripple-host has it.
            start.Environment["DOTNET_TieredPGO"] = "0";
        }

        return new Child(Process.Start(start)!);
    }

    public async Task SendAsync(string line)
    {
        await _process.StandardInput.WriteLineAsync(line);
        await _process.StandardInput.FlushAsync();
    }

    /// <summary>The next line, as words.</summary>
    /// <exception cref="InvalidOperationException">The process ended, or said something else.</exception>
    public async Task<string[]> ExpectAsync(string first, TimeSpan timeout)
    {
        try
        {
            string[] words = (await _lines.Reader.ReadAsync().AsTask().WaitAsync(timeout)).Split(' ');
            return words[0] == first
                ? words
                : throw new InvalidOperationException($"A child process said '{string.Join(' ', words)}' where '{first}' was expected.");
        }
        catch (ChannelClosedException)
        {
            throw new InvalidOperationException($"A child process ended before it said '{first}'. What it printed is above.");
        }
    }

    /// <summary>Every line as words, until the process ends.</summary>
    public async IAsyncEnumerable<string[]> ReadAllAsync()
    {
        await foreach (string line in _lines.Reader.ReadAllAsync())
        {
            yield return line.Split(' ');
        }
    }

    /// <summary>Ends it as a failure of its machine does.</summary>
    public async Task KillAsync()
    {
        _isKilled = true;
        _process.Kill();
        await _process.WaitForExitAsync();
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            _process.StandardInput.Close();
            using var limit = new CancellationTokenSource(ExitTimeout);
            await _process.WaitForExitAsync(limit.Token);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException)
        {
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync();
        }

        await _reading;
        if (!_isKilled && _process.ExitCode != 0)
        {
            // What it measured has been said by then; that it did not end well shall be seen all the same.
            await Console.Error.WriteLineAsync($"A child process ended with {_process.ExitCode}.");
        }

        _process.Dispose();
    }

    private async Task ReadAsync()
    {
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
        {
            _lines.Writer.TryWrite(line);
        }

        _lines.Writer.Complete();
    }
}
