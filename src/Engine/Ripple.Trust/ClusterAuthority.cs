using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>
/// The certificate authority of a cluster: ECDSA P-256, created by the first host. It holds the one private key that all trust in the
/// cluster derives from. Certificates have 16-byte random serials and are valid from five minutes before issue: the authority's for 10
/// years, hosts' and signers' for one, nodes' for 30 days. Thread-safe.
/// </summary>
public sealed class ClusterAuthority : IDisposable
{
    /// <summary>How long a node's certificate is valid. It is renewed on a connect in the last third of that time.</summary>
    public static readonly TimeSpan NodeLifetime = TimeSpan.FromDays(30);

    /// <summary>How long a host's and a signer's certificate is valid.</summary>
    public static readonly TimeSpan HostLifetime = TimeSpan.FromDays(365);

    private readonly X509Certificate2 _certificate;
    private readonly TimeProvider _time;
    // The platform does not guarantee that one key object can sign on several threads at once.
    private readonly Lock _signing = new();

    private ClusterAuthority(X509Certificate2 certificate, TimeProvider time)
    {
        _certificate = certificate;
        _time = time;
        Trust = AuthorityTrust.FromDer(certificate.RawData)
            ?? throw new CryptographicException(
                "The certificate is not a Ripple cluster's authority: its subject must be 'CN=Ripple cluster <32 hexadecimal digits>'.");
    }

    /// <summary>The public half.</summary>
    public AuthorityTrust Trust { get; }

    /// <summary>The cluster.</summary>
    public Id128 ClusterId => Trust.ClusterId;

    /// <summary>Creates a new authority for a new cluster.</summary>
    /// <param name="time">The clock; null for the system clock.</param>
    public static ClusterAuthority Create(TimeProvider? time = null)
    {
        time ??= TimeProvider.System;
        using ECDsa key = CertificateKey.New();
        using X509Certificate2 certificate = CertificateMaker.MakeAuthority(key, Id128.New(), time.GetUtcNow());
        return new(CertificateKey.Join(certificate, key), time);
    }

    /// <summary>Loads a file written by <see cref="Save"/>.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="CryptographicException">The file does not contain an authority; the message says why.</exception>
    public static ClusterAuthority Load(string path, TimeProvider? time = null) =>
        new(CertificateFile.Load(path), time ?? TimeProvider.System);

    /// <summary>
    /// Writes the certificate and key to a file that only its owner can read. Anyone who has the file can impersonate any identity in the
    /// cluster.
    /// </summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Save(string path) => CertificateFile.Save(path, _certificate);

    /// <summary>Creates a key and a TLS certificate for a host, usable on both sides of TLS.</summary>
    /// <param name="name">The host's name, unique in the cluster: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>.</param>
    /// <param name="dnsNamesAndAddresses">The DNS names and IP addresses the host is reached by, for clients that check names (browsers,
    /// the admin API's clients).</param>
    /// <exception cref="ArgumentException">A name violates its rule.</exception>
    public X509Certificate2 IssueHost(string name, IEnumerable<string> dnsNamesAndAddresses)
    {
        ArgumentNullException.ThrowIfNull(dnsNamesAndAddresses);
        CheckName(name);
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri(new HostIdentity(ClusterId, name).ToUri()));
        foreach (string reached in dnsNamesAndAddresses)
        {
            if (IPAddress.TryParse(reached, out IPAddress? address))
            {
                names.AddIpAddress(address);
            }
            else if (Uri.CheckHostName(reached) == UriHostNameType.Dns)
            {
                names.AddDnsName(reached);
            }
            else
            {
                throw new ArgumentException($"'{reached}' is neither a DNS name nor an IP address.", nameof(dnsNamesAndAddresses));
            }
        }

        return IssueWithKey(name, new([CertificateUse.Server, CertificateUse.Client], names, HostLifetime, BringsAuthority: true));
    }

    /// <summary>Creates a key and a certificate for a host's <see cref="ReleaseSigner"/>.</summary>
    /// <param name="name">The host's name.</param>
    /// <exception cref="ArgumentException">The name violates its rule.</exception>
    public X509Certificate2 IssueSigner(string name)
    {
        CheckName(name);
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri(new SignerIdentity(ClusterId, name).ToUri()));
        return IssueWithKey(name, new([CertificateUse.Signing], names, HostLifetime, BringsAuthority: false));
    }

    /// <summary>Certifies a node's public key. The host determines everything in the certificate except the key.</summary>
    /// <param name="subjectPublicKeyInfo">The key in DER.</param>
    /// <param name="identity">The node's identity; its cluster must be this one.</param>
    /// <param name="name">The node's name: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>.</param>
    /// <returns>The certificate without a private key; null if the key is not a P-256 key in DER.</returns>
    /// <exception cref="ArgumentException">The identity or the name violates its rule.</exception>
    public X509Certificate2? IssueNode(ReadOnlySpan<byte> subjectPublicKeyInfo, NodeIdentity identity, string name)
    {
        ArgumentNullException.ThrowIfNull(identity);
        CheckName(name);
        if (identity.ClusterId != ClusterId || IdentityReader.Parse(identity.ToUri(), out _) != IdentityStatus.Ok)
        {
            throw new ArgumentException($"'{identity.ToUri()}' is not a node of the cluster {ClusterId}.", nameof(identity));
        }

        PublicKey? key = CertificateKey.Read(subjectPublicKeyInfo);
        if (key is null)
        {
            return null;
        }

        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri(identity.ToUri()));
        return Issue(key, name, new([CertificateUse.Client], names, NodeLifetime, BringsAuthority: false));
    }

    /// <summary>Whether a certificate has less than a third of its lifetime left.</summary>
    public bool IsDue(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        DateTimeOffset from = certificate.NotBefore;
        DateTimeOffset to = certificate.NotAfter;
        return _time.GetUtcNow() > from + ((to - from) * 2 / 3);
    }

    /// <summary>Disposes of the key.</summary>
    public void Dispose() => _certificate.Dispose();

    private static void CheckName(string name)
    {
        if (!TrustText.IsName(name))
        {
            throw new ArgumentException($"The name '{name}' is not {TrustText.NameRule}.", nameof(name));
        }
    }

    private X509Certificate2 IssueWithKey(string name, CertificateMaker.LeafForm form)
    {
        using ECDsa key = CertificateKey.New();
        using X509Certificate2 certificate = Issue(new PublicKey(key), name, form);
        return CertificateKey.Join(certificate, key);
    }

    private X509Certificate2 Issue(PublicKey key, string name, CertificateMaker.LeafForm form)
    {
        lock (_signing)
        {
            return CertificateMaker.MakeLeaf(_certificate, key, name, form, _time.GetUtcNow());
        }
    }
}
