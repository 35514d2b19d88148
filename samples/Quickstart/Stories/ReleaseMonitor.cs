using System.Diagnostics;
using Quickstart.Nodes;
using Quickstart.Showing;
using Ripple.Client;

namespace Quickstart.Stories;

/// <summary>
/// Keeps the row of one release up to date while it spreads: what a host says of the members, and when the last node had it.
/// </summary>
internal sealed class ReleaseMonitor(Stage stage, Published published, IReadOnlyCollection<int> nodes)
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(150);

    /// <summary>Runs something while the row is kept up to date, then shows it for the last time.</summary>
    public async Task RunAsync(Func<Task> deliver, CancellationToken cancellationToken)
    {
        using var done = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task watching = WatchAsync(done.Token);
        try
        {
            await deliver();
        }
        finally
        {
            await done.CancelAsync();
            await watching;
        }

        stage.Display.Show(await RowAsync(cancellationToken), isFinal: true);
    }

    /// <summary>How far it is now.</summary>
    public async Task<ReleaseRow> RowAsync(CancellationToken cancellationToken)
    {
        ApplicationStatus status = await stage.Cluster.Publisher.StatusAsync(Hosting.Cluster.Application, cancellationToken);
        var names = nodes.Select(NodeProcessSettings.NameOf).ToHashSet(StringComparer.Ordinal);
        MemberStatus[] members =
            [.. status.Members.Where(m => m.State == MemberState.Present && names.Contains(m.Name)).DistinctBy(m => m.Node)];
        int rejected = members.Count(m => m.Rejected == published.Release);
        NodeReport?[] reports = [.. nodes.Select(n => stage.Observations.Applied(n, published.Release))];
        int applied = nodes.Count(n => stage.Observations.HasApplied(n, published.Release));
        return new ReleaseRow
        {
            Release = published.Release,
            What = published.What,
            BytesSent = stage.Cluster.Server.DatagramBytesSent - published.BytesBefore,
            Received = members.Count(m => m.Received >= published.Release),
            Persisted = members.Count(m => m.Persisted >= published.Release),
            Applied = applied,
            Rejected = rejected,
            LastMs = reports.Any(r => r is not null) && applied + rejected >= nodes.Count
                ? Stopwatch.GetElapsedTime(published.Timestamp, reports.Max(r => r?.Timestamp ?? 0)).TotalMilliseconds
                : null,
        };
    }

    private async Task WatchAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var timer = new PeriodicTimer(Period);
            while (await timer.WaitForNextTickAsync(cancellationToken))
            {
                stage.Display.Show(await RowAsync(cancellationToken), isFinal: false);
            }
        }
        catch (OperationCanceledException)
        {
            // What was to be watched is over.
        }
    }
}
