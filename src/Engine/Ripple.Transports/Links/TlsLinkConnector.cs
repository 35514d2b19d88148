using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Trust;

namespace Ripple.Transports.Links;

/// <summary>
/// Opens control links over TCP and TLS. Pins the authority by its fingerprint; presents the node's certificate, and enrolls with its token
/// when it has no valid one; reports a link only after the host has admitted the node. The work runs in thread pool tasks.
/// </summary>
internal sealed class TlsLinkConnector : ILinkConnector, IAsyncDisposable
{
    private readonly RequestQueue _requests;
    private readonly LinkConnectorOptions _options;
    private readonly CancellationTokenSource _stopping = new();
    private readonly SemaphoreSlim _enrolling = new(1, 1);
    private readonly Lock _lock = new();
    private readonly HashSet<Task> _running = [];
    private readonly Dictionary<HostEndpoint, TimeSpan> _patience = [];
    private volatile NodeCertificate? _certificate;
    private volatile AuthorityTrust? _authority;
    private volatile string? _tokenId;

    /// <param name="requests">The core's request queue.</param>
    /// <param name="options">The node's identity, and the authority it trusts.</param>
    public TlsLinkConnector(RequestQueue requests, LinkConnectorOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(options.Authority.Length, 32, nameof(options));
        _requests = requests;
        _options = options;
        _certificate = options.Certificate is null ? null : new(options.Certificate);
        _tokenId = options.Certificate is null ? null : TokenIdNow();
    }

    /// <summary>The certificate currently presented, with its key; null while there is none. Any thread.</summary>
    public X509Certificate2? Certificate => _certificate?.Certificate;

    /// <summary>The pinned authority as presented by a host; null before the first connection. Any thread.</summary>
    public AuthorityTrust? Authority => _authority;

    /// <inheritdoc/>
    public ILinkConnectAttempt Connect(string endpoint, ILinkConnectResult result)
    {
        var attempt = new ConnectAttempt(result);
        var start = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task run = RunAsync(start.Task, endpoint, attempt);
        lock (_lock)
        {
            _running.Add(run);
        }

        run.ContinueWith(Forget, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        start.SetResult();
        return attempt;
    }

    /// <summary>
    /// Ends every link and connect of this connector and waits for it: at most the close timeout of a link. The core need not be running
    /// any more; a later connect fails.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        Task[] running;
        lock (_lock)
        {
            running = [.. _running];
        }

        await Task.WhenAll(running).ConfigureAwait(false);
    }

    private void Forget(Task run)
    {
        lock (_lock)
        {
            _running.Remove(run);
        }
    }

