using System.Diagnostics;

namespace Ripple.Load.Push;

/// <summary>One application, who publishes it, and when each publish was where.</summary>
/// <param name="client">Publishes, and is one more node of the application: what is proven of all is proven of it too.</param>
/// <param name="options">What to publish, and to how many nodes.</param>
internal sealed class ApplicationLoad(RippleClient client, PushOptions options) : IAsyncDisposable
{
    private static readonly TimeSpan SettleMax = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(20);
    private PushPublisher? _publisher;

    public RippleClient Client => client;

    public PublishLog Log { get; } = new(options.Clients);

    public PushPublisher Publisher => _publisher ??= new(client, Log, options);

    /// <summary>Connects who publishes it.</summary>
    /// <param name="connection">The file with the connection string of who may.</param>
    /// <param name="application">The application.</param>
    /// <param name="options">What to publish.</param>
    public static async Task<ApplicationLoad> ConnectAsync(string connection, string application, PushOptions options) => new(
        await RippleClient.ConnectAsync(
            await File.ReadAllTextAsync(connection),
            new RippleClientOptions { Application = application, Name = "publisher", SnapshotMode = SnapshotMode.Off }),
        options);

    /// <summary>Waits until some publishes are with all nodes, and not for ever: what is not is lost.</summary>
    public async Task SettleAsync(int start, int count)
    {
        PublishTimes[] times = Log.Range(start, count);
        for (long begin = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begin) < SettleMax && !IsThrough(times);)
        {
            await Task.Delay(LookPeriod);
        }
    }

    /// <summary>Nodes and publishes from one on that were not seen, or seen with wrong content.</summary>
    public long LostFrom(int start)
    {
        int count = Publisher.Begun - start;
        return ((long)options.Clients * count) - Log.Range(start, count).Sum(t => (long)t.Nodes);
    }

    public ValueTask DisposeAsync() => client.DisposeAsync();

    private bool IsThrough(PublishTimes[] times)
    {
        foreach (PublishTimes one in times)
        {
            lock (one)
            {
                if (one.Nodes < options.Clients)
                {
                    return false;
                }
            }
        }

        return true;
    }
}
