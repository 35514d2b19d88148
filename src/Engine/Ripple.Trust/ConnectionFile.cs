using System.Globalization;

namespace Ripple.Trust;

/// <summary>Connection strings in files that only their owner can read.</summary>
public static class ConnectionFile
{
    /// <summary>Creates a connection string that contains a token. <c>ToString</c> masks the secret; <see cref="Text"/> does not.</summary>
    /// <param name="endpoints">The hosts; at least one.</param>
    /// <param name="authority">SHA-256 of the authority's certificate.</param>
    /// <param name="token">The token.</param>
    /// <param name="application">The application; null to let the program choose it.</param>
    public static ConnectionString Make(
        IEnumerable<HostEndpoint> endpoints, ReadOnlyMemory<byte> authority, AccessTokenSecret token, string? application)
    {
        ArgumentNullException.ThrowIfNull(token);
        return ConnectionString.Parse(Text(endpoints, authority, token, application));
    }

    /// <summary>
    /// The connection string as one line of text, secret included: for a file or a terminal on explicit request, never for a log.
    /// </summary>
    public static string Text(
        IEnumerable<HostEndpoint> endpoints, ReadOnlyMemory<byte> authority, AccessTokenSecret token, string? application)
    {
        ArgumentNullException.ThrowIfNull(token);
        string text = string.Create(
            CultureInfo.InvariantCulture,
            $"Endpoints={string.Join(',', endpoints)};Authority=sha256:{Convert.ToHexStringLower(authority.Span)};Token={token.Reveal()}");
        return application is null ? text : $"{text};Application={application}";
    }

    /// <summary>Reads a file; null if it is missing, unreadable or invalid. The caller then creates a new one.</summary>
    public static ConnectionString? TryRead(string path)
    {
        try
        {
            return ConnectionString.ReadFile(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return null;
        }
    }
}
