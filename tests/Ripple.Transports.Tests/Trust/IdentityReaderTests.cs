using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Core;
using Ripple.Trust;

namespace Ripple.Transports.Tests.Trust;

public sealed class IdentityReaderTests
{
    private const string C = "00112233445566778899aabbccddeeff";

    [Fact]
    public void Each_kind_survives_its_text()
    {
        CertificateIdentity[] all =
        [
            new NodeIdentity(Id128.New(), Id128.New(), "shop.web", NodeRoles.Publisher, "0123456789abcdef"),
            new HostIdentity(Id128.New(), "Host-1.eu"),
            new SignerIdentity(Id128.New(), "h"),
        ];
        foreach (CertificateIdentity identity in all)
        {
            Assert.Equal(IdentityStatus.Ok, IdentityReader.Parse(identity.ToUri(), out CertificateIdentity? read));
            Assert.Equal(identity, read);
        }
    }

    [Theory]
    [InlineData("", IdentityStatus.Malformed)]
    [InlineData("RIPPLE://" + C + "/host/a", IdentityStatus.Malformed)]
    [InlineData("ripple://" + C, IdentityStatus.Malformed)]
    [InlineData("ripple://" + C + "/host", IdentityStatus.Malformed)]
    [InlineData("ripple://0/host/a", IdentityStatus.BadCluster)]
    [InlineData("ripple://00112233445566778899AABBCCDDEEFF/host/a", IdentityStatus.BadCluster)]
    [InlineData("ripple://" + C + "/guest/a", IdentityStatus.UnknownKind)]
    [InlineData("ripple://" + C + "/host/", IdentityStatus.BadName)]
    [InlineData("ripple://" + C + "/host/a/b", IdentityStatus.BadName)]
    [InlineData("ripple://" + C + "/signer/a?b", IdentityStatus.BadName)]
    [InlineData("ripple://" + C + "/node/" + C, IdentityStatus.Malformed)]
    [InlineData("ripple://" + C + "/node/1?app=a&role=node&token=0123456789abcdef", IdentityStatus.BadNodeId)]
    [InlineData("ripple://" + C + "/node/" + C + "?app=A&role=node&token=0123456789abcdef", IdentityStatus.BadApplication)]
    [InlineData("ripple://" + C + "/node/" + C + "?app=a&app=b&role=node&token=0123456789abcdef", IdentityStatus.BadApplication)]
    [InlineData("ripple://" + C + "/node/" + C + "?app=a&role=root&token=0123456789abcdef", IdentityStatus.BadRole)]
    [InlineData("ripple://" + C + "/node/" + C + "?app=a&role=node&token=0123456789abcdef&role=admin", IdentityStatus.BadToken)]
    public void Anything_else_says_what_is_wrong(string uri, IdentityStatus expected)
    {
        Assert.Equal(expected, IdentityReader.Parse(uri, out CertificateIdentity? identity));
        Assert.Null(identity);
    }

    [Fact]
    public void Two_names_or_no_name_in_a_certificate_are_no_identity()
    {
        Assert.Equal(IdentityStatus.Missing, IdentityReader.Read(SelfSigned(null), out _));
        var two = new SubjectAlternativeNameBuilder();
        two.AddUri(new Uri($"ripple://{C}/host/a"));
        two.AddUri(new Uri($"ripple://{C}/host/b"));
        Assert.Equal(IdentityStatus.Ambiguous, IdentityReader.Read(SelfSigned(two.Build()), out _));
        Assert.Equal(
            IdentityStatus.Ambiguous, IdentityReader.Read(SelfSigned(new X509Extension("2.5.29.17", [0x30, 0x84, 1], false)), out _));
    }

    [Fact]
    public void Mutated_identities_never_throw_and_never_gain_another_spelling()
    {
        int count = int.Parse(Environment.GetEnvironmentVariable("RIPPLE_FUZZ_COUNT") ?? "20000", CultureInfo.InvariantCulture);
        var random = new DeterministicRandom(7);
        string[] seeds =
        [
            new NodeIdentity(new(1, 2), new(3, 4), "shop.web", NodeRoles.Node, "0123456789abcdef").ToUri(),
            new HostIdentity(new(5, 6), "host-1").ToUri(),
        ];
        const string Alphabet = "ripple:/?&=0123456789abcdefnodehostapprolektn.-_ AZ%\0\u00e9";
        for (int i = 0; i < count; i++)
        {
            List<char> text = [.. seeds[i % seeds.Length]];
            for (int change = random.NextInt32(4); change >= 0; change--)
            {
                int at = random.NextInt32(Math.Max(1, text.Count));
                switch (random.NextInt32(4))
                {
                    case 0 when text.Count > 0:
                        text.RemoveAt(at);
                        break;
                    case 1:
                        text.Insert(Math.Min(at, text.Count), Alphabet[random.NextInt32(Alphabet.Length)]);
                        break;
                    case 2 when text.Count > 0:
                        text[at] = Alphabet[random.NextInt32(Alphabet.Length)];
                        break;
                    default:
                        text.RemoveRange(at, text.Count - at);
                        break;
                }
            }

            string mutated = new([.. text]);
            if (IdentityReader.Parse(mutated, out CertificateIdentity? identity) == IdentityStatus.Ok)
            {
                Assert.Equal(mutated, identity!.ToUri());
            }
        }
    }

    [Fact]
    public void Mutated_certificates_never_throw()
    {
        int count = int.Parse(Environment.GetEnvironmentVariable("RIPPLE_FUZZ_COUNT") ?? "20000", CultureInfo.InvariantCulture) / 100;
        using var authority = ClusterAuthority.Create();
        using X509Certificate2 host = authority.IssueHost("h", ["localhost"]);
        var random = new DeterministicRandom(8);
        for (int i = 0; i < count; i++)
        {
            byte[] der = [.. host.RawData];
            der[random.NextInt32(der.Length)] ^= (byte)(1 << random.NextInt32(8));
            X509Certificate2 mutated;
            try
            {
                mutated = X509CertificateLoader.LoadCertificate(der);
            }
            catch (CryptographicException)
            {
                continue;
            }

            using (mutated)
            {
                IdentityReader.Read(mutated, out _);
                Assert.NotEqual(TrustVerdict.Trusted, authority.Trust.Judge(mutated, CertificateUse.Server, DateTimeOffset.UtcNow, out _));
                AuthorityTrust.FromPinned(mutated, authority.Trust.Fingerprint.Span);
            }
        }
    }

    private static X509Certificate2 SelfSigned(X509Extension? names)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=x", key, HashAlgorithmName.SHA256);
        if (names is not null)
        {
            request.CertificateExtensions.Add(names);
        }

        return request.CreateSelfSigned(DateTimeOffset.UtcNow, DateTimeOffset.UtcNow.AddDays(1));
    }
}
