using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Text;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Client.Snapshots;

/// <summary>
/// The file of a snapshot, little-endian: magic with version; authority, signer and each header of the chain behind u32 lengths; the signature; the key table;
/// the values; SHA-256 of all that. The hash finds a broken disk and says so; trust comes from the signature alone.
/// </summary>
internal static class SnapshotCodec
{
    /// <summary>The longest file that is read: 1 GiB.</summary>
    public const long FileBytesMax = 1L << 30;

    private const int CertificateBytesMax = 65_536;
    private const int EntryBytesMin = 2 + Digest160.Size + 4 + 1 + 1;

    private static ReadOnlySpan<byte> Magic => "RPLSNAP1"u8;

    /// <summary>Writes a state with what proves it.</summary>
    /// <exception cref="IOException">The stream failed.</exception>
    public static void Write(Stream destination, ApplicationState state, ReadOnlyMemory<byte> authority, ReadOnlyMemory<byte> signer)
    {
        ReleaseProof proof = state.Proof ?? throw new ArgumentException("A state without a release has no snapshot.", nameof(state));
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var head = new MemoryStream();
        head.Write(Magic);
        WriteBlock(head, authority.Span);
        WriteBlock(head, signer.Span);
        WriteU16(head, checked((ushort)proof.Chain.Length));
        foreach (ReleaseHeader header in proof.Chain)
        {
            WriteBlock(head, header.Encode());
        }

        head.Write(proof.Signature.Encode());
        WriteU32(head, (uint)state.Keys.Keys.Count);
        Span<byte> digest = stackalloc byte[Digest160.Size];
        foreach ((string key, KeyEntry entry) in state.Keys.Keys)
        {
            byte[] text = Encoding.UTF8.GetBytes(key);
            WriteU16(head, (ushort)text.Length);
            head.Write(text);
            entry.Digest.Write(digest);
            head.Write(digest);
            WriteU32(head, (uint)entry.Length);
            head.WriteByte((byte)entry.Form);
            head.WriteByte(state.Values.ContainsKey(key) ? (byte)1 : (byte)0);
        }

        Put(destination, hash, head.GetBuffer().AsSpan(0, (int)head.Length));
        foreach (string key in state.Keys.Keys.Keys)
        {
            if (state.Values.TryGetValue(key, out ReadOnlyMemory<byte> value))
            {
                Put(destination, hash, value.Span);
            }
        }

        destination.Write(hash.GetHashAndReset());
    }

    /// <summary>Reads what <see cref="Write"/> wrote; null, and why, for anything else. Never throws. The values are slices of the content.</summary>
    public static Snapshot? TryRead(ReadOnlyMemory<byte> content, out string error)
    {
        ReadOnlySpan<byte> bytes = content.Span;
        if (bytes.Length < Magic.Length + SHA256.HashSizeInBytes || !bytes.StartsWith(Magic))
        {
            error = "it is not a snapshot of a version this client knows";
            return null;
        }

        int end = bytes.Length - SHA256.HashSizeInBytes;
        if (!SHA256.HashData(bytes[..end]).AsSpan().SequenceEqual(bytes[end..]))
        {
            error = "it is damaged: its hash does not match its content";
            return null;
        }

        error = "its content is malformed";
        var reader = new WireReader(bytes[Magic.Length..end]);
        byte[] authority = reader.ReadBlock32(CertificateBytesMax).ToArray();
        byte[] signer = reader.ReadBlock32(CertificateBytesMax).ToArray();
        if (ReadProof(ref reader) is not { } proof)
        {
            return null;
        }

        uint count = reader.ReadU32();
        if (!reader.IsOk || count > reader.RemainingBytes / EntryBytesMin)
        {
            return null;
        }

        var keys = new KeyValuePair<string, KeyEntry>[count];
        var held = new List<KeyValuePair<string, int>>();
        for (int i = 0; i < keys.Length; i++)
        {
            string key = reader.ReadText16(ReleaseLimits.KeyBytesMax);
            ReadOnlySpan<byte> digest = reader.ReadBytes(Digest160.Size);
            uint length = reader.ReadU32();
            var form = (KeyForm)reader.ReadU8();
            bool isHeld = reader.ReadBool();
            if (!reader.IsOk || length > ReleaseLimits.BodyBytesMax || form is not (KeyForm.Bytes or KeyForm.Json))
            {
                return null;
            }

            keys[i] = new(key, new KeyEntry(Digest160.Read(digest), (int)length, form));
            if (isHeld)
            {
                held.Add(new(key, (int)length));
            }
        }

        var values = new List<KeyValuePair<string, ReadOnlyMemory<byte>>>(held.Count);
        foreach ((string key, int length) in held)
        {
            int offset = end - reader.RemainingBytes;
            if (reader.ReadBytes(length).Length != length)
            {
                return null;
            }

            values.Add(new(key, content.Slice(offset, length)));
        }

        if (reader.End() != DecodeStatus.Ok)
        {
            return null;
        }

        error = string.Empty;
        return new Snapshot(authority, signer, proof, keys, values);
    }

    private static ReleaseProof? ReadProof(ref WireReader reader)
    {
        int count = reader.ReadCount16(4);
        ImmutableArray<ReleaseHeader>.Builder chain = ImmutableArray.CreateBuilder<ReleaseHeader>(count);
        for (int i = 0; i < count; i++)
        {
            if (!ReleaseHeader.TryDecode(reader.ReadBlock32(ReleaseLimits.HeaderBytesMax), out ReleaseHeader? header))
            {
                return null;
            }

            chain.Add(header);
        }

        ReleaseSignature? signature = ReleaseSignature.TryRead(reader.ReadBytes(ReleaseSignature.EncodedBytes));
        return count == 0 || signature is null || !reader.IsOk ? null : new ReleaseProof(chain.MoveToImmutable(), signature);
    }

    private static void Put(Stream destination, IncrementalHash hash, ReadOnlySpan<byte> bytes)
    {
        hash.AppendData(bytes);
        destination.Write(bytes);
    }

    private static void WriteBlock(MemoryStream stream, ReadOnlySpan<byte> bytes)
    {
        WriteU32(stream, (uint)bytes.Length);
        stream.Write(bytes);
    }

    private static void WriteU16(MemoryStream stream, ushort value)
    {
        Span<byte> bytes = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, value);
        stream.Write(bytes);
    }

    private static void WriteU32(MemoryStream stream, uint value)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        stream.Write(bytes);
    }
}
