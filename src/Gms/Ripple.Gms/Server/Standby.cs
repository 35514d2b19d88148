using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Gms.Api;
using Ripple.Gms.Endpoint;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// What a host does while another leads: it makes what a takeover needs, says where it is, and answers at its endpoint, to nodes, hosts and
/// HTTP alike, who leads and where. It listens as soon as it has the cluster's trust, unless its port is chosen anew at each start. Any
/// thread, but for <see cref="OnHolderAsync"/> and the members behind it: one at a time.
/// </summary>
internal sealed class Standby : IAsyncDisposable
{
    // The database is asked several times a second: what it said longer ago is not told any more.
    private const long FreshMs = 2_000;

    private static readonly TimeSpan TellPeriod = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan TellPatience = TimeSpan.FromMilliseconds(100);

    private readonly GmsServerOptions _options;
    private readonly GmsDirectory _directory;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _ended = new();
    private readonly HostEndpoint? _own;
    private readonly StandbyAnswers _answers;
    private volatile bool _isTaken;
    private volatile LeaseHolder? _holder;
    private volatile HostTrust? _trust;
    private volatile LinkEndpoint? _endpoint;
    private X509Certificate2? _certificate;
    private LinkListener? _listener;
    private Task _telling = Task.CompletedTask;
    private long _heardMs;

    /// <param name="options">The host's options.</param>
    /// <param name="directory">Its data directory.</param>
    /// <param name="logger">The log.</param>
    public Standby(GmsServerOptions options, GmsDirectory directory, ILogger logger)
    {
        _options = options;
        _directory = directory;
        _logger = logger;
        _own = options.ListenAddress.Port == 0
            ? null
            : new HostEndpoint(options.EffectiveAdvertiseAddress, options.ListenAddress.Port);
        _answers = new StandbyAnswers(() => Leading, StandbyAnswers.TakesConnectionsAsync, TimeProvider.System);
    }

    /// <summary>Where this host is; null if its port is not known before it leads.</summary>
    public HostEndpoint? Own => _own;

    /// <summary>Who had the lease when the database was last heard; null before, and once this host has it.</summary>
    public LeaseHolder? Holder => _holder;

    /// <summary>Who leads, as the database said a moment ago; null if it did not, or names no other host.</summary>
    public LeadingHost? Leading =>
        _holder is { } holder
        && Environment.TickCount64 - Volatile.Read(ref _heardMs) <= FreshMs
        && HostEndpoint.TryParse(holder.Endpoint, out HostEndpoint endpoint, out _)
        && endpoint != _own
            ? new LeadingHost(ShownText.Line(holder.Name), endpoint)
            : null;

    /// <summary>The database says that another host has the lease.</summary>
    /// <param name="holder">That host.</param>
    /// <param name="database">The database, for people.</param>
    /// <param name="store">What the hosts share.</param>
    /// <param name="cancellationToken">Cancels a start of the listener.</param>
    /// <exception cref="GmsServerException">The cluster key is missing or another, or a file or the address cannot be used.</exception>
    public async Task OnHolderAsync(
        LeaseHolder holder, string database, ClusterTrustStore store, CancellationToken cancellationToken)
    {
        bool isAnother = _holder != holder && holder.Endpoint.Length > 0;
        Volatile.Write(ref _heardMs, Environment.TickCount64);
        _holder = holder;
        if (isAnother)
        {
            HostLog.StandingBy(_logger, ShownText.Line(holder.Name), ShownText.Line(holder.Endpoint), database);
        }

        if (_own is { } own && _telling.IsCompleted)
        {
            _telling = Task.Run(() => TellAsync(store, own, _ended.Token), CancellationToken.None);
        }

        _trust ??= Prepare(store);
        if (_trust is { } trust && _own is not null && _listener is null)
        {
            await ListenAsync(trust, cancellationToken).ConfigureAwait(false);
        }

        if (isAnother)
        {
            _options.OnStandingBy();
        }
    }

    /// <summary>This host has the lease: until it listens as the leader, it does not say who leads.</summary>
    public void OnTaken()
    {
        _isTaken = true;
        _holder = null;
    }

