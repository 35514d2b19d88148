using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// The host's authority and certificates: created if missing, else loaded, and reissued when due. Files are written completely or not at
/// all.
/// </summary>
internal sealed class HostTrust : IDisposable
{
    private readonly GmsDirectory _directory;
    private readonly GmsServerOptions _options;
    private readonly ILogger _logger;
    private readonly SharedTrust? _shared;

    private HostTrust(
        GmsDirectory directory, GmsServerOptions options, ClusterAuthority authority, SharedTrust? shared, ILogger logger)
    {
        _shared = shared;
        _directory = directory;
        _options = options;
        _logger = logger;
        Authority = authority;
    }

    public ClusterAuthority Authority { get; }

    /// <summary>The cluster's id in the store's form.</summary>
    public Guid ClusterGuid => ToGuid(Authority.ClusterId);

    /// <summary>
    /// Loads the authority, or takes it over from the other hosts of the cluster, or creates it if neither the directory nor the store
    /// knows a cluster.
    /// </summary>
    public static HostTrust Open(
        GmsDirectory directory, GmsServerOptions options, Guid? storedCluster, SharedTrust? shared, ILogger logger)
    {
        ClusterAuthority authority = Guarded(directory.Authority, () => LoadOrCreate(directory, storedCluster, shared, logger));
        if (storedCluster is { } stored && stored != ToGuid(authority.ClusterId))
        {
            authority.Dispose();
            throw new GmsServerException(
                $"The store '{directory.Store}' belongs to the cluster {stored:N}, but '{directory.Authority}' is the authority of "
                    + $"another. Put the file back that belongs to the store.");
        }

        if (shared is not null)
        {
            Guarded(directory.ClusterKey, () =>
            {
                shared.SealAuthority(ToGuid(authority.ClusterId));
                return 0;
            });
        }

        return new HostTrust(directory, options, authority, shared, logger);
    }

    /// <summary>The host's TLS certificate; reissued when it is missing, due, or for names other than the host's current ones.</summary>
    public X509Certificate2 HostCertificate() => Guarded(_directory.Host, () =>
    {
        string[] names = Names();
        X509Certificate2? certificate = CertificateFile.TryLoad(_directory.Host);
        if (certificate is not null && IsUsable(certificate, CertificateUse.Server) && IsFor(certificate, names))
        {
            return certificate;
        }

        certificate?.Dispose();
        return Keep(_directory.Host, Authority.IssueHost(_options.EffectiveName, names));
    });

    /// <summary>
    /// The signer's certificate; reissued when it is missing or due. A copy without the key stays in the directory forever.
    /// </summary>
    /// <param name="isAnother">True to reissue it in any case.</param>
    public X509Certificate2 SignerCertificate(bool isAnother = false) => Guarded(_directory.Signer, () =>
    {
        X509Certificate2? certificate = CertificateFile.TryLoad(_directory.Signer);
        if (certificate is null || isAnother || !IsUsable(certificate, CertificateUse.Signing))
        {
            certificate?.Dispose();
            certificate = Keep(_directory.Signer, Authority.IssueSigner(_options.EffectiveName));
        }

        if (!Directory.Exists(_directory.Signers))
        {
            CreateOwnerOnly(_directory.Signers);
        }

        string copy = Path.Combine(_directory.Signers, $"{certificate.SerialNumber}.cer");
        if (!File.Exists(copy))
        {
            File.WriteAllBytes(copy, certificate.RawData);
        }

        // Before it signs anything: another host is to verify that later.
        _shared?.ShareSigners();
        return certificate;
    });

