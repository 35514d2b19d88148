using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Client.Calls;
using Ripple.Client.Events;
using Ripple.Client.Running;
using Ripple.Client.Scheduling;
using Ripple.Client.Snapshots;
using Ripple.Client.Spaces;
using Ripple.Client.State;
using Ripple.Client.Verification;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client;

/// <summary>
/// The client: one node of a cluster, run by a <see cref="RippleRuntime"/>. Create one per process and share it; see
/// <see cref="IRippleClient"/>.
/// </summary>
public sealed partial class RippleClient : IRippleClient
{
    private readonly RippleClientOptions _options;
    private readonly ClientSettings _settings;
    private readonly ILogger _logger;
    private readonly RippleRuntime _runtime;
    private readonly SharedVerifier _verifier;
    private readonly CurrentReleases _current;
    private readonly IClientScheduler _scheduler;
    private readonly ConnectionSignal _connection;
    private readonly Freshness _confirmation;
    private readonly ReleaseHub _hub;
    private readonly HistoryHub _histories;
    private readonly Dispatcher _dispatcher;
    private readonly SnapshotStore _store;
    private readonly ClientCore _core;
    private readonly HostCalls _calls;
    private readonly Publisher _publisher;
    private readonly Reader _reader;
    private readonly Waiter _waiter;
    private readonly Follower _follower;
    private readonly LevelReporter _reporter;
    private readonly SpaceHub _spaces;
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenRegistration _onRuntimeStopped;
    private IClientConnector? _connector;
    private SharedAuthority? _authority;
    private NodeIdentity? _identity;
    private int _isDisposed;

    private RippleClient(RippleClientOptions options, ClientSettings settings, RippleRuntime runtime, Func<string, string?> environment)
    {
        _options = options;
        _settings = settings;
        _runtime = runtime;
        ILoggerFactory factory = options.LoggerFactory ?? NullLoggerFactory.Instance;
        _logger = factory.CreateLogger<RippleClient>();
        _scheduler = runtime.Driver.Scheduler;
        _connection = new ConnectionSignal(_scheduler);
        _confirmation = new Freshness(_scheduler.Clock);
        _verifier = runtime.Driver.AcquireVerifier(settings.Connection.Authority.Span);
        _current = new CurrentReleases(settings.Applications);
        _hub = new ReleaseHub(_current, _scheduler);
        _dispatcher = new Dispatcher(settings, _hub, _logger, runtime.Pump, change => ConnectionStateChanged?.Invoke(this, change));
        _store = SnapshotStore.Open(settings, _verifier, _logger, environment, _scheduler, runtime.Driver.Files);
        _core = new ClientCore(settings, runtime.CoreDispatcher, _current, _connection, _dispatcher.Outlet, _confirmation, _store);
        _calls = new HostCalls(runtime.CoreDispatcher, _core, _connection);
        _publisher = new Publisher(_calls, _core, options.PublishTimeout);
        _reader = new Reader(_calls, runtime.CoreDispatcher, _core, options.CallTimeout);
        _waiter = new Waiter(_calls, _scheduler);
        _follower = new Follower(_calls, _scheduler);
        _reporter = new LevelReporter(_calls, _connection, options.CallTimeout, _stopping.Token);
        _spaces = new SpaceHub(runtime.CoreDispatcher);
        _spaces.Start(() => _core.Node?.Link);
        _core.Events = _spaces;
        _core.OnLetIn = _spaces.OnJoined;
        _core.OnWritable = _spaces.Pump;
        _histories = new HistoryHub(_scheduler, _reader.HistoryAsync, _stopping.Token);
        _core.OnReceivedWhole = _histories.OnReceived;
        _onRuntimeStopped = runtime.Driver.Stopped.Register(OnRuntimeStopped);
    }

    /// <inheritdoc/>
    public event EventHandler<ConnectionStateChange>? ConnectionStateChanged;

    /// <summary>The numbers of queued events and releases, for invariant checks. Core thread.</summary>
    internal (int Events, int Releases) Queued => (_dispatcher.Outlet.Events.Count, Math.Max(_hub.QueuedMax, _histories.QueuedMax));

    /// <inheritdoc/>
    public string Application => _settings.Application;

    /// <inheritdoc/>
    public NodeId NodeId => Volatile.Read(ref _identity) is { } identity ? new NodeId(identity.NodeId.High, identity.NodeId.Low) : default;

    /// <inheritdoc/>
    public ConnectionState ConnectionState => _connection.Now.State;

    /// <inheritdoc/>
    public string? LastError => _connection.Now.Error;

    /// <inheritdoc/>
    public DateTimeOffset? ConfirmedAt => _confirmation.At;

    /// <summary>The directory where this client keeps its snapshots; null if it keeps none.</summary>
    public string? SnapshotPath => _store.Path;

    internal long Verifications => _verifier.Verifications;

