using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Ripple.Engine.Core;
using Ripple.Gms.Api;
using Ripple.Gms.Core;
using Ripple.Gms.Endpoint;
using Ripple.Gms.Placement;
using Ripple.Gms.Regions;
using Ripple.Gms.Store;
using Ripple.Transports.Running;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// A host: its store, authority, core and endpoints, assembled and started. The first start in a directory creates a cluster; later starts
/// continue it. Of the hosts on one database one leads, and the others wait in their start until they take over. For the host program, and
/// for any process that embeds a host. Members may be called from any thread.
/// </summary>
public sealed partial class GmsServer : IAsyncDisposable
{
    /// <summary>The time limit of a stop.</summary>
    public static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(5);

    private readonly GmsServerOptions _options;
    private readonly ILogger _logger;
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _stopping = new();
    private readonly Lock _stopLock = new();
    private readonly NodeAudit _nodeAudit;
    private readonly EventDrain _events;
    private HostResources? _resources;
    private CoreRunner? _runner;
    private PublishPreparer? _preparer;
    private ShortFormMaker? _forms;
    private HostUdpPorts? _ports;
    private HostCore? _host;
    private LinkEndpoint? _endpoint;
    private LinkListener? _listener;
    private HostHealth? _hostHealth;
    private IHealth _health;
    private HealthEndpoint? _healthEndpoint;
    private GmsMetrics? _metrics;
    private HostWatch? _watch;
    private SignerRenewal? _renewal;
    private Task _watching = Task.CompletedTask;
    private Task? _stop;

    private GmsServer(GmsServerOptions options, ILoggerFactory loggers)
    {
        _options = options;
        _logger = loggers.CreateLogger("Ripple.Gms");
        _nodeAudit = new NodeAudit(SystemWallClock.Instance, _options.EffectiveName);
        _events = new EventDrain(_logger, _nodeAudit);
        Directory = new GmsDirectory(Path.GetFullPath(options.DataDirectory));
        _health = new StandbyHealth(() => _standby?.Holder);
    }

    /// <summary>
    /// Completes when the host has stopped; fails with a <see cref="GmsServerException"/> as soon as it cannot continue. Dispose of it
    /// then, and start a new process or another server.
    /// </summary>
    public Task Completion => _completion.Task;

    /// <summary>
    /// The paths of its files. <see cref="GmsDirectory.ClientConnection"/> and <see cref="GmsDirectory.AdminConnection"/> contain the
    /// connection strings.
    /// </summary>
    public GmsDirectory Directory { get; }

    /// <summary>The cluster's id.</summary>
    public Id128 ClusterId => _resources!.Trust.Authority.ClusterId;

    /// <summary>The endpoint that nodes connect to, as in the connection strings.</summary>
    public HostEndpoint Endpoint { get; private set; }

    /// <summary>The address of the health endpoint; null when it is off.</summary>
    public IPEndPoint? HealthAddress => _healthEndpoint?.Address;

    /// <summary>
    /// The host's logic. Its thread rules apply: change and iterate on the core, through <see cref="Runner"/>; counters from any thread.
    /// </summary>
    internal HostCore Host => _host!;

    /// <summary>Changes the key that signs; null before the host has started.</summary>
    internal SignerRenewal? Renewal => _renewal;

    /// <summary>The core's thread.</summary>
    internal CoreRunner Runner => _runner!;

    /// <summary>The host's counters.</summary>
    public GmsCounters Counters => _host!.Counters;

    /// <summary>The control endpoint's counters.</summary>
    public LinkEndpointCounters LinkEndpointCounters => _endpoint!.Counters;

    /// <summary>Datagrams sent, over both ports.</summary>
    public long DatagramsSent => _ports!.Sent;

    /// <summary>Bytes of datagrams sent, over both ports, without UDP and IP headers.</summary>
    public long DatagramBytesSent => _ports!.SentBytes;

