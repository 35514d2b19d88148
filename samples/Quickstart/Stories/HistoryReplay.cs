using System.Diagnostics;
using System.Globalization;
using Quickstart.Hosting;
using Quickstart.Nodes;
using Quickstart.Showing;
using Ripple.Client;

namespace Quickstart.Stories;

/// <summary>
/// Publishes every version of a document, and counts what did not arrive at some node, byte for byte. A node puts the newest
/// version that it has in effect, so it may pass over some that others follow closely.
/// </summary>
internal sealed class HistoryReplay(Stage stage, HistoryFile history)
{
    /// <summary>How the last line ends when everything arrived.</summary>
    public const string Clean = "lost=0 mismatched=0";

    // A watch holds 64 releases and a host as many for who is behind; the publisher stays well within both.
    private const int AheadMax = 8;
    private const int ShowEvery = 10;

    private static readonly TimeSpan StallLimit = TimeSpan.FromSeconds(60);

    private readonly List<Published> _published = [];
    private long _shownBytes;

    /// <summary>Returns the last line.</summary>
    public async Task<string> RunAsync(CancellationToken cancellationToken)
    {
        long bytes = history.Versions.Sum(v => (long)v.Length);
        stage.Display.Say(
            string.Create(
                CultureInfo.InvariantCulture, $"{history.Versions.Count} versions of {history.Key}, {bytes:N0} bytes. {history.Remark}"));
        var watch = Stopwatch.StartNew();
        bool isStalled = false;
        _shownBytes = stage.Cluster.Server.DatagramBytesSent;
        foreach (ReadOnlyMemory<byte> version in history.Versions)
        {
            string what = string.Create(CultureInfo.InvariantCulture, $"version {_published.Count + 1}: {version.Length:N0} bytes");
            _published.Add(
                await stage.PublishAsync(
                    what, new Dictionary<string, ReadOnlyMemory<byte>> { [history.Key] = version }, cancellationToken));
            isStalled = _published.Count > AheadMax && !await IsEverywhereAsync(_published[^(AheadMax + 1)], cancellationToken);
            if (isStalled)
            {
                break;
            }

            if (_published.Count % ShowEvery == 0)
            {
                await ShowAsync(_published[^Math.Min(AheadMax + 1, _published.Count)], cancellationToken);
            }
        }

        Published last = _published[^1];
        bool isComplete = !isStalled && await IsEverywhereAsync(last, cancellationToken);
        WaitResult held = await stage.WaitAsync(last, "MIN($ALL.applied)", cancellationToken);
        await ShowAsync(last, cancellationToken);
        watch.Stop();
        stage.Display.Say(string.Create(
            CultureInfo.InvariantCulture,
            $"{(isComplete ? "Complete" : "Incomplete")} after {watch.Elapsed.TotalSeconds:0.0} s; MIN($ALL.applied) of release "
                + $"{last.Release}: {held.Outcome}."));
        return Count();
    }

    private Task<bool> IsEverywhereAsync(Published published, CancellationToken cancellationToken) => stage.Observations.UntilAsync(
        Fleet.AllNodes, n => (stage.Observations.Newest(NodeReport.Applied, n)?.Release
            ?? 0) >= published.Release, StallLimit, cancellationToken);

    /// <summary>Shows how far a release is; the bytes are those since the row before.</summary>
    private async Task ShowAsync(Published published, CancellationToken cancellationToken)
    {
        ReleaseRow row = await new ReleaseMonitor(stage, published, Fleet.AllNodes).RowAsync(cancellationToken);
        long bytes = stage.Cluster.Server.DatagramBytesSent;
        stage.Display.Show(row with { BytesSent = bytes - _shownBytes }, isFinal: true);
        _shownBytes = bytes;
    }

    private string Count()
    {
        int missing = (history.Versions.Count - _published.Count) * Fleet.NodeCount;
        int lost = missing + _published.Sum(p => Fleet.AllNodes.Count(n => !stage.Observations.HasApplied(n, p.Release)));
        int superseded = _published.Sum(
            p => Fleet.AllNodes.Count(
                n => stage.Observations.Applied(n, p.Release) is null && stage.Observations.HasApplied(n, p.Release)));
        int mismatched = _published.Sum(
            p => Fleet.AllNodes.Count(n => stage.Observations.Applied(n, p.Release) is { } report && report.Hash != p.Hash));
        return $"releases={_published.Count} nodes={Fleet.NodeCount} superseded={superseded} lost={lost} mismatched={mismatched}";
    }
}
