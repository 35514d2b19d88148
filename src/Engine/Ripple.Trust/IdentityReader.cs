using System.Formats.Asn1;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>Reads identities from URIs and certificates. Never throws on untrusted input. Thread-safe.</summary>
public static class IdentityReader
{
    private const string SubjectAlternativeNameOid = "2.5.29.17";
    private const string Scheme = "ripple://";

    /// <summary>Reads and parses the certificate's URI name. Does not check the issuer: judge the certificate first.</summary>
    /// <param name="certificate">Any certificate.</param>
    /// <param name="identity">The identity; null unless the result is <see cref="IdentityStatus.Ok"/>.</param>
    public static IdentityStatus Read(X509Certificate2 certificate, out CertificateIdentity? identity)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        identity = null;
        string? uri = null;
        foreach (X509Extension extension in certificate.Extensions)
        {
            if (extension.Oid?.Value != SubjectAlternativeNameOid)
            {
                continue;
            }

            // A second extension of names could state a second, conflicting identity.
            if (uri is not null || !TryReadUri(extension.RawData, out uri))
            {
                return IdentityStatus.Ambiguous;
            }
        }

        return uri is null ? IdentityStatus.Missing : Parse(uri, out identity);
    }

    /// <summary>Parses a URI strictly.</summary>
    /// <param name="uri">The text.</param>
    /// <param name="identity">The identity; null unless the result is <see cref="IdentityStatus.Ok"/>.</param>
    public static IdentityStatus Parse(ReadOnlySpan<char> uri, out CertificateIdentity? identity)
    {
        identity = null;
        if (!uri.StartsWith(Scheme, StringComparison.Ordinal))
        {
            return IdentityStatus.Malformed;
        }

        ReadOnlySpan<char> rest = uri[Scheme.Length..];
        int slash = rest.IndexOf('/');
        if (slash < 0)
        {
            return IdentityStatus.Malformed;
        }

        if (!Id128.TryParse(rest[..slash], out Id128 clusterId))
        {
            return IdentityStatus.BadCluster;
        }

        rest = rest[(slash + 1)..];
        slash = rest.IndexOf('/');
        if (slash < 0)
        {
            return IdentityStatus.Malformed;
        }

        ReadOnlySpan<char> kind = rest[..slash];
        rest = rest[(slash + 1)..];
        if (kind is "node")
        {
            return ParseNode(clusterId, rest, out identity);
        }

        if (kind is not ("host" or "signer"))
        {
            return IdentityStatus.UnknownKind;
        }

        if (!TrustText.IsName(rest))
        {
            return IdentityStatus.BadName;
        }

        identity = kind is "host" ? new HostIdentity(clusterId, rest.ToString()) : new SignerIdentity(clusterId, rest.ToString());
        return IdentityStatus.Ok;
    }

    private static IdentityStatus ParseNode(Id128 clusterId, ReadOnlySpan<char> rest, out CertificateIdentity? identity)
    {
        identity = null;
        if (!TryCut(ref rest, "?app=", out ReadOnlySpan<char> nodeText)
            || !TryCut(ref rest, "&role=", out ReadOnlySpan<char> application)
            || !TryCut(ref rest, "&token=", out ReadOnlySpan<char> role))
        {
            return IdentityStatus.Malformed;
        }

        if (!Id128.TryParse(nodeText, out Id128 nodeId))
        {
            return IdentityStatus.BadNodeId;
        }

        if (!TrustText.IsApplication(application))
        {
            return IdentityStatus.BadApplication;
        }

        if (!NodeRoles.IsKnown(role))
        {
            return IdentityStatus.BadRole;
        }

        if (!TrustText.IsLowerHex(rest, AccessTokenSecret.IdLength))
        {
            return IdentityStatus.BadToken;
        }

        identity = new NodeIdentity(clusterId, nodeId, application.ToString(), role.ToString(), rest.ToString());
        return IdentityStatus.Ok;
    }

    private static bool TryCut(ref ReadOnlySpan<char> rest, string separator, out ReadOnlySpan<char> before)
    {
        int at = rest.IndexOf(separator, StringComparison.Ordinal);
        before = at < 0 ? default : rest[..at];
        rest = at < 0 ? rest : rest[(at + separator.Length)..];
        return at >= 0;
    }

    /// <summary>
    /// The only URI among the names, or null if there is none. Returns false if there are several, or if the names are not valid DER.
    /// </summary>
    private static bool TryReadUri(byte[] rawNames, out string? uri)
    {
        uri = null;
        var uriTag = new Asn1Tag(TagClass.ContextSpecific, 6);
        try
        {
            var reader = new AsnReader(rawNames, AsnEncodingRules.DER);
            AsnReader names = reader.ReadSequence();
            reader.ThrowIfNotEmpty();
            while (names.HasData)
            {
                if (!names.PeekTag().HasSameClassAndValue(uriTag))
                {
                    names.ReadEncodedValue();
                    continue;
                }

                if (uri is not null)
                {
                    return false;
                }

                uri = names.ReadCharacterString(UniversalTagNumber.IA5String, uriTag);
            }

            return true;
        }
        catch (AsnContentException)
        {
            return false;
        }
    }
}
