using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Ripple.Engine.Core;
using Ripple.Gms.Api;
using Ripple.Gms.Core;
using Ripple.Gms.Endpoint;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;
using Ripple.Transports.Running;
using Ripple.Transports.Udp;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// A host: its store, authority, core and endpoints, put together and started. The first start in a directory makes a cluster; later ones go on with it. For
/// the host program, and for any process that wants a host inside. Members may be called from any thread.
/// </summary>
public sealed class GmsServer : IAsyncDisposable
{
    /// <summary>How long a stop may take, at most.</summary>
    public static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan WatchPeriod = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan RenewalPeriod = TimeSpan.FromHours(1);

    private readonly GmsServerOptions _options;
    private readonly ILogger _logger;
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _stopping = new();
    private readonly Lock _stopGate = new();
    private readonly EventDrain _events;
    private HostResources? _ground;
    private CoreRunner? _runner;
    private PublishPreparer? _preparer;
    private UdpPorts? _ports;
    private UdpPort? _dataPort;
    private UdpPort? _repairPort;
    private HostCore? _host;
    private LinkEndpoint? _endpoint;
    private LinkListener? _listener;
    private HostHealth? _health;
    private HealthEndpoint? _healthEndpoint;
    private GmsMetrics? _metrics;
    private X509Certificate2? _hostCertificate;
    private Task _watch = Task.CompletedTask;
    private Task? _stop;

    private GmsServer(GmsServerOptions options, ILoggerFactory loggers)
    {
        _options = options;
        _logger = loggers.CreateLogger("Ripple.Gms");
        _events = new EventDrain(_logger);
        Directory = new GmsDirectory(Path.GetFullPath(options.DataDirectory));
    }

    /// <summary>Completes when the host has stopped; fails with a <see cref="GmsServerException"/> as soon as it cannot go on: dispose of it then, and start a
    /// new process or another server.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Where its files are. <see cref="GmsDirectory.ClientConnection"/> and <see cref="GmsDirectory.AdminConnection"/> hold the connection strings.</summary>
    public GmsDirectory Directory { get; }

    /// <summary>The cluster.</summary>
    public Id128 ClusterId => _ground!.Trust.Authority.ClusterId;

    /// <summary>What nodes connect to, as in the connection strings.</summary>
    public HostEndpoint Endpoint { get; private set; }

    /// <summary>Where the health endpoint answers; null when it is off.</summary>
    public IPEndPoint? HealthAddress => _healthEndpoint?.Address;

    /// <summary>The host's logic. What it says about threads holds: change and iterate on the core, through <see cref="Runner"/>; counters from anywhere.</summary>
    public HostCore Host => _host!;

    /// <summary>The core's thread.</summary>
    public CoreRunner Runner => _runner!;

    /// <summary>What the control endpoint has done.</summary>
    public LinkEndpointCounters LinkEndpointCounters => _endpoint!.Counters;

    /// <summary>Datagrams sent, over both ports.</summary>
    public long DatagramsSent => _dataPort!.Counters.Sent + _repairPort!.Counters.Sent;

    /// <summary>Bytes of datagrams sent, over both ports, without the headers of UDP and IP.</summary>
    public long DatagramBytesSent => _dataPort!.Counters.SentBytes + _repairPort!.Counters.SentBytes;

