using System.Threading.RateLimiting;
using Microsoft.AspNetCore.RateLimiting;
using Microsoft.AspNetCore.Http;

namespace Ripple.Gms.Api;

/// <summary>What the API takes at one time. What is over it waits a little, then is told that the host is busy.</summary>
internal static class ApiLimits
{
    /// <summary>Bytes of a request: the largest publish in base64, and what is around it.</summary>
    public const long RequestBytesMax = 24 * 1024 * 1024;

    /// <summary>Connections.</summary>
    public const int ConnectionsMax = 256;

    /// <summary>The policy of publishes, whose bodies take memory: 8 at once (192 MiB), 64 more wait with their bodies unread.</summary>
    public const string Changes = "changes";

    /// <summary>The policy of waits: 512 at once.</summary>
    public const string Waits = "waits";

    private const int ChangesMax = 8;
    private const int ChangesWaitingMax = 64;
    private const int WaitsMax = 512;

    public static void Set(RateLimiterOptions options)
    {
        options.RejectionStatusCode = StatusCodes.Status503ServiceUnavailable;
        options.AddConcurrencyLimiter(Changes, limiter =>
        {
            limiter.PermitLimit = ChangesMax;
            limiter.QueueLimit = ChangesWaitingMax;
            limiter.QueueProcessingOrder = QueueProcessingOrder.OldestFirst;
        });
        options.AddConcurrencyLimiter(Waits, limiter => limiter.PermitLimit = WaitsMax);
    }
}
