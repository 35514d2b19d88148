using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace Ripple.Trust;

/// <summary>
/// A join token: <c>&lt;id&gt;.&lt;secret&gt;</c>. The id is 8 random bytes in hexadecimal, the secret 32 random bytes in base64url. The id
/// is not secret: it appears in certificates, lists and logs. A host stores only the SHA-256 of the secret. <see cref="ToString"/> masks
/// the secret.
/// </summary>
public sealed class AccessTokenSecret
{
    /// <summary>Length of the id, in characters.</summary>
    public const int IdLength = 16;

    /// <summary>Size of <see cref="Hash"/>, in bytes.</summary>
    public const int HashBytes = 32;

    private const int SecretBytes = 32;
    private const int SecretLength = 43;
    private readonly string _secret;

    private AccessTokenSecret(string id, string secret)
    {
        Id = id;
        _secret = secret;
        Hash = SHA256.HashData(Encoding.ASCII.GetBytes(secret));
    }

    /// <summary>The token's public id: 16 lower-case hexadecimal digits.</summary>
    public string Id { get; }

    /// <summary>SHA-256 of the secret's text, the form in which a host stores it.</summary>
    public ReadOnlyMemory<byte> Hash { get; }

    /// <summary>Creates a token using the system's cryptographic random generator.</summary>
    public static AccessTokenSecret New() => new(
        Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(IdLength / 2)),
        Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(SecretBytes)));

    /// <summary>Parses the text of a token. Returns false if it is malformed; never throws.</summary>
    public static bool TryParse(string? text, out AccessTokenSecret? token)
    {
        token = null;
        if (text is null
            || text.Length != IdLength + 1 + SecretLength
            || text[IdLength] != '.'
            || !TrustText.IsLowerHex(text.AsSpan(0, IdLength), IdLength))
        {
            return false;
        }

        string secret = text[(IdLength + 1)..];
        if (!Base64Url.IsValid(secret, out int decodedBytes) || decodedBytes != SecretBytes)
        {
            return false;
        }

        token = new(text[..IdLength], secret);
        return true;
    }

    /// <summary>Whether a stored hash is the hash of this secret. Runs in constant time.</summary>
    public bool Matches(ReadOnlySpan<byte> storedHash) => CryptographicOperations.FixedTimeEquals(Hash.Span, storedHash);

    /// <summary>The whole token, secret included. For showing once to its creator and for the wire; never for a log.</summary>
    public string Reveal() => $"{Id}.{_secret}";

    /// <summary>The id, with the secret masked.</summary>
    public override string ToString() => $"{Id}.***";
}