    /// <summary>Starts a host, and returns when it takes connections and its files are written.</summary>
    /// <param name="options">The options.</param>
    /// <param name="loggers">Where its log goes, in the category <c>Ripple.Gms</c>. See <see cref="LogEvents"/>.</param>
    /// <param name="cancellationToken">Gives up; what was started is stopped.</param>
    /// <exception cref="GmsServerException">An option, a file, an address or a port cannot be used; the message says what to do.</exception>
    /// <exception cref="StoreException">The store cannot be used, is of a later format, or belongs to a host that runs; the message says what to do.</exception>
    public static async Task<GmsServer> StartAsync(GmsServerOptions options, ILoggerFactory loggers, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(loggers);
        options.Check();
        var server = new GmsServer(options, loggers);
        try
        {
            // Off the caller's thread: files, and the store's lock, are waited for.
            await Task.Run(() => server.StartCoreAsync(cancellationToken), cancellationToken).ConfigureAwait(false);
            return server;
        }
        catch
        {
            await server.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Stops: nodes are told, links flushed, the core and the store closed, within <see cref="StopTimeout"/>; what takes longer is left behind and logged. What
    /// was committed is durable whatever happens. Again and again is fine.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        Task stop;
        lock (_stopGate)
        {
            stop = _stop ??= Task.Run(StopAsync);
        }

        await stop.ConfigureAwait(false);
    }

    private static async Task<IPAddress> ResolveAsync(string name, AddressFamily family, CancellationToken cancellationToken)
    {
        if (IPAddress.TryParse(name, out IPAddress? address))
        {
            return address;
        }

        try
        {
            IPAddress[] addresses = await Dns.GetHostAddressesAsync(name, cancellationToken).ConfigureAwait(false);
            return addresses.FirstOrDefault(a => a.AddressFamily == family)
                ?? addresses.FirstOrDefault(a => a.AddressFamily == AddressFamily.InterNetwork)
                ?? throw new GmsServerException($"The advertised name '{name}' has no address of the family that the host listens with. Advertise an address.");
        }
        catch (SocketException e)
        {
            throw new GmsServerException($"The advertised name '{name}' cannot be resolved ({e.Message}). Advertise a name that resolves on this machine, or an address.", e);
        }
    }

    private async Task StartCoreAsync(CancellationToken cancellationToken)
    {
        IPAddress advertised = await ResolveAsync(_options.EffectiveAdvertiseAddress, _options.ListenAddress.AddressFamily, cancellationToken).ConfigureAwait(false);
        HostResources ground = _ground = await HostResources.OpenAsync(_options, OnSignerFailed, _logger).ConfigureAwait(false);
        HostState state = ground.Load();
        GmsStart start = GmsStart.Plan(state, SystemWallClock.Instance.UnixMicros);
        await ground.Store.CommitAsync(start.Batch).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();

        ulong seed = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));
        var loop = new CoreLoop(_options.Core, seed);
        CoreRunner runner = _runner = new CoreRunner(loop, new CoreRunnerOptions { Name = "ripple host core", OnFailed = OnCoreFailed });
        runner.Start();
        _preparer = new PublishPreparer();
        var context = new HostContext(
            loop, ground.Store, ground.Signer, runner, SystemWallClock.Instance, _options.Gms with { Name = _options.EffectiveName }, start.SlotEpoch);
        HostCore host = _host = await runner.RunAsync(() => MakeHost(runner, context, state, advertised)).ConfigureAwait(false);

        var tokens = new AccessTokenList(ground.Store);
        var policy = new AccessTokenPolicy(tokens, () => host.TokensVersion, SystemWallClock.Instance, _logger);
        _hostCertificate = ground.Trust.HostCertificate();
        LinkEndpoint endpoint = _endpoint = new LinkEndpoint(new LinkEndpointOptions
        {
            Authority = ground.Trust.Authority,
            HostCertificate = _hostCertificate,
            Requests = loop.Requests,
            Acceptor = host,
            Enrollment = policy,
            Admission = policy.Admit,
            Link = GmsServerOptions.MakeLink(),
            ConnectionsMax = _options.Gms.SessionsMax,
            HttpConnectionsMax = ApiLimits.ConnectionsMax,
        });
        var api = new ApiContext
        {
            Gateway = new HostGateway(runner, host),
            Store = ground.Store,
            Tokens = tokens,
            Clock = SystemWallClock.Instance,
            ClusterId = ground.Trust.Authority.ClusterId,
            HostName = _options.EffectiveName,
            AuthorityFingerprint = ground.Trust.Authority.Trust.Fingerprint,
            Endpoint = () => Endpoint,
            OnFault = (request, exception) => HostLog.RequestFailed(_logger, request, exception),
        };
        _metrics = new GmsMetrics(_options.EffectiveName, host, loop.Counters, endpoint.Counters, _ports!);
        _health = new HostHealth(runner, ground.Store, Completion);
        LinkListener listener = _listener = await ListenAsync(
            _options.ListenAddress, nameof(GmsServerOptions.ListenAddress), () => LinkListener.StartAsync(endpoint, _options.ListenAddress, api, cancellationToken)).ConfigureAwait(false);
        Endpoint = new HostEndpoint(_options.EffectiveAdvertiseAddress, listener.Port);
        if (_options.HealthAddress is { } address)
        {
            _healthEndpoint = await ListenAsync(
                address, nameof(GmsServerOptions.HealthAddress), () => HealthEndpoint.StartAsync(address, _health, cancellationToken)).ConfigureAwait(false);
        }

