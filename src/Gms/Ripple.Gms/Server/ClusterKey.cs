using System.Security.Cryptography;
using System.Text;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// The key that the hosts of a cluster have in common, and that seals the authority in their database: 32 random bytes, in hexadecimal
/// digits, in a file that only its owner may read. Whoever has it and the database is the authority.
/// </summary>
internal sealed class ClusterKey
{
    private const int KeyBytes = 32;
    private const int NonceBytes = 12;
    private const int TagBytes = 16;
    private const byte Version = 1;
    private readonly byte[] _key;

    private ClusterKey(byte[] key) => _key = key;

    /// <summary>Makes a key and its file.</summary>
    public static ClusterKey Make(string path)
    {
        var made = new ClusterKey(RandomNumberGenerator.GetBytes(KeyBytes));
        OwnerOnlyFile.Write(path, Encoding.ASCII.GetBytes(Convert.ToHexStringLower(made._key) + "\n"));
        return made;
    }

    /// <summary>Reads the key; null if there is no file.</summary>
    /// <exception cref="GmsServerException">The file is not a key, or others may read it.</exception>
    public static ClusterKey? TryRead(string path)
    {
        const UnixFileMode Others = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead | UnixFileMode.OtherWrite;
        if (!File.Exists(path))
        {
            return null;
        }

        if (FileOwner.RefuseFile(path) is { } refusal)
        {
            throw new GmsServerException($"The cluster key '{path}' is not read: {refusal}");
        }

        if (!OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & Others) != 0)
        {
            throw new GmsServerException(
                $"The cluster key '{path}' may be read or written by others than its owner. Take that right away (chmod 600).");
        }

        string text = File.ReadAllText(path).Trim();
        return text.Length == 2 * KeyBytes && text.All(char.IsAsciiHexDigit)
            ? new ClusterKey(Convert.FromHexString(text))
            : throw new GmsServerException(
                $"'{path}' is not a cluster key of {2 * KeyBytes} hexadecimal digits. Copy the file of another host of the cluster.");
    }

    /// <summary>Seals a secret of a cluster.</summary>
    public byte[] Seal(Guid cluster, ReadOnlySpan<byte> secret)
    {
        byte[] sealedBytes = new byte[1 + NonceBytes + TagBytes + secret.Length];
        sealedBytes[0] = Version;
        Span<byte> nonce = sealedBytes.AsSpan(1, NonceBytes);
        RandomNumberGenerator.Fill(nonce);
        using var cipher = new AesGcm(_key, TagBytes);
        cipher.Encrypt(
            nonce,
            secret,
            sealedBytes.AsSpan(1 + NonceBytes + TagBytes),
            sealedBytes.AsSpan(1 + NonceBytes, TagBytes),
            cluster.ToByteArray(bigEndian: true));
        return sealedBytes;
    }

    /// <summary>Opens what was sealed; null if it was sealed with another key, for another cluster, or changed.</summary>
    public byte[]? TryOpen(Guid cluster, ReadOnlySpan<byte> sealedBytes)
    {
        if (sealedBytes.Length < 1 + NonceBytes + TagBytes || sealedBytes[0] != Version)
        {
            return null;
        }

        byte[] secret = new byte[sealedBytes.Length - 1 - NonceBytes - TagBytes];
        using var cipher = new AesGcm(_key, TagBytes);
        try
        {
            cipher.Decrypt(
                sealedBytes.Slice(1, NonceBytes),
                sealedBytes[(1 + NonceBytes + TagBytes)..],
                sealedBytes.Slice(1 + NonceBytes, TagBytes),
                secret,
                cluster.ToByteArray(bigEndian: true));
            return secret;
        }
        catch (AuthenticationTagMismatchException)
        {
            return null;
        }
    }
}
