using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Polly;
using Polly.Retry;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Admin.Http;

/// <summary>Requests over the hosts of a connection string: pinned to its authority, with its token, asked again where that does no harm. Any thread.</summary>
internal sealed class AdminHttp : IDisposable
{
    private static readonly ResiliencePropertyKey<bool> MayRepeat = new("repeat");

    private readonly ConnectionString _connection;
    private readonly RippleAdminOptions _options;
    private readonly HttpClient _http;
    private readonly ResiliencePipeline<HttpResponseMessage> _pipeline;
    private volatile string? _untrusted;
    private int _endpoint;

    /// <param name="connection">The hosts, their authority and the token.</param>
    /// <param name="options">How it behaves.</param>
    /// <param name="handler">What carries the requests instead of sockets, in tests; null for sockets.</param>
    public AdminHttp(ConnectionString connection, RippleAdminOptions options, HttpMessageHandler? handler = null)
    {
        _connection = connection;
        _options = options;
        handler ??= new SocketsHttpHandler
        {
            ConnectTimeout = options.ConnectTimeout,
            AllowAutoRedirect = false,
            AutomaticDecompression = DecompressionMethods.All,
            UseCookies = false,
            UseProxy = false,
            SslOptions = MakeTls(),
        };
        _http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        _http.DefaultRequestHeaders.UserAgent.Add(new ProductInfoHeaderValue(options.UserAgent, typeof(AdminHttp).Assembly.GetName().Version?.ToString(3)));
        var retry = new RetryStrategyOptions<HttpResponseMessage>
        {
            MaxRetryAttempts = Math.Max(1, options.RetryCount),
            BackoffType = DelayBackoffType.Exponential,
            UseJitter = true,
            Delay = TimeSpan.FromMilliseconds(200),
            MaxDelay = TimeSpan.FromSeconds(5),
            ShouldHandle = args => ValueTask.FromResult(ShouldRetry(args)),
            OnRetry = _ =>
            {
                // Another host may be better off.
                Interlocked.Increment(ref _endpoint);
                return default;
            },
        };
        _pipeline = new ResiliencePipelineBuilder<HttpResponseMessage>().AddRetry(retry).Build();
    }

    public void Dispose() => _http.Dispose();

    public async Task<T> SendAsync<T>(HttpCall call, JsonTypeInfo<T> type, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await OpenAsync(call, HttpCompletionOption.ResponseContentRead, cancellationToken).ConfigureAwait(false);
        try
        {
            return await response.Content.ReadFromJsonAsync(type, cancellationToken).ConfigureAwait(false)
                ?? throw new RippleAdminException(AdminFailure.Internal, $"{Endpoint} answered {call.Path} with nothing.");
        }
        catch (JsonException e)
        {
            throw new RippleAdminException(AdminFailure.Internal, $"{Endpoint} answered {call.Path} with something else than expected ({e.Message}). Its version may be a later one: update this program.", e);
        }
    }

    public async Task SendAsync(HttpCall call, CancellationToken cancellationToken) =>
        (await OpenAsync(call, HttpCompletionOption.ResponseContentRead, cancellationToken).ConfigureAwait(false)).Dispose();

    /// <summary>Sends, and returns a response of success; it is the caller's to dispose of.</summary>
    /// <exception cref="RippleAdminException">It failed.</exception>
    public async Task<HttpResponseMessage> OpenAsync(HttpCall call, HttpCompletionOption completion, CancellationToken cancellationToken)
    {
        TokenSecret token = ReadToken();
        ResilienceContext context = ResilienceContextPool.Shared.Get(cancellationToken);
        context.Properties.Set(MayRepeat, call.MayRepeat);
        HttpResponseMessage response;
        try
        {
            response = await _pipeline.ExecuteAsync(c => TryAsync(call, token, completion, c.CancellationToken), context).ConfigureAwait(false);
        }
        catch (HttpRequestException e)
        {
            throw Unreachable(e);
        }
        catch (TimeoutException e)
        {
            throw Unreachable(e);
        }
        finally
        {
            ResilienceContextPool.Shared.Return(context);
        }

        if (response.IsSuccessStatusCode)
        {
            return response;
        }

        using (response)
        {
            throw new RippleAdminException(await ReadProblemAsync(response, cancellationToken).ConfigureAwait(false));
        }
    }