    private async Task RunAsync(Task start, string endpoint, ConnectAttempt attempt)
    {
        await start.ConfigureAwait(false);
        TlsClientConnection? connection = null;
        try
        {
            connection = await OpenAsync(endpoint, attempt.Cancelled).ConfigureAwait(false);
            var peer = new LinkPeer { Kind = LinkPeerKind.Host, Name = connection.Host.Name };
            var link = new StreamLink(connection.Stream, peer, _requests, _options.Link);
            if (await link.HandOverAsync(attempt.Succeed, _stopping.Token).ConfigureAwait(false))
            {
                await link.RunAsync(_stopping.Token).ConfigureAwait(false);
            }
        }
        catch (Exception e)
        {
            LinkConnectFailure failure = e is LinkConnectException known ? known.Failure : LinkConnectFailure.Unreachable;
            string text = e is LinkConnectException ? e.Message : $"{endpoint}: {e.Message}";
            string? leader = (e as LinkConnectException)?.Leader?.ToString();
            await RequestPosting.PostAsync(
                _requests, new ActionRequest(() => attempt.Fail(failure, text, leader)), _stopping.Token).ConfigureAwait(false);
        }
        finally
        {
            if (connection is not null)
            {
                await connection.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task<TlsClientConnection> OpenAsync(string text, CancellationToken cancelled)
    {
        if (!HostEndpoint.TryParse(text, out HostEndpoint endpoint, out string error))
        {
            throw new LinkConnectException(LinkConnectFailure.Unreachable, error);
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancelled, _stopping.Token);
        limit.CancelAfter(_options.ConnectTimeout);
        try
        {
            NodeCertificate shown = await GetCertificateAsync(endpoint, limit.Token).ConfigureAwait(false);
            try
            {
                return await OpenAdmittedAsync(endpoint, shown, limit.Token).ConfigureAwait(false);
            }
            catch (LinkConnectException e) when (_options.Token is not null && EndsWithNewCertificate(e.Code))
            {
                // The host is authenticated and does not accept this certificate (any more): enroll again with the token.
                Interlocked.CompareExchange(ref _certificate, null, shown);
                shown = await GetCertificateAsync(endpoint, limit.Token).ConfigureAwait(false);
                return await OpenAdmittedAsync(endpoint, shown, limit.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException e)
        {
            throw new LinkConnectException(
                LinkConnectFailure.Unreachable,
                string.Create(
                    CultureInfo.InvariantCulture, $"{endpoint} did not let this node in within {_options.ConnectTimeout.TotalSeconds} s."),
                inner: e);
        }
    }

    private async Task<TlsClientConnection> OpenTlsAsync(
        HostEndpoint endpoint, SslStreamCertificateContext? certificate, CancellationToken cancellationToken)
    {
        TimeSpan patience;
        lock (_lock)
        {
            patience = _patience.GetValueOrDefault(endpoint, _options.TlsTimeout);
        }

        try
        {
            TlsClientConnection connection = await TlsClientConnection.OpenAsync(
                endpoint, _options with { TlsTimeout = patience }, certificate, cancellationToken).ConfigureAwait(false);
            SetPatience(endpoint, null);
            return connection;
        }
        catch (LinkConnectException e) when (e.IsSilent)
        {
            SetPatience(endpoint, patience * 2 < _options.ConnectTimeout ? patience * 2 : _options.ConnectTimeout);
            throw;
        }
    }

    private void SetPatience(HostEndpoint endpoint, TimeSpan? patience)
    {
        lock (_lock)
        {
            if (patience is { } longer)
            {
                _patience[endpoint] = longer;
            }
            else
            {
                _patience.Remove(endpoint);
            }
        }
    }

    private async Task<NodeCertificate> GetCertificateAsync(HostEndpoint endpoint, CancellationToken cancellationToken)
    {
        NodeCertificate? present = _certificate;
        if (present is not null && present.IsGood(_options.Time.GetUtcNow()))
        {
            return present;
        }

        // One enrollment at a time, however many hosts are tried: each creates a new node.
        await _enrolling.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            present = _certificate;
            if (present is not null && present.IsGood(_options.Time.GetUtcNow()))
            {
                return present;
            }

            AccessTokenSecret token = ReadToken();
            _tokenId = token.Id;
            await using TlsClientConnection connection = await OpenTlsAsync(endpoint, null, cancellationToken).ConfigureAwait(false);
            return Keep(await Enrollment.EnrollAsync(connection, endpoint, _options, token, cancellationToken).ConfigureAwait(false));
        }
        finally
        {
            _enrolling.Release();
        }
    }

    // A certificate is as good as the token it came with. Who has been given another token since, by a file that was rotated, tries that
    // one once; with the same token a node whose certificate was revoked stays out.
    private bool EndsWithNewCertificate(LinkRefusalCode code) => code switch
    {
        LinkRefusalCode.CertificateExpired or LinkRefusalCode.CertificateUnknown => true,
        LinkRefusalCode.NotAdmitted => _tokenId is { } used && TokenIdNow() is { } now && now != used,
        _ => false,
    };

    private string? TokenIdNow()
    {
        try
        {
            return _options.Token?.Invoke()?.Id;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            // As long as it cannot be read, nothing says that it is another.
            return null;
        }
    }

    private AccessTokenSecret ReadToken()
    {
        try
        {
            return _options.Token?.Invoke()
                ?? throw new LinkConnectException(
                    LinkConnectFailure.Refused,
                    "This node has no valid certificate and no token to get one. Give its connection string a token.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            throw new LinkConnectException(LinkConnectFailure.Refused, $"The token cannot be read: {e.Message}", inner: e);
        }
    }

    private async Task<TlsClientConnection> OpenAdmittedAsync(
        HostEndpoint endpoint, NodeCertificate shown, CancellationToken cancellationToken)
    {
        TlsClientConnection connection = await OpenTlsAsync(endpoint, shown.Context, cancellationToken).ConfigureAwait(false);
        _authority = connection.Trust;
        try
        {
            // With TLS 1.3 the handshake completes here before the host has judged our certificate: only its first frame confirms the
            // admission.
            (ushort type, byte[] body) = await LinkFrames.ReadAsync(connection.Stream, cancellationToken).ConfigureAwait(false);
            if (type == LinkFrameType.Goodbye && LinkRefusal.TryRead(body, out LinkRefusal refusal))
            {
                throw LinkConnectException.From(endpoint, "this node", refusal);
            }

            if (type != LinkFrameType.Admitted)
            {
                throw new LinkConnectException(
                    LinkConnectFailure.Untrusted, $"{endpoint} began with a frame of type {type} instead of an admission.");
            }

            if (body.Length > 0 && Enrollment.Renew(shown.Certificate, body, connection.Trust, _options.Time.GetUtcNow()) is { } renewed)
            {
                Keep(renewed);
            }

            return connection;
        }
        catch (Exception e)
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw e is IOException or InvalidDataException
                ? new LinkConnectException(
                    LinkConnectFailure.Unreachable, $"{endpoint} closed the connection before it let this node in: {e.Message}", inner: e)
                : e;
        }
    }

    private NodeCertificate Keep(X509Certificate2 certificate)
    {
        var kept = new NodeCertificate(certificate);
        _certificate = kept;
        _options.OnCertificate?.Invoke(certificate);
        return kept;
    }
}

/// <summary>One connect under way. Its outcome is reported on the core thread, at most once.</summary>
[SuppressMessage("Design", "CA1001", Justification = "The source has no timer and no wait handle, and Cancel may come at any time.")]
internal sealed class ConnectAttempt(ILinkConnectResult result) : ILinkConnectAttempt
{
    private readonly CancellationTokenSource _cancelled = new();
    private bool _isOver;

    public CancellationToken Cancelled => _cancelled.Token;

    /// <summary>Core thread. The cancellation runs on the thread pool, because it runs the continuations that wait for it.</summary>
    public void Cancel()
    {
        if (!_isOver)
        {
            _isOver = true;
            ThreadPool.UnsafeQueueUserWorkItem(static source => source.Cancel(), _cancelled, preferLocal: false);
        }
    }

    /// <summary>Core thread.</summary>
    public void Succeed(ILink link)
    {
        if (_isOver)
        {
            link.Close("The connect was cancelled.");
            return;
        }

        _isOver = true;
        result.OnConnected(link);
    }

    /// <summary>Core thread.</summary>
    public void Fail(LinkConnectFailure failure, string text, string? leader)
    {
        if (!_isOver)
        {
            _isOver = true;
            result.OnConnectFailed(failure, text, leader);
        }
    }
}

/// <summary>A failed connect whose cause is already classified.</summary>
internal sealed class LinkConnectException(
    LinkConnectFailure failure, string message, LinkRefusalCode code = LinkRefusalCode.Closed, Exception? inner = null)
    : Exception(message, inner)
{
    public LinkConnectFailure Failure { get; } = failure;

    /// <summary>The host's code, if it sent one; otherwise <see cref="LinkRefusalCode.Closed"/>.</summary>
    public LinkRefusalCode Code { get; } = code;

    /// <summary>Whether what took the connection said nothing in time.</summary>
    public bool IsSilent { get; init; }

    /// <summary>Where the host says that the leader of its cluster is; null if it does not.</summary>
    public HostEndpoint? Leader { get; private init; }

    /// <summary>Translates a host's refusal into a failure for the connecting side.</summary>
    public static LinkConnectException From(HostEndpoint endpoint, string what, LinkRefusal refusal) => new(
        refusal.Code is LinkRefusalCode.NotAdmitted
            or LinkRefusalCode.CertificateExpired
            or LinkRefusalCode.CertificateUnknown
            or LinkRefusalCode.Malformed
            ? LinkConnectFailure.Refused
            : LinkConnectFailure.Busy,
        $"{endpoint} refused {what}: {refusal.Text}",
        refusal.Code)
    {
        Leader = refusal.Leader,
    };
}

/// <summary>The certificate that a connector presents, prepared for TLS once. Immutable.</summary>
internal sealed class NodeCertificate(X509Certificate2 certificate)
{
    public X509Certificate2 Certificate { get; } = certificate;

    public SslStreamCertificateContext Context { get; } = SslStreamCertificateContext.Create(certificate, null, offline: true);

    /// <summary>True while it has not expired.</summary>
    public bool IsGood(DateTimeOffset now) => now < Certificate.NotAfter;
}
