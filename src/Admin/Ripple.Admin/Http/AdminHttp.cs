using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Polly;
using Polly.Retry;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Admin.Http;

/// <summary>
/// Sends requests to the hosts of a connection string: pinned to its authority, authenticated by its token, and retried where that is safe.
/// A host that does not lead sends them on to the one that does, under the same pin: the token goes to nobody whose certificate the
/// authority did not issue. Thread-safe.
/// </summary>
internal sealed class AdminHttp : IDisposable
{
    // Hosts that name each other do not agree who leads: the request is tried again later.
    private const int HopsMax = 3;

    private static readonly ResiliencePropertyKey<bool> MayRepeat = new("repeat");

    private readonly ConnectionString _connection;
    private readonly RippleAdminOptions _options;
    private readonly HttpClient _http;
    private readonly ResiliencePipeline<HttpResponseMessage> _pipeline;
    private readonly HostTurns _hosts;

    /// <param name="connection">The hosts, their authority and the token.</param>
    /// <param name="options">The client's options.</param>
    /// <param name="handler">Carries the requests instead of sockets, in tests; null for sockets.</param>
    public AdminHttp(ConnectionString connection, RippleAdminOptions options, HttpMessageHandler? handler = null)
    {
        _connection = connection;
        _options = options;
        _hosts = new HostTurns(connection.Endpoints);
        _http = new HttpClient(handler ?? AdminSockets.Make(connection.Authority, options.ConnectTimeout))
        {
            Timeout = Timeout.InfiniteTimeSpan,
        };
        _http.DefaultRequestHeaders.UserAgent.Add(
            new ProductInfoHeaderValue(options.UserAgent, typeof(AdminHttp).Assembly.GetName().Version?.ToString(3)));
        _pipeline = options.RetryCount > 0 ? MakeRetry(options.RetryCount) : ResiliencePipeline<HttpResponseMessage>.Empty;
    }

    public void Dispose() => _http.Dispose();

    public async Task<T> SendAsync<T>(HttpCall call, JsonTypeInfo<T> type, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await OpenAsync(
            call, HttpCompletionOption.ResponseContentRead, cancellationToken).ConfigureAwait(false);
        try
        {
            return await response.Content.ReadFromJsonAsync(type, cancellationToken).ConfigureAwait(false)
                ?? throw new RippleAdminException(AdminFailure.Internal, $"{Endpoint} answered {call.Path} with nothing.");
        }
        catch (JsonException e)
        {
            throw new RippleAdminException(
                AdminFailure.Internal,
                $"{Endpoint} answered {call.Path} with something else than expected ({e.Message}). "
                    + $"Its version may be a later one: update this program.",
                e);
        }
    }

    public async Task SendAsync(HttpCall call, CancellationToken cancellationToken) =>
        (await OpenAsync(call, HttpCompletionOption.ResponseContentRead, cancellationToken).ConfigureAwait(false)).Dispose();

