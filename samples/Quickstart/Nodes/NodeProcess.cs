using System.Runtime.InteropServices;
using Ripple.Client;

namespace Quickstart.Nodes;

/// <summary>
/// A process with a few nodes on one runtime. It lives as long as its standard input is open, and so never longer than its parent.
/// </summary>
internal sealed class NodeProcess(NodeProcessSettings settings) : IDisposable
{
    /// <summary>The line that asks every node for what is in effect.</summary>
    public const string CurrentCommand = "current";

    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(2);

    private readonly ReportWriter _reports = new();
    private readonly CancellationTokenSource _stopping = new();

    public async Task<int> RunAsync()
    {
        // A terminal sends Ctrl-C to all of its processes; here the parent decides.
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context => context.Cancel = true);
        RippleRuntime runtime = RippleRuntime.Create(new RippleRuntimeOptions { Name = "nodes" });
        Node[] nodes = [.. settings.Nodes.Select(n => new Node(n, settings, runtime, _reports))];
        Task writing = _reports.RunAsync(_stopping.Token);
        Task[] running = [.. nodes.Select(RunAsync)];
        await Task.WhenAny(Task.Run(() => ReadAsync(nodes)), writing);

        await _stopping.CancelAsync();
        Task stopped = Task.Run(async () =>
        {
            await Task.WhenAll(running);
            await Task.WhenAll(nodes.Select(n => n.DisposeAsync().AsTask()));
            await runtime.DisposeAsync();
        });
        await Task.WhenAny(stopped, Task.Delay(StopLimit));
        return 0;
    }

    public void Dispose() => _stopping.Dispose();

    /// <summary>Obeys the parent until it closes the input or is gone.</summary>
    private async Task ReadAsync(Node[] nodes)
    {
        using var input = new StreamReader(Console.OpenStandardInput());
        while (await input.ReadLineAsync() is { } line)
        {
            if (line == CurrentCommand)
            {
                await Task.WhenAll(nodes.Select(n => n.ReportCurrentAsync(_stopping.Token)));
            }
        }
    }

    private async Task RunAsync(Node node)
    {
        try
        {
            await node.RunAsync(_stopping.Token);
        }
        catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
        {
            // The parent wants an end.
        }
        catch (Exception e) when (!_stopping.IsCancellationRequested)
        {
            await _reports.WriteAsync(
                new NodeReport { Kind = NodeReport.Failed, Text = $"{e.GetType().Name}: {e.Message}" }, _stopping.Token);
        }
    }
}
