using Ripple.Client;
using Ripple.Engine.Regions;
using Ripple.Extensions.Hosting.Configuration;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>
/// A connection's client as a container's service: the container disposes this wrapper, the connection disposes the client.
/// </summary>
internal sealed class HostedRippleClient : IRippleClient, IDisposable
{
    private readonly RippleConnection _connection;
    private readonly RippleClient _client;

    /// <exception cref="InvalidOperationException">There is no client; the message says why.</exception>
    public HostedRippleClient(RippleConnection connection)
    {
        _connection = connection;
        if (connection.Client is null && ReadScope.IsValidating)
        {
            throw new InvalidOperationException(
                $"The client of Ripple '{connection.Name}' has not started, and is not waited for while a release is validated. "
                    + $"Ask for it before, or not in what configures or validates options.");
        }

        connection.Start();
        _client = connection.Client ?? throw new InvalidOperationException(
            connection.IsConfigured
                ? $"There is no client of Ripple '{connection.Name}': it could not be started (the log says why), or the host is stopping."
                : $"There is no client of Ripple '{connection.Name}', because there is no connection string. {connection.Advice}");
        _client.ConnectionStateChanged += OnStateChanged;
    }

    public event EventHandler<ConnectionStateChange>? ConnectionStateChanged;

    public string Application => _client.Application;

    public NodeId NodeId => _client.NodeId;

    public ConnectionState ConnectionState => _client.ConnectionState;

    public string? LastError => _client.LastError;

    public DateTimeOffset? ConfirmedAt => _client.ConfirmedAt;

    public RippleRelease Current(string? application = null) => _client.Current(application);

    public bool TryGet(string key, out ReadOnlyMemory<byte> value, string? application = null) =>
        _client.TryGet(key, out value, application);

    public IAsyncEnumerable<RippleRelease> WatchAsync(string? application = null, CancellationToken cancellationToken = default) =>
        _client.WatchAsync(application, cancellationToken);

    public IAsyncEnumerable<HistoryEntry> WatchHistoryAsync(
        string? application = null, HistoryEntry? after = null, CancellationToken cancellationToken = default) =>
        _client.WatchHistoryAsync(application, after, cancellationToken);

    public Task<PublishResult> PublishAsync(PublishRequest request, CancellationToken cancellationToken = default) =>
        _client.PublishAsync(request, cancellationToken);

    public Task<PublishResult> RollbackAsync(
        string application,
        ulong toRelease,
        string note = "",
        ulong? expectedRelease = null,
        Guid? publishId = null,
        uint? expectedGeneration = null,
        CancellationToken cancellationToken = default) =>
        _client.RollbackAsync(application, toRelease, note, expectedRelease, publishId, expectedGeneration, cancellationToken);

    public IAsyncEnumerable<HistoryEntry> HistoryAsync(
        string application, ulong? before = null, CancellationToken cancellationToken = default) =>
        _client.HistoryAsync(application, before, cancellationToken);

    public Task<ReadResult?> ReadAsync(
        string application, string key, ulong? release = null, CancellationToken cancellationToken = default) =>
        _client.ReadAsync(application, key, release, cancellationToken);

    public Task CreateApplicationAsync(string application, CancellationToken cancellationToken = default) =>
        _client.CreateApplicationAsync(application, cancellationToken);

    public Task<ApplicationStatus> StatusAsync(string application, CancellationToken cancellationToken = default) =>
        _client.StatusAsync(application, cancellationToken);

    public Task<WaitResult> WaitAsync(
        string application,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        _client.WaitAsync(application, release, predicate, timeout, progress, cancellationToken);

    public Task<WaitResult> WaitAsync(
        string application,
        uint generation,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        _client.WaitAsync(application, generation, release, predicate, timeout, progress, cancellationToken);

    public IAsyncEnumerable<FrontierPoint> MonitorAsync(
        string application, string predicate, CancellationToken cancellationToken = default) =>
        _client.MonitorAsync(application, predicate, cancellationToken);

    public Task ReportAsync(string application, ulong release, string level, CancellationToken cancellationToken = default) =>
        _client.ReportAsync(application, release, level, cancellationToken);

    public IRippleSpace Space(string application) => _client.Space(application);

    public override string ToString() => $"Ripple '{_connection.Name}'";

    public void Dispose() => _client.ConnectionStateChanged -= OnStateChanged;

    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    private void OnStateChanged(object? sender, ConnectionStateChange change) => ConnectionStateChanged?.Invoke(this, change);
}