    private HostEndpoint Endpoint => _connection.Endpoints[(int)((uint)Volatile.Read(ref _endpoint) % (uint)_connection.Endpoints.Count)];

    private static bool ShouldRetry(RetryPredicateArguments<HttpResponseMessage> args)
    {
        args.Context.Properties.TryGetValue(MayRepeat, out bool mayRepeat);
        return args.Outcome switch
        {
            // It never left, so that it does no harm again.
            { Exception: HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError } } => true,
            { Exception: HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError } } => true,
            { Exception: HttpRequestException } => mayRepeat,
            { Result.StatusCode: HttpStatusCode.ServiceUnavailable } => mayRepeat,
            _ => false,
        };
    }

    private static async Task<Problem> ReadProblemAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        int status = (int)response.StatusCode;
        try
        {
            if (response.Content.Headers.ContentType?.MediaType is "application/problem+json" or "application/json"
                && await response.Content.ReadFromJsonAsync(AdminJson.Default.Problem, cancellationToken).ConfigureAwait(false) is { } problem)
            {
                return problem with { Status = status };
            }
        }
        catch (JsonException)
        {
            // Said below.
        }

        return new Problem
        {
            Code = status switch
            {
                401 => ProblemCodes.Unauthenticated,
                403 => ProblemCodes.NotAllowed,
                404 => ProblemCodes.NotFound,
                413 => ProblemCodes.TooLarge,
                503 => ProblemCodes.Busy,
                >= 400 and < 500 => ProblemCodes.InvalidRequest,
                _ => ProblemCodes.Internal,
            },
            Title = response.ReasonPhrase ?? "The request failed",
            Detail = $"The host answered {status} without saying why. Check that the endpoint is a host of this cluster and not something before it.",
            Status = status,
        };
    }

    private TokenSecret ReadToken()
    {
        try
        {
            return _connection.ReadToken();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            throw new RippleAdminException(AdminFailure.Unauthorised, $"The token cannot be read: {e.Message}", e);
        }
    }

    private async ValueTask<HttpResponseMessage> TryAsync(HttpCall call, TokenSecret token, HttpCompletionOption completion, CancellationToken cancellationToken)
    {
        HostEndpoint endpoint = Endpoint;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        // How long a wait or a transfer takes is the caller's to say.
        limit.CancelAfter(call.IsLong ? Timeout.InfiniteTimeSpan : _options.RequestTimeout);

        using var request = new HttpRequestMessage(call.Method, new Uri($"https://{Authority(endpoint)}{call.Path}"))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionOrLower,
        };
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token.Reveal());
        call.Prepare?.Invoke(request);
        request.Content = call.Content?.Invoke();
        try
        {
            return await _http.SendAsync(request, completion, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException($"{endpoint} did not answer within {_options.RequestTimeout.TotalSeconds} s.", e);
        }
    }

    private static string Authority(HostEndpoint endpoint) =>
        endpoint.Host.Contains(':', StringComparison.Ordinal) ? $"[{endpoint.Host.Trim('[', ']')}]:{endpoint.Port}" : $"{endpoint.Host}:{endpoint.Port}";

    private RippleAdminException Unreachable(Exception e)
    {
        string hosts = string.Join(", ", _connection.Endpoints);
        string why = _untrusted is { } untrusted
            ? $"No host of {hosts} can be trusted: {untrusted}."
            : $"No host of {hosts} can be reached: {e.InnerException?.Message ?? e.Message} Check that a host runs there and that its port is open for TCP.";
        return new RippleAdminException(AdminFailure.Unreachable, why, e);
    }

    private SslClientAuthenticationOptions MakeTls() => new()
    {
        // Not 1.3 alone: the macOS stack has no client side of it.
        EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
        CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
        CertificateChainPolicy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        },
        RemoteCertificateValidationCallback = (_, shown, _, _) =>
        {
            var judge = new HostJudge(_connection.Authority, TimeProvider.System);
            bool isTrusted = judge.IsTrusted(shown);
            _untrusted = judge.Error;
            return isTrusted;
        },
    };
}
