namespace Ripple.Admin.Contracts;

/// <summary>Where the admin API is, and the headers it knows beside HTTP's own.</summary>
public static class AdminRoutes
{
    /// <summary>What every path begins with.</summary>
    public const string Prefix = "/v1";

    /// <summary>The OpenAPI document.</summary>
    public const string Document = "/openapi/v1.json";

    /// <summary>The publisher's own name for a change, a GUID: asked again with it, the change is not made twice.</summary>
    public const string IdempotencyKeyHeader = "Idempotency-Key";

    /// <summary>The release a value was read at.</summary>
    public const string ReleaseHeader = "Ripple-Release";

    /// <summary>The generation of that release.</summary>
    public const string GenerationHeader = "Ripple-Generation";

    /// <summary>The name of the server-sent event that carries a <see cref="WaitProgress"/>.</summary>
    public const string ProgressEvent = "progress";

    /// <summary>The name of the server-sent event that carries the <see cref="WaitResult"/>, the last one.</summary>
    public const string ResultEvent = "result";
}
