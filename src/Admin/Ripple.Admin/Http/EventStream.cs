using System.Net.Http.Headers;
using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Http;

/// <summary>
/// A route that tells without end, as server-sent events of one kind. After a lost connection, or silence, it goes on at a host that can be
/// reached.
/// </summary>
/// <param name="http">Sends the requests.</param>
/// <param name="options">The client's options.</param>
internal sealed class EventStream(AdminHttp http, RippleAdminOptions options)
{
    /// <summary>The pause before it is asked again: a host that ends each answer at once must not be asked without end.</summary>
    private static readonly TimeSpan AskAgainDelay = TimeSpan.FromMilliseconds(200);

    /// <summary>What it tells.</summary>
    /// <param name="path">The route.</param>
    /// <param name="eventType">The kind of its events; others are left out.</param>
    /// <param name="type">The JSON type of what they carry.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="RippleAdminException">The host refused or ended it, or no host can be reached.</exception>
    public async IAsyncEnumerable<T> ReadAsync<T>(
        string path, string eventType, JsonTypeInfo<T> type, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        HttpCall call = HttpCall.Get(path) with
        {
            Timeout = options.SilenceTimeout,
            Prepare = request => request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("text/event-stream")),
        };
        while (true)
        {
            using (HttpResponseMessage response = await http.OpenAsync(
                call, HttpCompletionOption.ResponseHeadersRead, cancellationToken).ConfigureAwait(false))
            {
                IAsyncEnumerator<SseItem<string>> items = ItemsAsync(response, cancellationToken).GetAsyncEnumerator(cancellationToken);
                await using (items.ConfigureAwait(false))
                {
                    while (await TryMoveAsync(items, cancellationToken).ConfigureAwait(false))
                    {
                        if (items.Current.EventType == AdminRoutes.ProblemEvent)
                        {
                            throw new RippleAdminException(JsonSerializer.Deserialize(items.Current.Data, AdminJson.Default.Problem)!);
                        }

                        if (items.Current.EventType == eventType)
                        {
                            yield return JsonSerializer.Deserialize(items.Current.Data, type)!;
                        }
                    }
                }
            }

            await Task.Delay(AskAgainDelay, options.Time, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The next item; false if the connection was lost or silent for too long.</summary>
    private static async Task<bool> TryMoveAsync(IAsyncEnumerator<SseItem<string>> items, CancellationToken cancellationToken)
    {
        try
        {
            return await items.MoveNextAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or HttpRequestException or OperationCanceledException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return false;
        }
    }

    private async IAsyncEnumerable<SseItem<string>> ItemsAsync(
        HttpResponseMessage response, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var silence = new CancellationTokenSource(options.SilenceTimeout, options.Time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, silence.Token);
        Stream stream = await response.Content.ReadAsStreamAsync(ended.Token).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            await foreach (SseItem<string> item in SseParser.Create(stream).EnumerateAsync(ended.Token).ConfigureAwait(false))
            {
                silence.CancelAfter(options.SilenceTimeout);
                yield return item;
            }
        }
    }
}