        ground.WriteConnections(Endpoint);
        _watch = Task.Run(WatchAsync, CancellationToken.None);
        HostLog.Started(
            _logger, _options.EffectiveName, ClusterId.ToString(), Endpoint.ToString(), host.DataAddress.ToString(), host.ControlAddress.ToString(), host.Incarnation);
    }

    private static async Task<T> ListenAsync<T>(IPEndPoint address, string option, Func<Task<T>> listen)
    {
        try
        {
            return await listen().ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            throw new GmsServerException($"{address} cannot be listened on ({e.Message}). Stop what uses it, or give another address or port ({option}).", e);
        }
    }

    private HostCore MakeHost(CoreRunner runner, HostContext context, HostState state, IPAddress advertised)
    {
        _ports = new UdpPorts(runner);
        UdpPort data = _dataPort = Open(_options.DataPort, PortLane.Data);
        UdpPort repair = _repairPort = Open(_options.RepairPort, PortLane.Control);
        return new HostCore(context, state, new HostPorts(data, repair, _options.Multicast?.Range()), new RandomKeySource(), _preparer!, _events.Events);

        UdpPort Open(int port, PortLane lane)
        {
            try
            {
                return _ports.Open(new UdpPortOptions
                {
                    Lane = lane,
                    LocalAddress = _options.ListenAddress.Address,
                    Port = port,
                    AdvertisedAddress = advertised,
                    Multicast = lane == PortLane.Data ? _options.Multicast?.Sending : null,
                });
            }
            catch (SocketException e) when (lane == PortLane.Data && _options.Multicast is { Interface: { } address } && e.SocketErrorCode is SocketError.AddressNotAvailable)
            {
                throw new GmsServerException($"Multicast cannot leave by {address}, or the UDP port {port} of {_options.ListenAddress.Address} cannot be opened ({e.Message}). Give the address of an interface of this machine.", e);
            }
            catch (SocketException e)
            {
                throw new GmsServerException($"The UDP port {port} of {_options.ListenAddress.Address} cannot be opened ({e.Message}). Stop what uses it, or give another port.", e);
            }
        }
    }

    private void OnCoreFailed(Exception exception)
    {
        HostLog.CoreFailed(_logger, exception);
        Fail("The core failed; the log says how. Start the host again; its store is not affected.", exception);
    }

    private void OnSignerFailed(Exception exception)
    {
        HostLog.SignerFailed(_logger, exception);
        Fail("The signing key failed; the log says how. Start the host again.", exception);
    }

    private void Fail(string reason, Exception? exception) => _completion.TrySetException(new GmsServerException(reason, exception));

    /// <summary>Looks after what nobody tells of: a store that broke, and a certificate that comes of age.</summary>
    private async Task WatchAsync()
    {
        using var timer = new PeriodicTimer(WatchPeriod);
        long renewalDueMs = Environment.TickCount64 + (long)RenewalPeriod.TotalMilliseconds;
        try
        {
            while (await timer.WaitForNextTickAsync(_stopping.Token).ConfigureAwait(false))
            {
                if (_ground!.Store.IsBroken && !_completion.Task.IsCompleted)
                {
                    HostLog.StoreBroken(_logger, Directory.Store);
                    Fail($"The store '{Directory.Store}' failed. Check the disk's space and health, then start the host again.", null);
                }

                if (Environment.TickCount64 >= renewalDueMs)
                {
                    renewalDueMs = Environment.TickCount64 + (long)RenewalPeriod.TotalMilliseconds;
                    Renew();
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The host stops.
        }
    }

    private void Renew()
    {
        try
        {
            if (_ground!.Trust.Authority.IsDue(_hostCertificate!))
            {
                // The old one is left to the connections that have it.
                _hostCertificate = _ground.Trust.HostCertificate();
                _endpoint!.UseCertificate(_hostCertificate);
            }
        }
        catch (GmsServerException e)
        {
            HostLog.RenewalFailed(_logger, Directory.Host, e);
        }
    }

    private async Task StopAsync()
    {
        bool isStarted = Endpoint.Port != 0;
        if (isStarted)
        {
            HostLog.Stopping(_logger);
        }

        using var limit = new CancellationTokenSource(StopTimeout);
        if (_health is not null)
        {
            _health.IsStopping = true;
        }

        await _stopping.CancelAsync().ConfigureAwait(false);
        await StepAsync("the watch", () => _watch, limit.Token).ConfigureAwait(false);
        if (_host is { } host)
        {
            // From here on the host closes every link that still comes in.
            await StepAsync("the goodbye", () => OnCoreAsync(() => host.Stop("the host stops")), limit.Token).ConfigureAwait(false);
            await StepAsync("the links", FlushAsync, limit.Token).ConfigureAwait(false);
        }

        await StepAsync("the control endpoint", () => DisposeAsync(_listener), limit.Token).ConfigureAwait(false);
        await StepAsync("the core", () => Task.Run(CloseCoreAsync), limit.Token).ConfigureAwait(false);
        await StepAsync("the preparer", () => DisposeAsync(_preparer), limit.Token).ConfigureAwait(false);
        await StepAsync("the store", () => Task.Run(() => DisposeAsync(_ground)), limit.Token).ConfigureAwait(false);
        await StepAsync("the health endpoint", () => DisposeAsync(_healthEndpoint), limit.Token).ConfigureAwait(false);
        await StepAsync("the events", () => DisposeAsync(_events), limit.Token).ConfigureAwait(false);
        _metrics?.Dispose();
        _hostCertificate?.Dispose();
        if (isStarted)
        {
            HostLog.Stopped(_logger);
        }

        _completion.TrySetResult();
        // A failure that nobody waits for was logged.
        _ = _completion.Task.Exception;
    }

    private async Task StepAsync(string part, Func<Task> step, CancellationToken cancellationToken)
    {
        try
        {
            await step().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // One part that fails or hangs must not keep the others from stopping.
            HostLog.StopTimedOut(_logger, part, e);
        }
    }

    private static Task DisposeAsync(IAsyncDisposable? part) => part is null ? Task.CompletedTask : part.DisposeAsync().AsTask();

    /// <summary>Waits until the links have ended, half of the time at most: the listener ends what is left.</summary>
    private async Task FlushAsync()
    {
        for (long end = Environment.TickCount64 + ((long)StopTimeout.TotalMilliseconds / 2); _endpoint is { ConnectionCount: > 0 } && Environment.TickCount64 < end;)
        {
            await Task.Delay(10).ConfigureAwait(false);
        }
    }

    /// <summary>Runs on the core, or here where it has ended and nobody else is on it.</summary>
    private async Task OnCoreAsync(Action action)
    {
        try
        {
            await _runner!.RunAsync(action).ConfigureAwait(false);
        }
        catch (ObjectDisposedException) when (_runner!.IsOnCore)
        {
            action();
        }
    }

    private async Task CloseCoreAsync()
    {
        if (_runner is null)
        {
            return;
        }

        await OnCoreAsync(() =>
        {
            _host?.Dispose();
            _ports?.Dispose();
        }).ConfigureAwait(false);
        _runner.Dispose();
    }
}
