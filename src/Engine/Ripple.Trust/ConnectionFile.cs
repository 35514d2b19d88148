using System.Globalization;

namespace Ripple.Trust;

/// <summary>Connection strings in files that only their owner reads.</summary>
public static class ConnectionFile
{
    /// <summary>Makes a connection string with a token in it. Its text holds the secret; its <c>ToString</c> does not.</summary>
    /// <param name="endpoints">The hosts; at least one.</param>
    /// <param name="authority">SHA-256 of the authority's certificate.</param>
    /// <param name="token">The token.</param>
    /// <param name="application">The application; null to leave it to the program.</param>
    public static ConnectionString Make(
        IEnumerable<HostEndpoint> endpoints, ReadOnlyMemory<byte> authority, AccessTokenSecret token, string? application)
    {
        ArgumentNullException.ThrowIfNull(token);
        return ConnectionString.Parse(Text(endpoints, authority, token, application));
    }

    /// <summary>The same as one line of text, secret included: for a file or a terminal that somebody asked for, never for a log.</summary>
    public static string Text(
        IEnumerable<HostEndpoint> endpoints, ReadOnlyMemory<byte> authority, AccessTokenSecret token, string? application)
    {
        ArgumentNullException.ThrowIfNull(token);
        string text = string.Create(
            CultureInfo.InvariantCulture,
            $"Endpoints={string.Join(',', endpoints)};Authority=sha256:{Convert.ToHexStringLower(authority.Span)};Token={token.Reveal()}");
        return application is null ? text : $"{text};Application={application}";
    }

    /// <summary>Reads a file; null when there is none, or none that can be used: it is then made anew.</summary>
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
