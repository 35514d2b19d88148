using System.Diagnostics;
using System.Text.Json;
using System.Threading.Channels;

namespace Quickstart.Nodes;

/// <summary>
/// Brings reports to the parent, a line each, in order. Any thread; at most <see cref="WaitingMax"/> wait, more wait at who reports.
/// </summary>
internal sealed class ReportWriter
{
    private const int WaitingMax = 1_024;

    private readonly Channel<NodeReport> _waiting = Channel.CreateBounded<NodeReport>(WaitingMax);

    public static long Now => Stopwatch.GetTimestamp();

    public ValueTask WriteAsync(NodeReport report, CancellationToken cancellationToken) =>
        _waiting.Writer.WriteAsync(report, cancellationToken);

    /// <summary>Writes until the parent is gone.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await using var output = new StreamWriter(Console.OpenStandardOutput());
        while (await _waiting.Reader.WaitToReadAsync(cancellationToken))
        {
            while (_waiting.Reader.TryRead(out NodeReport? report))
            {
                await output.WriteLineAsync(JsonSerializer.Serialize(report).AsMemory(), cancellationToken);
            }

            await output.FlushAsync(cancellationToken);
        }
    }
}
