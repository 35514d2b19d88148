using System.Globalization;
using System.Net.Http.Headers;
using System.Net.ServerSentEvents;
using System.Text.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>Who has what.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>The nodes of an application and how far each is, by name.</summary>
    /// <param name="application">The application.</param>
    /// <param name="query">Which; null for those that are there.</param>
    /// <param name="cancellationToken">Gives up.</param>
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

    /// <summary>How many nodes are at which release.</summary>
    public Task<Frontier> GetFrontierAsync(string application, CancellationToken cancellationToken = default) =>
        _http.SendAsync(HttpCall.Get($"{PathText.Application(application)}/frontier"), AdminJson.Default.Frontier, cancellationToken);

    /// <summary>
    /// Waits until a predicate over the members of an application holds for a release: <c>MIN($ALL.applied)</c> is "in effect everywhere".
    /// Ends early when it can never hold. A connection that is lost meanwhile ends it with an exception, and so does a host that says
    /// nothing for 30 s, or gives no result 30 s after the timeout: ask again.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release.</param>
    /// <param name="predicate">The predicate.</param>
    /// <param name="timeout">When to give up; at most <see cref="AdminLimits.WaitSecondsMax"/> seconds.</param>
    /// <param name="progress">Told how far it is.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async Task<WaitResult> WaitAsync(
        string application,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        long seconds = Math.Max(1, (long)Math.Ceiling(timeout.TotalSeconds));
        string path = PathText.Query(
            $"{PathText.Application(application)}/waits", ("release", release), ("predicate", predicate), ("timeoutSeconds", seconds));
        HttpCall call = HttpCall.Get(path) with
        {
            Timeout = _options.SilenceTimeout,
            Prepare = request => request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("text/event-stream")),
        };
        // A host refuses a longer wait by itself.
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
                        default:
                            // A later host may say more.
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