    /// <summary>
    /// Starts a host; returns once it accepts connections and its files are written. A host on a database that another leads waits until it
    /// takes over: until then it answers its health, and says at its endpoint who leads, as its log does
    /// (<see cref="LogEvents.StandingBy"/>).
    /// </summary>
    /// <param name="options">The options.</param>
    /// <param name="loggers">Receives its log, in the category <c>Ripple.Gms</c>. See <see cref="LogEvents"/>.</param>
    /// <param name="cancellationToken">Cancels the start; parts already started are stopped.</param>
    /// <exception cref="GmsServerException">An option, a file, an address or a port cannot be used; the message states the
    /// remedy.</exception>
    /// <exception cref="StoreException">The store cannot be used, has a later format, or belongs to a running host; the message states the
    /// remedy.</exception>
    public static async Task<GmsServer> StartAsync(
        GmsServerOptions options, ILoggerFactory loggers, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(loggers);
        options.Check();
        var server = new GmsServer(options, loggers);
        try
        {
            // Off the caller's thread: the start waits for files and the store's lock.
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
    /// Stops the host: nodes get a goodbye, links are flushed, core and store are closed, within <see cref="StopTimeout"/>; parts that take
    /// longer are abandoned and logged. Committed releases are durable in any case. May be called repeatedly.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        Task stop;
        lock (_stopLock)
        {
            stop = _stop ??= Task.Run(StopAsync);
        }

        await stop.ConfigureAwait(false);
    }

    private async Task StartCoreAsync(CancellationToken cancellationToken)
    {
        IPAddress advertised = await AdvertisedAddress
            .ResolveAsync(
                _options.EffectiveAdvertiseAddress, _options.ListenAddress.AddressFamily, cancellationToken).ConfigureAwait(false);
        if (_options.StoreFile is not null)
        {
            await StandByAsync(cancellationToken).ConfigureAwait(false);
        }

        HostResources resources = _resources = await HostResources.OpenAsync(
            _options, _seat, OnSignerFailed, _logger).ConfigureAwait(false);
        HostState state = resources.Load();
        GmsStart start = GmsStart.Plan(state, SystemWallClock.Instance.UnixMicros);
        await resources.Store.CommitAsync(start.Batch).ConfigureAwait(false);
        if (state.Copy is { } copy)
        {
            HostLog.StoreIsCopy(_logger, resources.Opened.Name, copy.Reason, start.Batch.GenerationMin ?? 0);
            state = resources.Load();
        }

        cancellationToken.ThrowIfCancellationRequested();

        ulong seed = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));
        CoreOptions core = _options.Core with
        {
            AlarmsMax = HostAlarms.Sum(_options.Gms, Math.Max(_options.Gms.ApplicationsMax, state.Applications.Count)),
        };
        CheckJoins(resources);
        var loop = new CoreLoop(core, seed);
        CoreRunner runner = _runner = new CoreRunner(loop, new CoreRunnerOptions { Name = "ripple host core", OnFailed = OnCoreFailed });
        runner.Start();
        _preparer = new PublishPreparer();
        _forms = new ShortFormMaker();
        var context = new HostContext(
            loop, resources.Store, resources.Signer, runner, SystemWallClock.Instance, _options.Gms with
            {
                Name = _options.EffectiveName,
            }, start.SlotEpoch)
        {
            Lease = _seat?.Lease ?? SoleHost.Instance,
        };
        HostCore host = _host = await runner.RunAsync(() =>
        {
            _ports = new HostUdpPorts(runner, _options, advertised);
            return new HostCore(
                context, state, _ports.ForCore(_options.Multicast), new RandomKeySource(), _preparer, _events.Events, _forms);
        }).ConfigureAwait(false);

        var tokens = new AccessTokenList(resources.Store);
        var policy = new AccessTokenPolicy(tokens, () => host.TokensVersion, SystemWallClock.Instance, _logger);
        X509Certificate2 certificate = resources.Trust.HostCertificate();
        LinkEndpoint endpoint = _endpoint = new LinkEndpoint(new LinkEndpointOptions
        {
            Authority = resources.Trust.Authority,
            HostCertificate = certificate,
            Requests = loop.Requests,
            Acceptor = host,
            Enrollment = policy,
            Admission = policy.AdmitAsync,
            AnswerHost = _seat is null ? null : AnswerHost,
            OnEnrolled = _nodeAudit.OnEnrolled,
            OnWrongToken = new WrongCredentials(_logger, "the enrolment", TimeProvider.System).Add,
            OnWrongCertificate = new WrongCredentials(_logger, "the control channel", TimeProvider.System).Add,
            Link = GmsServerOptions.MakeLink(),
            ConnectionsMax = _options.Gms.SessionsMax + LinkEndpointOptions.UnadmittedMaxDefault,
            HttpConnectionsMax = ApiLimits.ConnectionsMax,
        });
        _renewal = new SignerRenewal(
            resources.Signer, resources.Trust, der => runner.RunAsync(() => host.OnSigner(der)));
        _watch = new HostWatch(resources, endpoint, _renewal, _nodeAudit, certificate, _logger)
        {
            OnShare = _seat is null ? null : () => _share?.Begin(),
            Memory = _options.OwnsProcess ? new MemoryReturn(new RuntimeMemory()) : null,
        };
        var wrong = new WrongCredentials(_logger, "the admin API", TimeProvider.System);
        var api = new ApiContext
        {
            Gateway = new HostGateway(runner, host),
            Store = resources.Store,
            Tokens = tokens,
            Clock = SystemWallClock.Instance,
            ClusterId = resources.Trust.Authority.ClusterId,
            HostName = _options.EffectiveName,
            TokensPerApplicationMax = _options.Gms.TokensPerApplicationMax,
            AuthorityFingerprint = resources.Trust.Authority.Trust.Fingerprint,
            Endpoint = () => Endpoint,
            OnWrongCredential = wrong.Add,
            OnFault = (request, exception) => HostLog.RequestFailed(_logger, ShownText.Line(request), exception),
        };
        _metrics = new GmsMetrics(_options.EffectiveName, host, loop.Counters, endpoint.Counters, wrong, _ports!.All, resources.Opened);
        _health = _hostHealth = new HostHealth(
            runner, resources.Store, resources.Opened.Name, resources.Opened.Space, context.Lease, Completion)
        {
            Leaves = () => host.Counters.Leaves,
        };
        LinkListener listener = _listener = LinkListener.Make(endpoint, _options.ListenAddress, api);
        await EndStandbyAsync().ConfigureAwait(false);
        await ListenAsync(
            _options.ListenAddress,
            nameof(GmsServerOptions.ListenAddress),
            () => listener.StartAsync(cancellationToken)).ConfigureAwait(false);
        Endpoint = new HostEndpoint(_options.EffectiveAdvertiseAddress, listener.Port);
        if (_healthEndpoint is null)
        {
            await StartHealthAsync(cancellationToken).ConfigureAwait(false);
        }

