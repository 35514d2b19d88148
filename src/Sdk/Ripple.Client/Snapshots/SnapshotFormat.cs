using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Text;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Client.Snapshots;

/// <summary>
/// The format of a snapshot file, little-endian: magic with version; the authority's certificate with a u32 length; flags for the states
/// that follow; since version 2, the rejections with a u16 count, each with generation, release and reason. Each state: its signer's
/// certificate and the headers of its chain, each with a u32 length, the signature, the key table, the values held. Last, SHA-256 of
/// everything before it, which detects disk corruption; trust rests on the signatures alone.
/// </summary>
internal static class SnapshotFormat
{
    /// <summary>Maximum size of a file to read: 1 GiB.</summary>
    public const long FileBytesMax = 1L << 30;

    /// <summary>The state accepted last follows.</summary>
    public const byte HasApplied = 1;

    /// <summary>A newer state follows, received but not in effect.</summary>
    public const byte HasReceived = 2;

    /// <summary>The node does not hold the key's value.</summary>
    public const byte NotHeld = 0;

    /// <summary>The key's value follows the table.</summary>
    public const byte Held = 1;

    /// <summary>The key's value is in the preceding state.</summary>
    public const byte HeldByFirst = 2;

    /// <summary>The first bytes.</summary>
    public static ReadOnlySpan<byte> Magic => "RPLSNAP2"u8;

    /// <summary>The first bytes of a file of version 1, which has no rejections. It is read, and replaced at the next save.</summary>
    public static ReadOnlySpan<byte> Magic1 => "RPLSNAP1"u8;
}

/// <summary>Writes a snapshot file; see <see cref="SnapshotFormat"/>.</summary>
internal static class SnapshotEncoder
{
    /// <summary>Writes the states of an application together with their proofs.</summary>
    /// <param name="destination">Receives the bytes.</param>
    /// <param name="snapshot">The states; at least the received one has a release.</param>
    /// <param name="authority">The authority's certificate.</param>
    /// <param name="signerOf">Returns the certificate of a signer; throws <see cref="IOException"/> if it is not known.</param>
    /// <exception cref="IOException">The stream failed, or a signer is not known.</exception>
    public static void Write(
        Stream destination, ReplicaSnapshot snapshot, ReadOnlyMemory<byte> authority, Func<ulong, ReadOnlyMemory<byte>> signerOf)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        ApplicationState? applied = snapshot.Applied.Proof is null ? null : snapshot.Applied;
        bool isSame = applied is not null && applied.Keys.Id == snapshot.Received.Keys.Id;
        var head = new MemoryStream();
        head.Write(SnapshotFormat.Magic);
        WriteBlock(head, authority.Span);
        head.WriteByte((byte)((applied is null ? 0 : SnapshotFormat.HasApplied) | (isSame ? 0 : SnapshotFormat.HasReceived)));
        WriteRejections(head, snapshot.Rejections);
        if (applied is not null)
        {
            WriteState(destination, hash, head, applied, null, signerOf);
        }

        if (!isSame)
        {
            WriteState(destination, hash, head, snapshot.Received, applied, signerOf);
        }