    /// <summary>
    /// The certificates of all keys this host has signed with, DER, newest first by what they say of themselves: a copy of the directory
    /// has other times. What is no certificate is left out.
    /// </summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> SignerCertificates() => Guarded(_directory.Signers, () =>
        new DirectoryInfo(_directory.Signers).EnumerateFiles("*.cer")
            .OrderBy(f => f.Name, StringComparer.Ordinal)
            .Select(f => new ReadOnlyMemory<byte>(File.ReadAllBytes(f.FullName)))
            .Select(der => (Der: der, BeginsAt: BeginOf(der)))
            .Where(c => c.BeginsAt is not null)
            .OrderByDescending(c => c.BeginsAt)
            .Select(c => c.Der).ToArray());

    public void Dispose() => Authority.Dispose();

    internal static void CreateOwnerOnly(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
        }
        else
        {
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    private static ClusterAuthority LoadOrCreate(GmsDirectory directory, Guid? storedCluster, SharedTrust? shared, ILogger logger)
    {
        if (File.Exists(directory.Authority))
        {
            return ClusterAuthority.Load(directory.Authority);
        }

        if (storedCluster is { } stored)
        {
            if (shared?.OpenAuthority(stored) is { } authorityFile)
            {
                OwnerOnlyFile.Write(directory.Authority, authorityFile);
                HostLog.AuthorityTaken(logger, stored.ToString("N"), directory.Authority);
                return ClusterAuthority.Load(directory.Authority);
            }

            throw new GmsServerException(
                $"The authority '{directory.Authority}' of the cluster {stored:N} is missing. "
                    + $"Put it back from a copy; without it no node can be let in, and a new cluster needs an empty directory.");
        }

        var authority = ClusterAuthority.Create();
        authority.Save(directory.Authority);
        HostLog.ClusterCreated(logger, authority.ClusterId.ToString(), directory.Authority);
        return authority;
    }

    private static DateTime? BeginOf(ReadOnlyMemory<byte> der)
    {
        try
        {
            using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(der.Span);
            return certificate.NotBefore;
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    private static Guid ToGuid(Id128 id)
    {
        Span<byte> bytes = stackalloc byte[Id128.Bytes];
        id.Write(bytes);
        return new Guid(bytes, bigEndian: true);
    }

    private static T Guarded<T>(string path, Func<T> action)
    {
        try
        {
            return action();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw new GmsServerException(
                $"'{path}' cannot be used ({e.Message}). Check its owner and rights, or put it back from a copy.", e);
        }
    }

    private static bool IsFor(X509Certificate2 certificate, string[] names)
    {
        X509SubjectAlternativeNameExtension? extension = certificate.Extensions
            .OfType<X509SubjectAlternativeNameExtension>()
            .FirstOrDefault()
            ?? Reread(certificate);
        return extension is not null
            && names.Order(StringComparer.Ordinal).SequenceEqual(
                extension.EnumerateDnsNames()
                    .Concat(extension.EnumerateIPAddresses().Select(a => a.ToString()))
                    .Order(StringComparer.Ordinal),
                StringComparer.Ordinal);
    }

    private static X509SubjectAlternativeNameExtension? Reread(X509Certificate2 certificate) =>
        certificate.Extensions["2.5.29.17"] is { } raw ? new X509SubjectAlternativeNameExtension(raw.RawData, raw.Critical) : null;

    private bool IsUsable(X509Certificate2 certificate, CertificateUse use) =>
        Authority.Trust.Judge(certificate, use, DateTimeOffset.UtcNow, out CertificateIdentity? identity) == TrustVerdict.Trusted
        && !Authority.IsDue(certificate)
        && NameOf(identity!) == _options.EffectiveName;

    private static string NameOf(CertificateIdentity identity) => identity switch
    {
        HostIdentity host => host.Name,
        SignerIdentity signer => signer.Name,
        _ => "",
    };

    private X509Certificate2 Keep(string path, X509Certificate2 certificate)
    {
        CertificateFile.Save(path, certificate);
        HostLog.CertificateIssued(_logger, path, certificate.NotAfter.ToUniversalTime().ToString("u", CultureInfo.InvariantCulture));
        return certificate;
    }

    /// <summary>
    /// The names and addresses that the host may be reached by, without duplicates, in the form in which a certificate returns them.
    /// </summary>
    private string[] Names()
    {
        string[] names =
        [
            "localhost",
            Environment.MachineName,
            _options.EffectiveAdvertiseAddress,
            _options.ListenAddress.Address.ToString(),
            IPAddress.Loopback.ToString(),
            IPAddress.IPv6Loopback.ToString(),
        ];
        return [.. names
            .Select(n => IPAddress.TryParse(n, out IPAddress? address) ? new IPAddress(address.GetAddressBytes()).ToString() : n)
            .Where(n => !(IPAddress.TryParse(n, out IPAddress? address) && GmsServerOptions.IsAny(address)))
            .Where(n => Uri.CheckHostName(n) is UriHostNameType.Dns or UriHostNameType.IPv4 or UriHostNameType.IPv6)
            .Distinct(StringComparer.Ordinal)];
    }
}
