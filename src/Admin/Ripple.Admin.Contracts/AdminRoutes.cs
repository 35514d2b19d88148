namespace Ripple.Admin.Contracts;

/// <summary>The paths of the admin API, and its headers beyond those of HTTP.</summary>
public static class AdminRoutes
{
    /// <summary>The beginning of every path.</summary>
    public const string Prefix = "/v1";

    /// <summary>The OpenAPI document.</summary>
    public const string Document = "/openapi/v1.json";

    /// <summary>
    /// The publisher's own id for a change, a GUID. Repeating the request with the same id does not make the change again.
    /// </summary>
    public const string IdempotencyKeyHeader = "Idempotency-Key";

    /// <summary>The release a value was read at.</summary>
    public const string ReleaseHeader = "Ripple-Release";

    /// <summary>The generation of that release.</summary>
    public const string GenerationHeader = "Ripple-Generation";

    /// <summary>The name of the server-sent event that carries a <see cref="WaitProgress"/>.</summary>
    public const string ProgressEvent = "progress";

    /// <summary>The name of the server-sent event that carries the <see cref="WaitResult"/>; it is the last event.</summary>
    public const string ResultEvent = "result";

    /// <summary>The name of the server-sent event that carries a <see cref="MonitorPoint"/>.</summary>
    public const string PointEvent = "point";

    /// <summary>The name of the server-sent event that carries a <see cref="SpaceEvent"/>.</summary>
    public const string SpaceEvent = "event";

    /// <summary>The name of the server-sent event that says that the subscription goes on; it has no data.</summary>
    public const string SilenceEvent = "silence";

    /// <summary>
    /// The name of the server-sent event that carries the <see cref="Problem"/> that ended a wait or a monitor, such as a revoked token; it
    /// is the last event.
    /// </summary>
    public const string ProblemEvent = "problem";
}
