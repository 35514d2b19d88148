using System.Globalization;
using System.Text;

namespace Ripple.Trust;

/// <summary>
/// What a client needs to reach a cluster and to be let in: <c>Endpoints=host1:7400,host2:7400;Authority=sha256:...;Token=...</c>. It holds
/// a secret: <see cref="ToString"/> masks it, <see cref="Write"/> makes a file that only its owner reads. Immutable.
/// </summary>
public sealed class ConnectionString
{
    /// <summary>The most endpoints.</summary>
    public const int EndpointsMax = 64;

    /// <summary>The most labels.</summary>
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

    /// <summary>The application the node belongs to; null when the program says so itself.</summary>
    public string? Application { get; internal init; }

    /// <summary>The zone (data centre) the node is in; null when not said.</summary>
    public string? Zone { get; internal init; }

    /// <summary>The node's name, for people; null means the machine's name.</summary>
    public string? Name { get; internal init; }

    /// <summary>Labels in the order written, each key once; empty when none.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Labels { get; internal init; } = [];

    /// <summary>Parses a connection string.</summary>
    /// <exception cref="FormatException">The message says which part is wrong, how, and what to write; it never contains the
    /// token.</exception>
    public static ConnectionString Parse(string text) =>
        TryParse(text, out ConnectionString? result, out string error) ? result! : throw new FormatException(error);

    /// <summary>Parses a connection string. On false, <paramref name="error"/> is what <see cref="Parse"/> would have thrown.</summary>
    public static bool TryParse(string text, out ConnectionString? result, out string error)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new ConnectionStringParser().TryParse(text, out result, out error);
    }

    /// <summary>Reads a file that <see cref="Write"/> made, or that an operator wrote by hand.</summary>
    /// <exception cref="FormatException">The file's text is no connection string.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static ConnectionString ReadFile(string path) => Parse(File.ReadAllText(path).Trim());

    /// <summary>
    /// The token, read from <see cref="TokenFile"/> where that is given. Reads the file each time, so that a rotated token is found.
    /// </summary>
    /// <exception cref="FormatException">The file's first line is no token.</exception>
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
    /// Writes the connection string, secret included, as one line into a file that only its owner can read and write (0600 on Unix, from
    /// the moment it exists). An existing file is replaced at once.
    /// </summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(string path) => OwnerOnlyFile.Write(path, Encoding.UTF8.GetBytes(Format(isMasked: false) + "\n"));

    /// <summary>The connection string with the token masked; fit for logs.</summary>
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