    /// <summary>Sends the request and returns a successful response, which the caller disposes.</summary>
    /// <exception cref="RippleAdminException">The call failed.</exception>
    public async Task<HttpResponseMessage> OpenAsync(HttpCall call, HttpCompletionOption completion, CancellationToken cancellationToken)
    {
        AccessTokenSecret token = ReadToken();
        ResilienceContext context = ResilienceContextPool.Shared.Get(cancellationToken);
        context.Properties.Set(MayRepeat, call.MayRepeat);
        HttpResponseMessage response;
        try
        {
            response = await _pipeline.ExecuteAsync(
                c => TryAsync(call, token, completion, c.CancellationToken), context).ConfigureAwait(false);
        }
        catch (Exception e) when (e is HttpRequestException or HostSilentException)
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
            throw new RippleAdminException(await ProblemReader.ReadAsync(response, cancellationToken).ConfigureAwait(false));
        }
    }

    private HostEndpoint Endpoint => _hosts.EndpointOf(_hosts.Current);

    private static ResiliencePipeline<HttpResponseMessage> MakeRetry(int retryCount) => new ResiliencePipelineBuilder<HttpResponseMessage>()
        .AddRetry(new RetryStrategyOptions<HttpResponseMessage>
        {
            MaxRetryAttempts = retryCount,
            BackoffType = DelayBackoffType.Exponential,
            UseJitter = true,
            Delay = TimeSpan.FromMilliseconds(200),
            MaxDelay = TimeSpan.FromSeconds(5),
            ShouldHandle = args => ValueTask.FromResult(ShouldRetry(args)),
        })
        .Build();

    private static bool ShouldRetry(RetryPredicateArguments<HttpResponseMessage> args)
    {
        args.Context.Properties.TryGetValue(MayRepeat, out bool mayRepeat);
        return args.Outcome switch
        {
            // The request was never sent, so sending it again is safe.
            {
                Exception: HttpRequestException
                {
                    HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError
                }
            } => true,
            { Exception: HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError } } => true,
            { Exception: HostSilentException { WasSent: false } } => true,
            { Exception: HttpRequestException or HostSilentException } => mayRepeat,
            { Result.StatusCode: HttpStatusCode.ServiceUnavailable } => mayRepeat,
            // Nothing was done, and hosts agree soon who leads.
            { Result.StatusCode: HttpStatusCode.TemporaryRedirect } => true,
            _ => false,
        };
    }

    private AccessTokenSecret ReadToken()
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

    private async ValueTask<HttpResponseMessage> TryAsync(
        HttpCall call, AccessTokenSecret token, HttpCompletionOption completion, CancellationToken cancellationToken)
    {
        HostTurn turn = _hosts.Current;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(call.Timeout ?? _options.RequestTimeout);
        var asked = new List<HostEndpoint>();
        while (true)
        {
            HttpResponseMessage response = await SendAsync(
                call, token, completion, turn, limit.Token, cancellationToken).ConfigureAwait(false);
            asked.Add(_hosts.EndpointOf(turn));
            if (response.StatusCode != HttpStatusCode.TemporaryRedirect)
            {
                return response;
            }

            if (LeaderIn(response) is not { } leader || asked.Count > HopsMax || asked.Contains(leader))
            {
                _hosts.PassOver(turn);
                return response;
            }

            response.Dispose();
            turn = _hosts.Follow(turn, leader);
        }
    }

    private async Task<HttpResponseMessage> SendAsync(
        HttpCall call,
        AccessTokenSecret token,
        HttpCompletionOption completion,
        HostTurn turn,
        CancellationToken limit,
        CancellationToken cancellationToken)
    {
        HostEndpoint endpoint = _hosts.EndpointOf(turn);
        long start = Stopwatch.GetTimestamp();

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
            HttpResponseMessage response = await _http.SendAsync(request, completion, limit).ConfigureAwait(false);
            if (response.StatusCode == HttpStatusCode.ServiceUnavailable)
            {
                _hosts.PassOver(turn);
            }

            return response;
        }
        catch (HttpRequestException)
        {
            _hosts.PassOver(turn);
            throw;
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            _hosts.PassOver(turn);
            // A connect timeout surfaces as a cancellation that was not requested.
            bool wasSent = limit.IsCancellationRequested || e.InnerException is not TimeoutException;
            throw new HostSilentException(endpoint.ToString(), Stopwatch.GetElapsedTime(start), wasSent, e);
        }
    }

    /// <summary>
    /// The host that a redirect names; null if it names none over TLS. The request itself stays as it was: a host says where to ask, and
    /// not what.
    /// </summary>
    private static HostEndpoint? LeaderIn(HttpResponseMessage response) =>
        response.Headers.Location is { IsAbsoluteUri: true } location
        && location.Scheme == Uri.UriSchemeHttps
        && HostEndpoint.TryParse(
            string.Create(CultureInfo.InvariantCulture, $"{location.Host}:{location.Port}"), out HostEndpoint leader, out _)
            ? leader
            : null;

    private static string Authority(HostEndpoint endpoint) =>
        endpoint.Host.Contains(':', StringComparison.Ordinal) ? $"[{endpoint.Host.Trim('[', ']')}]:"
            + $"{endpoint.Port}" : $"{endpoint.Host}:{endpoint.Port}";

    /// <param name="e">The failure of the last try.</param>
    private RippleAdminException Unreachable(Exception e)
    {
        string hosts = string.Join(", ", _connection.Endpoints);
        string why = HostUntrustedException.In(e) is { } untrusted
            ? $"No host of {hosts} can be trusted: {untrusted.Message}."
            : $"No host of {hosts} can be reached: "
                + $"{(e is HostSilentException ? e.Message : e.InnerException?.Message ?? e.Message).TrimEnd('.')}. "
                + $"Check that a host runs there and that its port is open for TCP.";
        return new RippleAdminException(AdminFailure.Unreachable, why, e);
    }
}

/// <summary>A host that did not answer in time.</summary>
/// <param name="endpoint">The host, for display.</param>
/// <param name="waited">The actual waiting time.</param>
/// <param name="wasSent">False if no connection was established, so that the request was never sent.</param>
/// <param name="inner">The exception that ended the wait.</param>
internal sealed class HostSilentException(string endpoint, TimeSpan waited, bool wasSent, Exception inner) : Exception(
    string.Create(
        CultureInfo.InvariantCulture,
        $"{endpoint} {(wasSent ? "did not answer" : "did not take a connection")} within {waited.TotalSeconds:0.#} s."),
    inner)
{
    /// <summary>False if the request was never sent.</summary>
    public bool WasSent => wasSent;
}

/// <summary>Reads the reason for a host's refusal.</summary>
internal static class ProblemReader
{
    /// <summary>The problem in the response; derived from its status if there is none.</summary>
    public static async Task<Problem> ReadAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        int status = (int)response.StatusCode;
        try
        {
            if (response.Content.Headers.ContentType?.MediaType is "application/problem+json" or "application/json"
                && await response.Content.ReadFromJsonAsync(
                    AdminJson.Default.Problem, cancellationToken).ConfigureAwait(false) is { } problem)
            {
                return problem with { Status = status };
            }
        }
        catch (JsonException)
        {
            // Handled below.
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
            Detail = $"The host answered {status} without saying why. Check that the endpoint is a host of this cluster and "
                + $"not something before it.",
            Status = status,
        };
    }
}