    /// <summary>
    /// Starts a client. Returns once a host has admitted it and the releases that were newest then have been applied or rejected by this
    /// process; when the connect timeout passes, admission alone is enough. If the options allow it, starts from the verified snapshot once
    /// every host of the connection string has been tried, or returns at once. From then on the client reconnects by itself.
    /// </summary>
    /// <param name="connectionString"><c>Endpoints=host1:7400,host2:7400;Authority=sha256:...;Token=...;Application=...</c></param>
    /// <param name="options">Null for the defaults.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    /// <exception cref="RippleException">The connection string or an option is not valid; or this process rejects the newest release, has
    /// accepted none before, accepts none of the earlier ones that it looks at, and the startup mode is not
    /// <see cref="StartupMode.Background"/>.</exception>
    /// <exception cref="RippleConnectionException">No host admitted the client in time, and there is no snapshot it may start
    /// from.</exception>
    /// <exception cref="RippleRefusedException">The hosts do not admit this client.</exception>
    public static Task<RippleClient> ConnectAsync(
        string connectionString, RippleClientOptions? options = null, CancellationToken cancellationToken = default) =>
        StartNewAsync(connectionString, options, Environment.GetEnvironmentVariable, cancellationToken);

    internal static async Task<RippleClient> StartNewAsync(
        string connectionString, RippleClientOptions? options, Func<string, string?> environment, CancellationToken cancellationToken)
    {
        RippleClientOptions own = options ?? new();
        ClientSettings settings = SettingsResolver.Resolve(connectionString, own);
        // Starting a core and claiming a directory block, which the caller's thread may not be allowed to do.
        IClientScheduler scheduler = own.Runtime?.Driver.Scheduler ?? PoolScheduler.Instance;
        RippleRuntime runtime =
            await scheduler.Run(() => RippleRuntime.Acquire(own.Runtime), cancellationToken).ConfigureAwait(false);
        RippleClient client;
        try
        {
            client = await scheduler.Run(() => new RippleClient(own, settings, runtime, environment), CancellationToken.None)
                .ConfigureAwait(false);
        }
        catch
        {
            await runtime.ReleaseAsync().ConfigureAwait(false);
            throw;
        }

        try
        {
            await client.StartAsync(cancellationToken).ConfigureAwait(false);
            return client;
        }
        catch
        {
            await client.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Leaves the host, ends the watches, completes pending disk writes, and frees all resources of the client.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        await _onRuntimeStopped.DisposeAsync().ConfigureAwait(false);
        await _scheduler.CancelAsync(_stopping).ConfigureAwait(false);
        try
        {
            await _runtime.CoreDispatcher.InvokeAsync(
                () =>
                {
                    _core.Stop();
                    _spaces.Stop(new ObjectDisposedException(nameof(RippleClient), "The client was disposed of."));
                    LeaveAuthority();
                    return true;
                },
                CancellationToken.None).ConfigureAwait(false);
        }
        catch (RippleException)
        {
            // The core has stopped: nothing of this client runs on it anymore.
        }

        if (_connector is not null)
        {
            await _connector.DisposeAsync().ConfigureAwait(false);
        }

        await _dispatcher.DisposeAsync().ConfigureAwait(false);
        _hub.Close();
        _histories.Close();
        _store.Keep(_confirmation.At);
        await _store.DisposeAsync().ConfigureAwait(false);
        _verifier.Release();
        _publisher.Dispose();
        _reader.Dispose();
        await _runtime.ReleaseAsync().ConfigureAwait(false);
        _stopping.Dispose();
    }

    /// <summary>Core thread.</summary>
    private void LeaveAuthority()
    {
        if (_authority is { } authority)
        {
            _authority = null;
            _runtime.Leave(authority);
        }
    }

    /// <summary>The core stopped before this client. Since it posts no more events, this thread may post to the outlet instead.</summary>
    private void OnRuntimeStopped()
    {
        string reason = _runtime.Driver.Failure is { } failure
            ? $"the core stopped because of a fault: {failure.Message} Restart the process and report the fault."
            : "the runtime was disposed of before this client.";
        _connection.Failed(reason, isRefusal: false);
        _dispatcher.Outlet.Post(new ConnectionStateChange(ConnectionState.Disconnected, reason));
    }

    private void SetIdentity(X509Certificate2 certificate)
    {
        if (IdentityReader.Read(certificate, out CertificateIdentity? identity) == IdentityStatus.Ok && identity is NodeIdentity node)
        {
            Volatile.Write(ref _identity, node);
        }
    }

    private void Restore(IReadOnlyDictionary<string, ReplicaSnapshot> snapshots)
    {
        foreach ((string application, ReplicaSnapshot snapshot) in snapshots)
        {
            _current[application] = RippleRelease.From(snapshot.Applied, null);
        }
    }
}
