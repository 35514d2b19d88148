namespace Ripple.Load.Push;

/// <summary>One application, who publishes it, and when each publish was where.</summary>
/// <param name="client">Publishes, and is one more node of the application: what is proven of all is proven of it too.</param>
/// <param name="options">What to publish, and to how many nodes.</param>
internal sealed class ApplicationLoad(RippleClient client, PushOptions options) : IAsyncDisposable
{
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
    public Task SettleAsync(int start, int count) => Log.SettleAsync(start, count);

    /// <summary>Nodes and publishes from one on that were not seen, or seen with wrong content.</summary>
    public long LostFrom(int start) => Log.Lost(start, Publisher.Begun - start);

    public ValueTask DisposeAsync() => client.DisposeAsync();
}
