using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Ripple.Engine.Frontier;
using Ripple.Engine.Releases;

namespace Ripple.Client.Snapshots;

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
