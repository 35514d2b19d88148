using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Testing.Signatures;

/// <summary>
/// Stands in for the cluster's certificate authority and for ECDSA, whose signatures differ from run to run: with it one seed gives one
/// run. Signatures have the real length. It is as strong as its secrecy: a signer's secret is known to the authority alone, which also
/// verifies, so a node of the simulation cannot forge; nothing outside a simulation may use it.
/// </summary>
internal sealed class SimulatedAuthority
{
    private const int CertificateBytes = 8 + 32;
    private readonly byte[] _secret = new byte[32];
    private readonly SortedDictionary<ulong, byte[]> _secrets = [];

    /// <summary>Makes the authority of a cluster.</summary>
    public SimulatedAuthority(DeterministicRandom random)
    {
        ArgumentNullException.ThrowIfNull(random);
        for (int i = 0; i < _secret.Length; i += 8)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(_secret.AsSpan(i), random.NextUInt64());
        }
    }

    /// <summary>Makes a signer, or the same again for the same name: a host keeps its key over restarts.</summary>
    public SimulatedSigner CreateSigner(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        byte[] secret = HMACSHA256.HashData(_secret, Encoding.UTF8.GetBytes("signer " + name));
        ulong signerId = BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(secret));
        _secrets[signerId] = secret;
        byte[] certificate = new byte[CertificateBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(certificate, signerId);
        HMACSHA256.HashData(_secret, certificate.AsSpan(0, 8), certificate.AsSpan(8));
        return new SimulatedSigner(this, signerId, certificate);
    }

    /// <summary>Whose certificate this is; null when this authority did not make it.</summary>
    public ulong? SignerOf(ReadOnlySpan<byte> certificate)
    {
        Span<byte> tag = stackalloc byte[32];
        if (certificate.Length != CertificateBytes)
        {
            return null;
        }

        HMACSHA256.HashData(_secret, certificate[..8], tag);
        return tag.SequenceEqual(certificate[8..]) ? BinaryPrimitives.ReadUInt64LittleEndian(certificate) : null;
    }

    /// <summary>True when a signer of this authority signed the id.</summary>
    public bool Verify(ReleaseSignature signature, in Digest160 id)
    {
        ArgumentNullException.ThrowIfNull(signature);
        return _secrets.ContainsKey(signature.SignerId) && Sign(signature.SignerId, id).AsSpan().SequenceEqual(signature.Bytes.Span);
    }

    internal byte[] Sign(ulong signerId, in Digest160 id)
    {
        byte[] secret = _secrets[signerId];
        Span<byte> message = stackalloc byte[Digest160.Size + 1];
        id.Write(message);
        message[Digest160.Size] = 0;
        byte[] signature = new byte[ReleaseSignature.SignatureBytes];
        HMACSHA256.HashData(secret, message, signature.AsSpan(0, 32));
        message[Digest160.Size] = 1;
        HMACSHA256.HashData(secret, message, signature.AsSpan(32));
        return signature;
    }
}
