using System.Collections.Immutable;
using System.Security.Cryptography;
using Ripple.Engine.Frontier;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Client.Snapshots;

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
