using System.Diagnostics;
using System.Threading.Channels;
using Ripple.Attacks.Nodes;

namespace Ripple.Attacks.Stages;

/// <summary>This program in another process: lines go in by its standard input and come out by its standard output.</summary>
internal sealed class ChildProcess : IAsyncDisposable
{
    private static readonly TimeSpan ExitTimeout = TimeSpan.FromSeconds(15);
    private readonly Process _process;
    private readonly Action<string[]> _onLine;
    private readonly Channel<string[]> _lines = Channel.CreateUnbounded<string[]>();
    private readonly Task _reading;

    private ChildProcess(Process process, Action<string[]> onLine)
    {
        (_process, _onLine) = (process, onLine);
        _reading = Task.Run(ReadAsync);
    }

    public int ProcessId => _process.Id;

    public bool HasExited => _process.HasExited;

    /// <summary>Starts a role of this program, or of a copy of it.</summary>
    /// <param name="program">The dll to run; null for this one.</param>
    /// <param name="onLine">Called with each line as words, on one thread at a time.</param>
    /// <param name="arguments">The role and its arguments.</param>
    public static ChildProcess Start(string? program, Action<string[]> onLine, params string[] arguments)
    {
        program ??= typeof(ChildProcess).Assembly.Location;
        var start = new ProcessStartInfo("dotnet", [program, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        if (arguments[0] == Roles.RoleTable.HostedMember)
        {
            // As a container would: what grows without a bound ends this process and not the machine.
            start.Environment["DOTNET_GCHeapHardLimit"] = "0x40000000";
        }

        return new ChildProcess(Process.Start(start)!, onLine);
    }

    public async Task SendAsync(string line)
    {
        try
        {
            await _process.StandardInput.WriteLineAsync(line);
            await _process.StandardInput.FlushAsync();
        }
        catch (IOException)
        {
            // It ended; who waits for its answer sees that.
        }
    }

    /// <summary>The next line that begins with one of these words; others are left out.</summary>
    public async Task<string[]> ExpectAsync(TimeSpan timeout, params string[] first)
    {
        using var limit = new CancellationTokenSource(timeout);
        try
        {
            while (true)
            {
                string[] words = await _lines.Reader.ReadAsync(limit.Token);
                if (first.Contains(words[0]))
                {
                    return words;
                }

                if (words[0] == "failed")
                {
                    throw new AttackException(string.Join(' ', words.Skip(1)));
                }
            }
        }
        catch (Exception e) when (e is OperationCanceledException or ChannelClosedException)
        {
            throw new AttackException($"A child process did not say '{string.Join("' or '", first)}' within {timeout.TotalSeconds} s.", e);
        }
    }

    public void Kill()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }
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
            Kill();
        }

        await _reading;
        _process.Dispose();
    }

    private async Task ReadAsync()
    {
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
        {
            string[] words = line.Split(' ');
            _onLine(words);
            _lines.Writer.TryWrite(words);
        }

        _lines.Writer.Complete();
    }
}
