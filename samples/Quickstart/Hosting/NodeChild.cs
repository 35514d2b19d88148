using System.Diagnostics;
using System.Text.Json;
using Quickstart.Nodes;

namespace Quickstart.Hosting;

/// <summary>A node process, seen from its parent.</summary>
internal sealed class NodeChild : IAsyncDisposable
{
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(4);

    private readonly Process _process;
    private readonly Task _reading;
    private volatile bool _isEndExpected;

    private NodeChild(NodeProcessSettings settings, Process process, Observations observations)
    {
        Settings = settings;
        _process = process;
        _reading = Task.Run(() => ReadAsync(observations));
    }

    public NodeProcessSettings Settings { get; }

    public int ProcessId => _process.Id;

    public static NodeChild Start(NodeProcessSettings settings, Observations observations)
    {
        string self = Environment.ProcessPath
            ?? throw new QuickstartException("The program's own path is not known; it is needed to start the node processes.");
        var start = new ProcessStartInfo(self) { RedirectStandardInput = true, RedirectStandardOutput = true, UseShellExecute = false };
        if (Path.GetFileNameWithoutExtension(self).Equals("dotnet", StringComparison.OrdinalIgnoreCase))
        {
            start.ArgumentList.Add(typeof(NodeChild).Assembly.Location);
        }

        foreach (string argument in settings.ToArguments())
        {
            start.ArgumentList.Add(argument);
        }

        Process process = Process.Start(start) ?? throw new QuickstartException($"'{self}' could not be started.");
        return new NodeChild(settings, process, observations);
    }

    public async Task SendAsync(string line, CancellationToken cancellationToken)
    {
        await _process.StandardInput.WriteLineAsync(line.AsMemory(), cancellationToken);
        await _process.StandardInput.FlushAsync(cancellationToken);
    }

    /// <summary>SIGKILL: it gets no chance to say goodbye. Returns when it is gone and all it had said was heard.</summary>
    public async Task KillAsync()
    {
        _isEndExpected = true;
        _process.Kill();
        await _process.WaitForExitAsync();
        await _reading;
    }

    /// <summary>Closes its input, and kills it if it does not end by that.</summary>
    public async ValueTask DisposeAsync()
    {
        _isEndExpected = true;
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It is gone already.
        }

        using var limit = new CancellationTokenSource(StopLimit);
        try
        {
            await _process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            _process.Kill();
        }

        await _reading;
        _process.Dispose();
    }

    private async Task ReadAsync(Observations observations)
    {
        try
        {
            while (await _process.StandardOutput.ReadLineAsync() is { } line)
            {
                if (JsonSerializer.Deserialize<NodeReport>(line) is { } report)
                {
                    observations.Add(report);
                }
            }
        }
        catch (Exception e) when (e is IOException or JsonException)
        {
            // A line cut by a kill is no report.
            if (!_isEndExpected)
            {
                observations.Fail($"What process {ProcessId} says cannot be read: {e.Message}");
            }
        }

        if (!_isEndExpected)
        {
            observations.Fail(
                $"Process {ProcessId} with nodes {Settings.First} to {Settings.First + Settings.Count - 1} ended; it was to run on.");
        }
    }
}
