using System.Globalization;
using System.Text;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Http;

/// <summary>A request that can be sent more than once.</summary>
/// <param name="Method">The method.</param>
/// <param name="Path">Path and query.</param>
internal sealed record HttpCall(HttpMethod Method, string Path)
{
    /// <summary>Creates the content for each try; null for none.</summary>
    public Func<HttpContent>? Content { get; init; }

    /// <summary>Adds headers; null for none.</summary>
    public Action<HttpRequestMessage>? Prepare { get; init; }

    /// <summary>Whether repeating the request has no further effect.</summary>
    public bool MayRepeat { get; init; } = true;

    /// <summary>
    /// The time limit of one try, from connecting to the end of the requested response; null for
    /// <see cref="RippleAdminOptions.RequestTimeout"/>.
    /// </summary>
    public TimeSpan? Timeout { get; init; }

    public static HttpCall Get(string path) => new(HttpMethod.Get, path);
}

/// <summary>Builds escaped paths and queries.</summary>
internal static class PathText
{
    public static string Application(string application) => $"{AdminRoutes.Prefix}/applications/{Uri.EscapeDataString(application)}";

    public static string Number(ulong number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>A path with a query of the parts that are not null.</summary>
    public static string Query(string path, params ReadOnlySpan<(string Name, object? Value)> parts)
    {
        var text = new StringBuilder(path);
        char separator = '?';
        foreach ((string name, object? value) in parts)
        {
            if (value is not null)
            {
                text.Append(separator).Append(name).Append('=').Append(
                    Uri.EscapeDataString(Convert.ToString(value, CultureInfo.InvariantCulture) ?? string.Empty));
                separator = '&';
            }
        }

        return text.ToString();
    }
}