        destination.Write(hash.GetHashAndReset());
    }

    private static void WriteState(
        Stream destination,
        IncrementalHash hash,
        MemoryStream head,
        ApplicationState state,
        ApplicationState? first,
        Func<ulong, ReadOnlyMemory<byte>> signerOf)
    {
        ReleaseProof proof = state.Proof ?? throw new ArgumentException("A state without a release has no snapshot.", nameof(state));
        WriteBlock(head, signerOf(proof.Signature.SignerId).Span);
        WriteU16(head, checked((ushort)proof.Chain.Length));
        foreach (ReleaseHeader header in proof.Chain)
        {
            WriteBlock(head, header.Encode());
        }

        head.Write(proof.Signature.Encode());
        WriteU32(head, (uint)state.Keys.Keys.Count);
        var own = new List<ReadOnlyMemory<byte>>();
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
            byte place = SnapshotFormat.NotHeld;
            if (state.Values.TryGetValue(key, out ReadOnlyMemory<byte> value))
            {
                bool isShared = first is not null && first.Values.ContainsKey(key) && first.Keys.Keys[key] == entry;
                place = isShared ? SnapshotFormat.HeldByFirst : SnapshotFormat.Held;
                if (!isShared)
                {
                    own.Add(value);
                }
            }

            head.WriteByte(place);
        }

        Put(destination, hash, head.GetBuffer().AsSpan(0, (int)head.Length));
        head.SetLength(0);
        foreach (ReadOnlyMemory<byte> value in own)
        {
            Put(destination, hash, value.Span);
        }
    }

    private static void WriteRejections(MemoryStream head, IReadOnlyList<RejectionRow> rejections)
    {
        WriteU16(head, checked((ushort)rejections.Count));
        Span<byte> release = stackalloc byte[8];
        foreach (RejectionRow row in rejections)
        {
            WriteU32(head, row.Generation);
            BinaryPrimitives.WriteUInt64LittleEndian(release, row.Release);
            head.Write(release);
            byte[] reason = Encoding.UTF8.GetBytes(row.Reason);
            WriteU16(head, checked((ushort)reason.Length));
            head.Write(reason);
        }
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

/// <summary>Reads files written by <see cref="SnapshotEncoder"/>; see <see cref="SnapshotFormat"/>. Never throws.</summary>
internal static class SnapshotDecoder
{
    private const int CertificateBytesMax = 65_536;
    private const int RejectionBytesMin = 4 + 8 + 2;
    private const int EntryBytesMin = 2 + Digest160.Size + 4 + 1 + 1;

    /// <summary>Null, with the reason, unless the content is intact and well-formed. The values are slices of the content.</summary>
    public static Snapshot? TryRead(ReadOnlyMemory<byte> content, out string error)
    {
        ReadOnlySpan<byte> bytes = content.Span;
        bool isOld = bytes.StartsWith(SnapshotFormat.Magic1);
        if (bytes.Length < SnapshotFormat.Magic.Length + SHA256.HashSizeInBytes || (!isOld && !bytes.StartsWith(SnapshotFormat.Magic)))
        {
            error = "it is not a snapshot of a version this client knows";
            return null;
        }

        ReadOnlyMemory<byte> body = content[..^SHA256.HashSizeInBytes];
        if (!SHA256.HashData(body.Span).AsSpan().SequenceEqual(bytes[body.Length..]))
        {
            error = "it is damaged: its hash does not match its content";
            return null;
        }

        var reader = new WireReader(body.Span[SnapshotFormat.Magic.Length..]);
        byte[] authority = reader.ReadBlock32(CertificateBytesMax).ToArray();
        byte states = reader.ReadU8();
        RejectionRow[] rejections = isOld ? [] : ReadRejections(ref reader);
        SnapshotState? applied = (states & SnapshotFormat.HasApplied) != 0 ? ReadState(ref reader, body, null) : null;
        SnapshotState? received = (states & SnapshotFormat.HasReceived) != 0 ? ReadState(ref reader, body, applied) : applied;
        bool isKnown = states is > 0 and <= (SnapshotFormat.HasApplied | SnapshotFormat.HasReceived);
        if (!isKnown || reader.End() != DecodeStatus.Ok || received is null)
        {
            error = "its content is malformed";
            return null;
        }

        error = string.Empty;
        return new Snapshot(authority, applied, received, rejections);
    }

    private static RejectionRow[] ReadRejections(ref WireReader reader)
    {
        var rows = new RejectionRow[reader.ReadCount16(RejectionBytesMin, RejectionLog.CountMax)];
        for (int i = 0; i < rows.Length; i++)
        {
            uint generation = reader.ReadU32();
            ulong release = reader.ReadU64();
            rows[i] = new RejectionRow(0, generation, release, reader.ReadText16(RejectionRow.ReasonBytesMax));
        }

        return rows;
    }

    private static SnapshotState? ReadState(ref WireReader reader, ReadOnlyMemory<byte> body, SnapshotState? first)
    {
        byte[] signer = reader.ReadBlock32(CertificateBytesMax).ToArray();
        ReleaseProof? proof = ReadProof(ref reader);
        uint count = reader.ReadU32();
        if (proof is null || count > reader.RemainingBytes / EntryBytesMin)
        {
            reader.Fail();
            return null;
        }

        var keys = new KeyValuePair<string, KeyEntry>[count];
        var places = new byte[count];
        for (int i = 0; i < keys.Length; i++)
        {
            string key = reader.ReadText16(ReleaseLimits.KeyBytesMax);
            ReadOnlySpan<byte> digest = reader.ReadBytes(Digest160.Size);
            uint length = reader.ReadU32();
            var form = (KeyForm)reader.ReadU8();
            places[i] = reader.ReadU8();
            if (!reader.IsOk || length > ReleaseLimits.BodyBytesMax || form is not (KeyForm.Bytes or KeyForm.Json))
            {
                reader.Fail();
                return null;
            }

            keys[i] = new(key, new KeyEntry(Digest160.Read(digest), (int)length, form));
        }

        var values = new Dictionary<string, ReadOnlyMemory<byte>>(StringComparer.Ordinal);
        for (int i = 0; i < keys.Length; i++)
        {
            (string key, KeyEntry entry) = keys[i];
            ReadOnlyMemory<byte> shared = default;
            switch (places[i])
            {
                case SnapshotFormat.NotHeld:
                    break;
                case SnapshotFormat.Held:
                    values[key] = body.Slice(body.Length - reader.RemainingBytes, Math.Min(entry.Length, reader.RemainingBytes));
                    reader.ReadBytes(entry.Length);
                    break;
                case SnapshotFormat.HeldByFirst when first?.Values.TryGetValue(key, out shared) == true:
                    values[key] = shared;
                    break;
                default:
                    reader.Fail();
                    return null;
            }
        }

        return new SnapshotState(signer, proof, keys, values);
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
}
