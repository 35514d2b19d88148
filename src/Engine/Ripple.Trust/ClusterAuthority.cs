using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>
/// The certificate authority of a cluster: ECDSA P-256, made by the first host, and the holder of the one key everything is trusted by.
/// Certificates: 16-byte random serials, valid from five minutes ago; the authority for 10 years, hosts and signers for one, nodes for 30
/// days. Any thread.
/// </summary>
public sealed class ClusterAuthority : IDisposable
{
    /// <summary>How long a node's certificate is valid. It is made anew at a connect in the last third.</summary>
    public static readonly TimeSpan NodeLifetime = TimeSpan.FromDays(30);

    /// <summary>How long a host's and a signer's certificate is valid.</summary>
    public static readonly TimeSpan HostLifetime = TimeSpan.FromDays(365);

    private readonly X509Certificate2 _certificate;
    private readonly TimeProvider _time;
    // Signing on one key object from several threads is not promised by the platform.
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

    /// <summary>Makes a new authority for a new cluster.</summary>
    /// <param name="time">The clock; null for the system's.</param>
    public static ClusterAuthority Create(TimeProvider? time = null)
    {
        time ??= TimeProvider.System;
        using ECDsa key = CertificateKey.New();
        using X509Certificate2 certificate = CertificateMaker.MakeAuthority(key, Id128.New(), time.GetUtcNow());
        return new(CertificateKey.Join(certificate, key), time);
    }

    /// <summary>Loads what <see cref="Save"/> wrote.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="CryptographicException">The file is not an authority's; the message says why.</exception>
    public static ClusterAuthority Load(string path, TimeProvider? time = null) =>
        new(CertificateFile.Load(path), time ?? TimeProvider.System);

    /// <summary>Writes certificate and key into a file that only its owner reads. Whoever has it can be anybody in the cluster.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Save(string path) => CertificateFile.Save(path, _certificate);

    /// <summary>Makes a key and a TLS certificate for a host, for both sides of TLS.</summary>
    /// <param name="name">The host's name, unique in the cluster: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>.</param>
    /// <param name="dnsNamesAndAddresses">What the host is reached by, for those who check names (browsers, the admin API's
    /// clients).</param>
    /// <exception cref="ArgumentException">A name breaks its rule.</exception>
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

    /// <summary>Makes a key and a certificate for a host's <see cref="ReleaseSigner"/>.</summary>
    /// <param name="name">The host's name.</param>
    /// <exception cref="ArgumentException">The name breaks its rule.</exception>
    public X509Certificate2 IssueSigner(string name)
    {
        CheckName(name);
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri(new SignerIdentity(ClusterId, name).ToUri()));
        return IssueWithKey(name, new([CertificateUse.Signing], names, HostLifetime, BringsAuthority: false));
    }

    /// <summary>Certifies a node's public key. Everything in the certificate but the key comes from the host.</summary>
    /// <param name="subjectPublicKeyInfo">The key in DER.</param>
    /// <param name="identity">Who the node is; its cluster must be this one.</param>
    /// <param name="name">The node's name: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>.</param>
    /// <returns>The certificate without a private key; null when the key is not a P-256 key in DER.</returns>
    /// <exception cref="ArgumentException">The identity or the name breaks its rule.</exception>
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

    /// <summary>True when a certificate has less than a third of its time left.</summary>
    public bool IsDue(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        DateTimeOffset from = certificate.NotBefore;
        DateTimeOffset to = certificate.NotAfter;
        return _time.GetUtcNow() > from + ((to - from) * 2 / 3);
    }

    /// <summary>Forgets the key.</summary>
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
