using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Simulator.Signatures;

/// <summary>
/// Replaces the cluster's certificate authority and ECDSA, whose signatures differ between runs, so that a seed determines the run.
/// Signatures have the real length. Its strength is its secrecy: only the authority, which also verifies, knows a signer's secret, so a
/// simulated node cannot forge. Never use it outside a simulation.
/// </summary>
internal sealed class SimulatedAuthority
{
    private const int CertificateBytes = 8 + 32;
    private readonly byte[] _secret = new byte[32];
    private readonly SortedDictionary<ulong, byte[]> _secrets = [];

    /// <summary>Creates the authority of a cluster.</summary>
    public SimulatedAuthority(DeterministicRandom random)
    {
        ArgumentNullException.ThrowIfNull(random);
        for (int i = 0; i < _secret.Length; i += 8)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(_secret.AsSpan(i), random.NextUInt64());
        }
    }

    /// <summary>Creates a signer; the same name yields the same signer, as a host keeps its key across restarts.</summary>
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

    /// <summary>The signer a certificate belongs to; null if this authority did not create it.</summary>
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

    /// <summary>Whether a signer of this authority signed the id.</summary>
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
