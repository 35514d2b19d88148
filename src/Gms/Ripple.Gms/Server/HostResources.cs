using System.Globalization;
using Microsoft.Extensions.Logging;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// The resources beneath a host: directory, store, trust, application and tokens. Opened before the core, closed after it.
/// </summary>
internal sealed class HostResources : IAsyncDisposable
{
    private const string Actor = "host";
    private const string DefaultApplication = "default";
    private readonly GmsServerOptions _options;
    private readonly ILogger _logger;
    private readonly List<(string Path, AccessTokenSecret Token)> _connections = [];
    private string _application = DefaultApplication;

    private HostResources(GmsServerOptions options, OpenedHostStore store, HostTrust trust, QueuedReleaseSigner signer, ILogger logger)
    {
        _options = options;
        _logger = logger;
        Opened = store;
        Trust = trust;
        Signer = signer;
        Directory = new GmsDirectory(Path.GetFullPath(options.DataDirectory));
    }

    public GmsDirectory Directory { get; }

    public IHostStore Store => Opened.Store;

    /// <summary>The store with what is told of it.</summary>
    public OpenedHostStore Opened { get; }

    public HostTrust Trust { get; }

    public QueuedReleaseSigner Signer { get; }

    /// <summary>
    /// Opens everything and creates missing parts. Blocks on files: call neither on the core nor on another thread that must not block.
    /// </summary>
    /// <param name="options">The host's options.</param>
    /// <param name="seat">Its place among the hosts of a cluster in a database; null for a store in a file.</param>
    /// <param name="onSignerFailed">Called when nothing can be signed any more.</param>
    /// <param name="logger">The log.</param>
    /// <exception cref="StoreException">The store cannot be used, or another host is using it.</exception>
    /// <exception cref="GmsServerException">A file cannot be used.</exception>
    public static async Task<HostResources> OpenAsync(
        GmsServerOptions options, ClusterSeat? seat, Action<Exception> onSignerFailed, ILogger logger)
    {
        var directory = new GmsDirectory(Path.GetFullPath(options.DataDirectory));
        Warn(directory, logger);
        // The store is opened first: its lock keeps a second host from touching anything else.
        OpenedHostStore opened = OpenedHostStore.Open(options, directory, seat?.Lease, logger);
        IHostStore store = opened.Store;
        HostTrust? trust = null;
        QueuedReleaseSigner? releaseSigner = null;
        try
        {
            HostState state = store.Load();
            trust = HostTrust.Open(directory, options, state.ClusterId, seat?.Trust, logger);
            if (state.ClusterId is null)
            {
                await store.CommitAsync(new CommitBatch { ClusterId = trust.ClusterGuid }).ConfigureAwait(false);
            }

            var signer = new ReleaseSigner(trust.SignerCertificate());
            releaseSigner = new QueuedReleaseSigner(signer, trust.Authority.Trust, trust.SignerCertificates(), onSignerFailed);
            CheckSignatures(state, releaseSigner, opened.Name);
            var resources = new HostResources(options, opened, trust, releaseSigner, logger);
            await resources.ProvideAsync(state).ConfigureAwait(false);
            return resources;
        }
        catch
        {
            if (releaseSigner is not null)
            {
                await releaseSigner.DisposeAsync().ConfigureAwait(false);
            }

            trust?.Dispose();
            store.Dispose();
            throw;
        }
    }

    /// <summary>Loads the state that the core starts from.</summary>
    public HostState Load() => Store.Load();

