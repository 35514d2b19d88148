using System.Net.ServerSentEvents;
using System.Text.Json;
using System.Threading.Channels;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Hosting;
using Ripple.Admin.Contracts;
using Ripple.Gms.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>What long-running requests share: what the core tells comes through a channel, while the right to it lasts.</summary>
internal static class EventStream
{
    /// <summary>After this much silence something is said again, so that both sides detect a broken connection.</summary>
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(10);

    /// <summary>How often the right is judged: as soon as a connection of the control channel.</summary>
    private static readonly TimeSpan RightInterval = TimeSpan.FromSeconds(1);

    /// <summary>Answers a request by server-sent events, until they end, the caller goes, or the host stops.</summary>
    /// <param name="context">The request.</param>
    /// <param name="lifetime">The host's.</param>
    /// <param name="events">The events.</param>
    /// <param name="end">Ends what they come from; called in any case.</param>
    public static async Task WriteAsync(
        HttpContext context,
        IHostApplicationLifetime lifetime,
        Func<CancellationToken, IAsyncEnumerable<SseItem<string>>> events,
        Func<Task> end)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, lifetime.ApplicationStopping);
        try
        {
            context.Response.ContentType = "text/event-stream";
            await SseFormatter.WriteAsync(events(ended.Token), context.Response.Body, ended.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (lifetime.ApplicationStopping.IsCancellationRequested)
        {
            context.Abort();
        }
        finally
        {
            await end().ConfigureAwait(false);
        }
    }

    /// <summary>The last event of an answer that a problem ended.</summary>
    public static SseItem<string> Of(Problem problem) =>
        new(JsonSerializer.Serialize(problem, AdminJson.Default.Problem), AdminRoutes.ProblemEvent);

    /// <summary>
    /// As <see cref="NextAsync(ChannelReader{object}, WaitRight, CancellationToken)"/>, for an answer that has begun, so that what ends it
    /// can be told as its last event alone.
    /// </summary>
    public static async Task<(object? Item, Problem? Problem)> NextOrProblemAsync(
        ChannelReader<object> told, WaitRight right, CancellationToken cancellationToken)
    {
        try
        {
            return (await NextAsync(told, right, cancellationToken).ConfigureAwait(false), null);
        }
        catch (Exception e) when (e is ApiProblemException or StoreException)
        {
            return (null, ProblemPipeline.Describe(e));
        }
    }

    /// <summary>The next item, to a caller who still may know it; null after a period of silence.</summary>
    /// <exception cref="ApiProblemException">The right is gone, or who tells ended it.</exception>
    /// <exception cref="StoreException">Whether the right is there cannot be read now.</exception>
    public static async Task<object?> NextAsync(ChannelReader<object> told, WaitRight right, CancellationToken cancellationToken)
    {
        for (TimeSpan silent = TimeSpan.Zero; silent < Silence; silent += RightInterval)
        {
            object? item = await NextAsync(told, cancellationToken).ConfigureAwait(false);
            await right.DemandAsync(cancellationToken).ConfigureAwait(false);
            if (item is not null)
            {
                return item;
            }
        }

        return null;
    }

    /// <summary>The next item; null when there is none for a while.</summary>
    private static async Task<object?> NextAsync(ChannelReader<object> told, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(RightInterval);
        try
        {
            return await told.ReadAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return null;
        }
        catch (ChannelClosedException e) when (e.InnerException is ApiProblemException why)
        {
            // A channel wraps what it was completed with.
            throw new ApiProblemException(why.Problem);
        }
    }
}

/// <summary>
/// The right that a long request began with. It may last an hour, and tells names and reasons: it ends with its token, or with the role.
/// Any thread.
/// </summary>
/// <param name="api">The tokens and the time.</param>
/// <param name="tokenId">The token of whoever waits.</param>
/// <param name="application">The application.</param>
internal sealed class WaitRight(ApiContext api, string tokenId, string application)
{
    /// <summary>Judges the token as it is now. Costs nothing while the tokens did not change.</summary>
    /// <exception cref="ApiProblemException">The right is gone.</exception>
    /// <exception cref="StoreException">The tokens changed and cannot be read now.</exception>
    public async ValueTask DemandAsync(CancellationToken cancellationToken)
    {
        AccessToken? token = await api.Tokens.FindAsync(tokenId, cancellationToken).ConfigureAwait(false);
        if (token is null || !token.IsGood(api.Clock.UnixMicros))
        {
            throw new ApiProblemException(Authorizer.RevokedOrExpired(tokenId));
        }

        if (!token.Allows(application, AccessRole.Node))
        {
            throw new ApiProblemException(Authorizer.NotAllowed(tokenId, application, AccessRole.Node));
        }
    }
}