    /// <summary>Stops listening and telling: the address is free for the leader's endpoint.</summary>
    public async ValueTask DisposeAsync()
    {
        _answers.End(_isTaken ? _own : null);
        await _ended.CancelAsync().ConfigureAwait(false);
        // It may wait for a database that was away a moment ago, and has nothing to say any more.
        await Task.WhenAny(_telling, Task.Delay(TellPatience)).ConfigureAwait(false);
        if (_listener is not null)
        {
            await _listener.DisposeAsync().ConfigureAwait(false);
            _listener = null;
        }

        _certificate?.Dispose();
        _trust?.Dispose();
        _ended.Dispose();
    }

    private async Task ListenAsync(HostTrust trust, CancellationToken cancellationToken)
    {
        _certificate = trust.HostCertificate();
        var endpoint = new LinkEndpoint(new LinkEndpointOptions
        {
            Authority = trust.Authority,
            HostCertificate = _certificate,
            Requests = new RequestQueue(1),
            Acceptor = Nobody.Instance,
            Enrollment = Nobody.Instance,
            StandsBy = Answer,
            StandsByNodes = _answers.AnswerAsync,
            HttpConnectionsMax = ApiLimits.ConnectionsMax,
        });
        await GmsServer.ListenAsync(
            _options.ListenAddress,
            nameof(GmsServerOptions.ListenAddress),
            async () => _listener = await LinkListener.StartAsync(
                endpoint,
                _options.ListenAddress,
                context => StandbyApi.AnswerAsync(context, Leading),
                cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
        _endpoint = endpoint;
    }

    private LinkRefusal Answer() => Leading is { } leading
        ? new LinkRefusal(LinkRefusalCode.NotLeader, leading.ToString(), leading.Endpoint)
        : new LinkRefusal(LinkRefusalCode.Busy, LeadingHost.NotKnown);

    /// <summary>
    /// What a takeover needs of trust, made before it: a missing or wrong cluster key is said now, and not when the leader is gone. Null
    /// while there is no cluster in the database, or it cannot be asked.
    /// </summary>
    private HostTrust? Prepare(ClusterTrustStore store)
    {
        HostTrust? trust = null;
        try
        {
            if (store.ReadCluster() is { } cluster)
            {
                trust = HostTrust.Open(_directory, _options, cluster, new SharedTrust(_directory, store), _logger);
                trust.HostCertificate().Dispose();
                trust.SignerCertificate().Dispose();
            }

            return trust;
        }
        catch (StoreException)
        {
            // It is tried again, at the latest by the takeover.
            trust?.Dispose();
            return null;
        }
        catch
        {
            trust?.Dispose();
            throw;
        }
    }

    /// <summary>A standby says now and then where it is, so that connection strings name it, and renews what it shows.</summary>
    private async Task TellAsync(ClusterTrustStore store, HostEndpoint own, CancellationToken cancellationToken)
    {
        try
        {
            using var timer = new PeriodicTimer(TellPeriod);
            do
            {
                try
                {
                    store.ShareEndpoint(_options.EffectiveName, own.ToString());
                    cancellationToken.ThrowIfCancellationRequested();
                    Renew();
                }
                catch (Exception e) when (e is StoreException or GmsServerException)
                {
                    // It is done again; that the database is away is said by who asks for the lease.
                }
            }
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false));
        }
        catch (OperationCanceledException)
        {
            // This host leads now, or stops.
        }
    }

    private void Renew()
    {
        if (_trust is { } trust && _endpoint is { } endpoint && trust.Authority.IsDue(_certificate!))
        {
            // The old certificate is not disposed of: existing connections still use it.
            _certificate = trust.HostCertificate();
            endpoint.UseCertificate(_certificate);
        }
    }

    /// <summary>A standby enrolls nobody and takes no link.</summary>
    private sealed class Nobody : ILinkAcceptor, IEnrollmentPolicy
    {
        public static Nobody Instance { get; } = new();

        public void OnLink(ILink link) => link.Close(LeadingHost.NotKnown);

        public EnrollDecision Decide(string tokenText, string application, string name) => EnrollDecision.Refuse(LeadingHost.NotKnown);
    }
}