    /// <summary>Writes the connection strings that are missing or out of date.</summary>
    /// <param name="endpoints">The endpoints of the cluster's hosts, this one's first.</param>
    public void WriteConnections(IReadOnlyList<HostEndpoint> endpoints)
    {
        foreach ((string path, AccessTokenSecret token) in _connections)
        {
            ConnectionString? present = ConnectionFile.TryRead(path);
            bool isCurrent = present is not null
                && present.Endpoints.SequenceEqual(endpoints)
                && present.Authority.Span.SequenceEqual(Trust.Authority.Trust.Fingerprint.Span)
                && present.Application == _application
                && present.Token?.Reveal() == token.Reveal();
            if (isCurrent)
            {
                continue;
            }

            try
            {
                ConnectionFile.Make(endpoints, Trust.Authority.Trust.Fingerprint, token, _application).Write(path);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw new GmsServerException(
                    $"The connection string '{path}' cannot be written ({e.Message}). Check the rights and the space of the directory.", e);
            }

            HostLog.ConnectionWritten(_logger, token.Id, path);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Signer.DisposeAsync().ConfigureAwait(false);
        Store.Dispose();
        Trust.Dispose();
    }

    /// <summary>
    /// The newest signature of each application covers its whole chain. One that is wrong was not made by this cluster for this release: a
    /// host on such a store would show, and sign on top of, what nobody released. A signer whose certificate is not here is no such sign.
    /// </summary>
    private static void CheckSignatures(HostState state, QueuedReleaseSigner signer, string storeName)
    {
        foreach (StoredApplication application in state.Applications)
        {
            if (application.Newest is { } newest
                && (ReleaseSignature.TryRead(application.NewestSignature.Span) is not { } signature
                    || signer.Judge(signature, newest.Id) == SignatureStatus.Wrong))
            {
                throw new GmsServerException(string.Create(
                    CultureInfo.InvariantCulture,
                    $"Release {newest.Release} of '{application.Name}' in '{storeName}' has a signature that is not its own: "
                        + $"the store was changed by something else than a host. Restore a backup."));
            }
        }
    }

    private static void Warn(GmsDirectory directory, ILogger logger)
    {
        const UnixFileMode Others = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;
        if (!OperatingSystem.IsWindows()
            && System.IO.Directory.Exists(directory.Path)
            && (File.GetUnixFileMode(directory.Path) & Others) != 0)
        {
            HostLog.DirectoryOpen(logger, directory.Path);
        }
    }

    // A later start that says no application keeps the one there is: deployments read client.connection.
    private string Choose(HostState state)
    {
        if (_options.Application is { } said)
        {
            return said;
        }

        string? written = ConnectionFile.TryRead(Directory.ClientConnection)?.Application;
        string[] known = [.. state.Applications.OrderBy(a => a.Topic).Select(a => a.Name)];
        return written is not null && known.Contains(written) ? written
            : known.Length == 0 || known.Contains(DefaultApplication) ? DefaultApplication
            : known[0];
    }

    private async Task ProvideAsync(HostState state)
    {
        long nowMicros = SystemWallClock.Instance.UnixMicros;
        var applications = new List<NewApplication>();
        var audit = new List<AuditEntry>();
        var tokens = new List<AccessTokenChange>();
        _application = Choose(state);
        if (!state.Applications.Any(a => a.Name == _application))
        {
            uint topic = ApplicationCreation.NextTopic(state.Applications.Select(a => a.Topic));
            applications.Add(ApplicationCreation.Application(topic, _application, state.GenerationMin));
            audit.Add(ApplicationCreation.Audit(_application, Actor, nowMicros, "the default application"));
        }

        Provide(Directory.ClientConnection, AccessRole.Node, _application);
        Provide(Directory.AdminConnection, AccessRole.Admin, "*");
        if (applications.Count + tokens.Count > 0)
        {
            await Store.CommitAsync(new CommitBatch { Applications = applications, Audit = audit, Tokens = tokens }).ConfigureAwait(false);
        }

        if (applications.Count > 0)
        {
            HostLog.ApplicationMade(_logger, _application);
        }

        // The secret exists only in the file: if the file is gone, or its token is no longer good, a new token is created.
        void Provide(string path, AccessRole role, string application)
        {
            AccessTokenSecret? secret = ConnectionFile.TryRead(path)?.Token;
            AccessToken? stored = secret is null ? null : state.Tokens.FirstOrDefault(t => t.Id == secret.Id);
            bool isGood = stored is not null
                && secret!.Matches(stored.SecretHash.Span)
                && stored.RevokedUnixMicros is null
                && (stored.ExpiresUnixMicros is null || stored.ExpiresUnixMicros > nowMicros)
                && stored.Grants.Any(g => g.Application == application && g.Role == role);
            if (!isGood)
            {
                secret = AccessTokenSecret.New();
                tokens.Add(
                    AccessTokenChange.Create(
                        new AccessToken(secret.Id, secret.Hash, [new AccessTokenGrant(application, role)], nowMicros, null, null), Actor));
            }

            _connections.Add((path, secret!));
        }
    }
}
