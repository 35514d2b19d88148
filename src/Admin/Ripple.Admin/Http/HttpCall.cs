namespace Ripple.Admin.Http;

/// <summary>A request that can be made again.</summary>
/// <param name="Method">The method.</param>
/// <param name="Path">Path and query.</param>
internal sealed record HttpCall(HttpMethod Method, string Path)
{
    /// <summary>Makes the content, anew for each try; null for none.</summary>
    public Func<HttpContent>? Content { get; init; }

    /// <summary>Adds headers; null for none.</summary>
    public Action<HttpRequestMessage>? Prepare { get; init; }

    /// <summary>True when asking twice does what asking once does.</summary>
    public bool MayRepeat { get; init; } = true;

    /// <summary>
    /// How long one try may take, from connecting to the end of what is asked for; null: <see cref="RippleAdminOptions.RequestTimeout"/>.
    /// </summary>
    public TimeSpan? Timeout { get; init; }

    public static HttpCall Get(string path) => new(HttpMethod.Get, path);
}
