using System.Net.Http.Headers;
using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>Monitors.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>
    /// Follows a predicate: the newest release for which it holds, now and whenever that changes, over the members of the moment. A name is
    /// followed when another predicate gets it. Points never go back in the order of generation, version and release; who takes them slowly
    /// gets the newest. After a lost connection it goes on at a host that can be reached.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="predicate">The predicate, or the name of one.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="RippleAdminException">The host refused, the name was removed, or no host can be reached.</exception>
    public async IAsyncEnumerable<MonitorPoint> MonitorAsync(
        string application, string predicate, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        HttpCall call = HttpCall.Get(PathText.Query($"{PathText.Application(application)}/monitor", ("predicate", predicate))) with
        {
            Timeout = _options.SilenceTimeout,
            Prepare = request => request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("text/event-stream")),
        };
        MonitorPoint? last = null;
        while (true)
        {
            using HttpResponseMessage response = await _http.OpenAsync(
                call, HttpCompletionOption.ResponseHeadersRead, cancellationToken).ConfigureAwait(false);
            IAsyncEnumerator<MonitorPoint> points = PointsAsync(response, cancellationToken).GetAsyncEnumerator(cancellationToken);
            await using (points.ConfigureAwait(false))
            {
                while (await TryMoveAsync(points, cancellationToken).ConfigureAwait(false))
                {
                    if (IsNews(points.Current, last))
                    {
                        yield return last = points.Current;
                    }
                }
            }
        }
    }

    private static bool IsNews(MonitorPoint point, MonitorPoint? last)
    {
        if (last is null)
        {
            return true;
        }

        int order = (point.Generation, point.Version, point.Release).CompareTo((last.Generation, last.Version, last.Release));
        return order > 0 || (order == 0 && point.Problem != last.Problem);
    }

    /// <summary>The next point; false if the connection was lost or silent for too long: ask again.</summary>
    private static async Task<bool> TryMoveAsync<T>(IAsyncEnumerator<T> points, CancellationToken cancellationToken)
    {
        try
        {
            return await points.MoveNextAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or HttpRequestException or OperationCanceledException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return false;
        }
    }

    private async IAsyncEnumerable<MonitorPoint> PointsAsync(
        HttpResponseMessage response, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var silence = new CancellationTokenSource(_options.SilenceTimeout, _options.Time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, silence.Token);
        Stream stream = await response.Content.ReadAsStreamAsync(ended.Token).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            await foreach (SseItem<string> item in SseParser.Create(stream).EnumerateAsync(ended.Token).ConfigureAwait(false))
            {
                silence.CancelAfter(_options.SilenceTimeout);
                switch (item.EventType)
                {
                    case AdminRoutes.PointEvent:
                        yield return JsonSerializer.Deserialize(item.Data, AdminJson.Default.MonitorPoint)!;
                        break;
                    case AdminRoutes.ProblemEvent:
                        throw new RippleAdminException(JsonSerializer.Deserialize(item.Data, AdminJson.Default.Problem)!);
                    default:
                        // A later host version may send other events.
                        break;
                }
            }
        }
    }
}