        if (_seat is not null)
        {
            Lead(_seat);
        }
        else
        {
            resources.WriteConnections([Endpoint]);
        }

        _watching = Task.Run(() => _watch.RunAsync(_stopping.Token), CancellationToken.None);
        HostLog.Started(
            _logger,
            _options.EffectiveName,
            ClusterId.ToString(),
            Endpoint.ToString(),
            host.DataAddress.ToString(),
            host.ControlAddress.ToString(),
            host.Incarnation);
    }

    /// <summary>Throws if the largest region's members, the applications of an interest and the signer do not fit one answer.</summary>
    private void CheckJoins(HostResources resources)
    {
        int membersMax = JoinAnswer.MembersMax(resources.Signer.Certificate);
        if (_options.Gms.RegionMembersMax > membersMax)
        {
            throw new GmsServerException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"A region of at most {_options.Gms.RegionMembersMax} members is not possible, for a node is told of all of them in "
                        + $"one frame: give a number from 1 to {membersMax}."));
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

    private async Task StopAsync()
    {
        bool isStarted = Endpoint.Port != 0;
        if (isStarted)
        {
            HostLog.Stopping(_logger);
        }

        if (_hostHealth is not null)
        {
            _hostHealth.IsStopping = true;
        }

        await _stopping.CancelAsync().ConfigureAwait(false);
        using var steps = new StopSteps(_logger, StopTimeout);
        await steps.DoAsync("the watch", () => _watching).ConfigureAwait(false);
        if (_host is { } host)
        {
            // From here on the host closes every new link.
            await steps.DoAsync("the goodbye", () => OnCoreAsync(() => host.Stop("the host stops"))).ConfigureAwait(false);
            await steps.DoAsync("the links", FlushAsync).ConfigureAwait(false);
        }

        await steps.DisposeOfAsync("the standby's endpoint", _standby).ConfigureAwait(false);
        await steps.DisposeOfAsync("the control endpoint", _listener).ConfigureAwait(false);
        await steps.DoAsync("the core", () => Task.Run(CloseCoreAsync)).ConfigureAwait(false);
        await steps.DisposeOfAsync("the preparer", _preparer).ConfigureAwait(false);
        await steps.DisposeOfAsync("the short forms", _forms).ConfigureAwait(false);
        await steps.DoAsync("the audit", () => _watch?.WriteAuditAsync() ?? Task.CompletedTask).ConfigureAwait(false);
        await steps.DisposeOfAsync("the store", _resources).ConfigureAwait(false);
        await steps.DoAsync("the lease", () => Task.Run(() => _seat?.Dispose())).ConfigureAwait(false);
        await steps.DisposeOfAsync("the health endpoint", _healthEndpoint).ConfigureAwait(false);
        await steps.DisposeOfAsync("the events", _events).ConfigureAwait(false);
        _metrics?.Dispose();
        _watch?.Certificate.Dispose();
        if (isStarted)
        {
            HostLog.Stopped(_logger);
        }

        _completion.TrySetResult();
        // Marks a failure as observed; it was logged.
        _ = _completion.Task.Exception;
    }

    /// <summary>Waits until the links have ended, for at most half the stop timeout: the listener closes the rest.</summary>
    private async Task FlushAsync()
    {
        for (long end = Environment.TickCount64 + ((long)StopTimeout.TotalMilliseconds / 2); _endpoint is { ConnectionCount: > 0 }
            && Environment.TickCount64 < end;)
        {
            await Task.Delay(10).ConfigureAwait(false);
        }
    }

    /// <summary>Runs on the core; once the core's thread has ended, runs directly on this thread.</summary>
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
