using System.Globalization;
using System.Text;

namespace Ripple.Trust;

/// <summary>
/// Everything a client needs to reach a cluster and be admitted: <c>Endpoints=host1:7400,host2:7400;Authority=sha256:...;Token=...</c>. It
/// may contain a secret: <see cref="ToString"/> masks it, and <see cref="Write"/> creates a file that only its owner can read. Immutable.
/// </summary>
public sealed class ConnectionString
{
    /// <summary>Maximum number of endpoints.</summary>
    public const int EndpointsMax = 64;

    /// <summary>Maximum number of labels.</summary>
    public const int LabelsMax = 32;

    internal ConnectionString(IReadOnlyList<HostEndpoint> endpoints, ReadOnlyMemory<byte> authority)
    {
        Endpoints = endpoints;
        Authority = authority;
    }

    /// <summary>The hosts, in the order written; at least one.</summary>
    public IReadOnlyList<HostEndpoint> Endpoints { get; }

    /// <summary>SHA-256 of the authority's DER certificate: 32 bytes.</summary>
    public ReadOnlyMemory<byte> Authority { get; }

    /// <summary>The join token; null when <see cref="TokenFile"/> is given instead.</summary>
    public AccessTokenSecret? Token { get; internal init; }

    /// <summary>A file whose first line is the join token; null when <see cref="Token"/> is given instead.</summary>
    public string? TokenFile { get; internal init; }

    /// <summary>The application the node belongs to; null if the program sets it.</summary>
    public string? Application { get; internal init; }

    /// <summary>The zone (data center) the node is in; null if not given.</summary>
    public string? Zone { get; internal init; }

    /// <summary>The node's display name; null means the machine's name.</summary>
    public string? Name { get; internal init; }

    /// <summary>Labels in the order written, with unique keys; empty if none.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Labels { get; internal init; } = [];

    /// <summary>Parses a connection string.</summary>
    /// <exception cref="FormatException">The message says which part is wrong, why, and what to write instead; it never contains the
    /// token.</exception>
    public static ConnectionString Parse(string text) =>
        TryParse(text, out ConnectionString? result, out string error) ? result! : throw new FormatException(error);

    /// <summary>Parses a connection string. On false, <paramref name="error"/> is the message <see cref="Parse"/> would throw.</summary>
    public static bool TryParse(string text, out ConnectionString? result, out string error)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new ConnectionStringParser().TryParse(text, out result, out error);
    }

    /// <summary>Reads a file written by <see cref="Write"/> or by hand.</summary>
    /// <exception cref="FormatException">The file's text is not a connection string.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static ConnectionString ReadFile(string path) => Parse(File.ReadAllText(path).Trim());

    /// <summary>
    /// The token, read from <see cref="TokenFile"/> if that is given. The file is read on each call, so a rotated token is picked up.
    /// </summary>
    /// <exception cref="FormatException">The first line of the file is not a token.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public AccessTokenSecret ReadToken()
    {
        if (Token is not null)
        {
            return Token;
        }

        using var reader = new StreamReader(TokenFile!);
        return AccessTokenSecret.TryParse(reader.ReadLine()?.Trim(), out AccessTokenSecret? token)
            ? token!
            : throw new FormatException(
                $"The first line of the token file '{TokenFile}' is not a token; write the token as it was shown when it was made.");
    }

    /// <summary>
    /// Writes the connection string, secret included, as one line to a file that only its owner can read and write (mode 0600 on Unix, from
    /// creation on). An existing file is replaced atomically.
    /// </summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(string path) => OwnerOnlyFile.Write(path, Encoding.UTF8.GetBytes(Format(isMasked: false) + "\n"));

    /// <summary>The connection string with the token masked; safe for logs.</summary>
    public override string ToString() => Format(isMasked: true);

    private string Format(bool isMasked)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"Endpoints={string.Join(',', Endpoints)};Authority=sha256:{Convert.ToHexStringLower(Authority.Span)}");
        Append("Token", Token is null ? null : isMasked ? "***" : Token.Reveal());
        Append("TokenFile", TokenFile);
        Append("Application", Application);
        Append("Zone", Zone);
        Append("Name", Name);
        Append("Labels", Labels.Count == 0 ? null : string.Join(',', Labels.Select(label => $"{label.Key}:{label.Value}")));
        return text.ToString();

        void Append(string word, string? value)
        {
            if (value is not null)
            {
                bool isQuoted = value.AsSpan().ContainsAny(";\"") || value.Trim().Length != value.Length;
                text.Append(';').Append(word).Append('=').Append(
                    isQuoted ? $"\"{value.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : value);
            }
        }
    }
}
