using System.Globalization;
using System.Net.Http.Headers;
using System.Net.ServerSentEvents;
using System.Text.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>The distribution of releases.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>The nodes of an application and their progress, sorted by name.</summary>
    /// <param name="application">The application.</param>
    /// <param name="query">Selects the nodes; null for those that are present.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public IAsyncEnumerable<NodeInfo> ListNodesAsync(
        string application, NodeQuery? query = null, CancellationToken cancellationToken = default) => PagesAsync(
            cursor => PathText.Query(
                $"{PathText.Application(application)}/nodes",
                ("behind", query?.BehindRelease),
                ("state", query?.State is { } state ? JsonSerializer.Serialize(state, AdminJson.Default.NodeState).Trim('"') : null),
                ("gone", query?.IncludesGone == true ? "true" : null),
                ("cursor", cursor),
                ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageNodeInfo,
            cancellationToken);

    /// <summary>
    /// Revokes a node's certificate: its session ends, and it is not admitted again. A process that still has a good token gets another
    /// identity when it starts again; revoke the token to keep it out. Idempotent.
    /// </summary>
    /// <param name="nodeId">The node's id.</param>
    /// <param name="reason">Why, for the list and the audit; null or empty for none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public Task RevokeNodeAsync(string nodeId, string? reason = null, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            new HttpCall(
                HttpMethod.Delete,
                PathText.Query($"{AdminRoutes.Prefix}/nodes/{Uri.EscapeDataString(nodeId)}", ("reason", reason))),
            cancellationToken);

    /// <summary>The revoked nodes that the caller administers, by id, until no certificate of them can be good.</summary>
    public IAsyncEnumerable<RevokedNodeInfo> ListRevokedNodesAsync(CancellationToken cancellationToken = default) => PagesAsync(
        cursor => PathText.Query($"{AdminRoutes.Prefix}/nodes/revoked", ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
        AdminJson.Default.PageRevokedNodeInfo,
        cancellationToken);

    /// <summary>The number of nodes at each release.</summary>
    public Task<Frontier> GetFrontierAsync(string application, CancellationToken cancellationToken = default) =>
        _http.SendAsync(HttpCall.Get($"{PathText.Application(application)}/frontier"), AdminJson.Default.Frontier, cancellationToken);

    /// <summary>
    /// Waits until a predicate over the members of an application holds for a release: <c>MIN($ALL.applied)</c> means "in effect
    /// everywhere". Ends early if it can never hold. Throws if the connection is lost, if the host sends nothing for 30 s, or if there is
    /// no result 30 s after the timeout; the caller can then wait again.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release, of the generation that is the present one when the host takes the wait.</param>
    /// <param name="predicate">The predicate.</param>
    /// <param name="timeout">How long to wait; at most <see cref="AdminLimits.WaitSecondsMax"/> seconds.</param>
    /// <param name="progress">Receives progress.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public Task<WaitResult> WaitAsync(
        string application,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        WaitForAsync(application, null, release, predicate, timeout, progress, cancellationToken);

    /// <summary>
    /// As without a generation, for a release that means the same for ever: of a generation that ended it cannot hold, and while the host
    /// does not know it yet, as after a restore, the wait is refused as <see cref="ProblemCodes.Busy"/> and can be asked again.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="generation">The generation, as the answer to a publish tells it; from 1.</param>
    /// <param name="release">The release.</param>
    /// <param name="predicate">The predicate.</param>
    /// <param name="timeout">How long to wait; at most <see cref="AdminLimits.WaitSecondsMax"/> seconds.</param>
    /// <param name="progress">Receives progress.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public Task<WaitResult> WaitAsync(
        string application,
        uint generation,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfZero(generation);
        return WaitForAsync(application, generation, release, predicate, timeout, progress, cancellationToken);
    }

    /// <summary>
    /// Asks the host whether a text is a predicate, or the name of one, so that a wait behind a publish will not fail for it. Whether it
    /// has members is known with the release alone. A host of an earlier version takes every text here.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="predicate">The predicate.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RippleAdminException">It is none (<see cref="ProblemCodes.InvalidPredicate"/>), or the host could not be
    /// asked.</exception>
    public async Task CheckPredicateAsync(string application, string predicate, CancellationToken cancellationToken = default)
    {
        try
        {
            // No release is 0: a host that reads the predicate first refuses that one if it is none.
            await WaitForAsync(application, null, 0, predicate, TimeSpan.FromSeconds(1), null, cancellationToken).ConfigureAwait(false);
        }
        catch (RippleAdminException e) when (e.Code == ProblemCodes.NotFound)
        {
            // It is one.
        }
    }

    private async Task<WaitResult> WaitForAsync(
        string application,
        uint? generation,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress,
        CancellationToken cancellationToken)
    {
        long seconds = Math.Max(1, (long)Math.Ceiling(timeout.TotalSeconds));
        string path = PathText.Query(
            $"{PathText.Application(application)}/waits",
            ("generation", generation),
            ("release", release),
            ("predicate", predicate),
            ("timeoutSeconds", seconds));
        HttpCall call = HttpCall.Get(path) with
        {
            Timeout = _options.SilenceTimeout,
            Prepare = request => request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("text/event-stream")),
        };
        // A longer wait is refused by the host itself.
        using var over = new CancellationTokenSource(
            TimeSpan.FromSeconds(Math.Min(seconds, AdminLimits.WaitSecondsMax)) + _options.WaitGrace, _options.Time);
        using var silence = new CancellationTokenSource(Timeout.InfiniteTimeSpan, _options.Time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, over.Token, silence.Token);
        try
        {
            using HttpResponseMessage response = await _http.OpenAsync(
                call, HttpCompletionOption.ResponseHeadersRead, ended.Token).ConfigureAwait(false);
            silence.CancelAfter(_options.SilenceTimeout);
            Stream stream = await response.Content.ReadAsStreamAsync(ended.Token).ConfigureAwait(false);
            await using (stream.ConfigureAwait(false))
            {
                await foreach (SseItem<string> item in SseParser.Create(stream).EnumerateAsync(ended.Token).ConfigureAwait(false))
                {
                    silence.CancelAfter(_options.SilenceTimeout);
                    switch (item.EventType)
                    {
                        case AdminRoutes.ProgressEvent:
                            progress?.Report(JsonSerializer.Deserialize(item.Data, AdminJson.Default.WaitProgress)!);
                            break;
                        case AdminRoutes.ResultEvent:
                            return JsonSerializer.Deserialize(item.Data, AdminJson.Default.WaitResult)!;
                        case AdminRoutes.ProblemEvent:
                            throw new RippleAdminException(JsonSerializer.Deserialize(item.Data, AdminJson.Default.Problem)!);
                        default:
                            // A later host version may send other events.
                            break;
                    }
                }
            }
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            string what = over.IsCancellationRequested
                ? string.Create(CultureInfo.InvariantCulture, $"no result {_options.WaitGrace.TotalSeconds:0.#} s after its end")
                : string.Create(CultureInfo.InvariantCulture, $"nothing for {_options.SilenceTimeout.TotalSeconds:0.#} s");
            throw new RippleAdminException(
                AdminFailure.Unreachable, $"The host said {what} of the wait for release {release} of '{application}'. Ask again.", e);
        }
        catch (Exception e) when (e is IOException or HttpRequestException)
        {
            throw new RippleAdminException(
                AdminFailure.Unreachable,
                $"The connection was lost while waiting for release {release} of '{application}': {e.Message} Ask again.",
                e);
        }

        throw new RippleAdminException(
            AdminFailure.Unreachable, $"The host ended the wait for release {release} of '{application}' without a result. Ask again.");
    }
}
