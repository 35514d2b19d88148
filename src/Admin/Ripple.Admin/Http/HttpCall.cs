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

    /// <summary>True for waits and transfers, which have no limit of their own.</summary>
    public bool IsLong { get; init; }

    public static HttpCall Get(string path) => new(HttpMethod.Get, path);
}
