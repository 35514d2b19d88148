using System.Threading.RateLimiting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.RateLimiting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Api;

/// <summary>Concurrency and rate limits of the API. Requests over a limit queue briefly and are then rejected as busy.</summary>
internal static class ApiLimits
{
    /// <summary>The most HTTP connections at once whose callers showed a good token, and again as many of others.</summary>
    public const int ConnectionsMax = 256;

    /// <summary>A body or response slower than this, after a grace period, is cut off: it holds memory and a slot.</summary>
    private const double BytesPerSecondMin = 64 * 1024;

    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    /// <summary>A connection without a request is closed after this time: a place that nobody uses is others'.</summary>
    private static readonly TimeSpan IdleTimeout = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan HeadersTimeout = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Adds the memory that running requests hold: their bodies with what is made of them, and the value or state that a heavy one reads.
    /// </summary>
    public static void AddMemory(MemoryBudget budget)
    {
        RequestCost[] costs = [RequestCost.Light, RequestCost.Heavy, RequestCost.Change, RequestCost.Wait, RequestCost.Emit];
        foreach (RequestCost cost in costs)
        {
            long bytes = cost == RequestCost.Change ? PublishBody.BytesMax : cost.BodyBytesMax;
            budget.Add(MemoryScope.Process, MemoryKind.Transient, $"admin API: {cost.Name} requests", cost.AtOnceMax, bytes);
        }

        budget.Add(
            MemoryScope.Process,
            MemoryKind.Transient,
            "admin API: what heavy requests read",
            RequestCost.Heavy.AtOnceMax,
            ReleaseLimits.BodyBytesMax);
    }

    public static void Set(KestrelServerLimits limits)
    {
        limits.KeepAliveTimeout = IdleTimeout;
        limits.RequestHeadersTimeout = HeadersTimeout;
        limits.MaxRequestBodySize = RequestCost.Light.BodyBytesMax;
        limits.MinRequestBodyDataRate = new MinDataRate(BytesPerSecondMin, Grace);
        limits.MinResponseDataRate = new MinDataRate(BytesPerSecondMin, Grace);
    }

    public static void Set(RateLimiterOptions options)
    {
        options.RejectionStatusCode = StatusCodes.Status503ServiceUnavailable;
        options.GlobalLimiter = PartitionedRateLimiter.CreateChained(
            PartitionedRateLimiter.Create<HttpContext, (string, string)>(
                context => Limit(CostOf(context).OfOneToken, ApiCaller.Of(context).Token.Id)),
            PartitionedRateLimiter.Create<HttpContext, (string, string)>(LimitOfApplication),
            PartitionedRateLimiter.Create<HttpContext, (string, string)>(context => Limit(CostOf(context), "")));
    }

    private static RequestCost CostOf(HttpContext context) =>
        context.GetEndpoint()?.Metadata.GetMetadata<RequestCost>() ?? RequestCost.Light;

    private static RateLimitPartition<(string, string)> LimitOfApplication(HttpContext context) =>
        ShareOwner.Of(ApiCaller.Of(context).Token).Application is { } application
            ? Limit(CostOf(context).OfOneApplication, application)
            : RateLimitPartition.GetNoLimiter((string.Empty, string.Empty));

    private static RateLimitPartition<(string, string)> Limit(RequestCost cost, string token) => RateLimitPartition.GetConcurrencyLimiter(
        (cost.Name, token),
        _ => new ConcurrencyLimiterOptions
        {
            PermitLimit = cost.AtOnceMax,
            QueueLimit = cost.WaitingMax,
            QueueProcessingOrder = QueueProcessingOrder.OldestFirst,
        });
}
