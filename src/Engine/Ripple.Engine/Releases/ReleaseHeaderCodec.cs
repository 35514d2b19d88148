using System.Buffers;
using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <summary>The layout of a header, version 1 (docs/design/identities.md).</summary>
internal static class ReleaseHeaderCodec
{
    private const int Version = 1;

    public static byte[] Encode(ReleaseHeader header)
    {
        if (header.Check() is { } wrong)
        {
            throw new InvalidOperationException(wrong);
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(MeasureMax(header));
        var writer = new HeaderWriter(buffer);
        writer.U8(Version);
        writer.U8((int)header.Kind);
        writer.U16(0);
        writer.Text8(header.Application);
        writer.U32(header.Generation);
        writer.U64(header.Release);
        writer.U32(header.SlotEpoch);
        writer.Digest(header.PreviousId);
        writer.Id(header.PublishId);
        writer.Text8(header.Actor);
        writer.U64(unchecked((ulong)header.TimeUnixMicros));
        writer.Text16(header.Note);
        writer.U16(header.Changes.Length);
        foreach (KeyChange change in header.Changes)
        {
            writer.Text16(change.Key);
            writer.U8((int)change.Operation);
            writer.U8((int)change.Form);
            writer.U32((uint)change.Length);
            writer.Digest(change.Digest);
        }

        writer.Digest(header.StateRoot);
        writer.U16(header.Extension.Length);
        writer.Bytes(header.Extension.Span);
        byte[] encoded = buffer.AsSpan(0, writer.Length).ToArray();
        ArrayPool<byte>.Shared.Return(buffer);
        return encoded;
    }

    /// <summary>Null for anything <see cref="Encode"/> does not write.</summary>
    public static ReleaseHeader? Decode(ReadOnlySpan<byte> source)
    {
        if (source.Length > ReleaseLimits.HeaderBytesMax)
        {
            return null;
        }

        var reader = new HeaderReader(source);
        if (reader.U8() != Version)
        {
            return null;
        }

        int kind = reader.U8();
        int flags = reader.U16();
        if (flags != 0)
        {
            return null;
        }

        var header = new ReleaseHeader
        {
            Kind = (ReleaseKind)kind,
            Application = reader.Text8(),
            Generation = reader.U32(),
            Release = reader.U64(),
            SlotEpoch = reader.U32(),
            PreviousId = reader.Digest(),
            PublishId = reader.Id(),
            Actor = reader.Text8(),
            TimeUnixMicros = unchecked((long)reader.U64()),
            Note = reader.Text16(),
            Changes = ReadChanges(ref reader),
            StateRoot = reader.Digest(),
            Extension = reader.Take(reader.U16()).ToArray(),
        };

        // One set of rules for both directions: what passes them has exactly one encoding, this one.
        return reader.IsAtEnd && header.Check() is null ? header : null;
    }

    private static ImmutableArray<KeyChange> ReadChanges(ref HeaderReader reader)
    {
        // The count is not trusted: a change takes bytes, and the source has at most HeaderBytesMax of them.
        int count = reader.U16();
        ImmutableArray<KeyChange>.Builder changes = ImmutableArray.CreateBuilder<KeyChange>();
        for (int i = 0; i < count && !reader.IsBroken; i++)
        {
            string key = reader.Text16();
            int operation = reader.U8();
            int form = reader.U8();
            uint length = reader.U32();
            Digest160 digest = reader.Digest();
            changes.Add(new(key, (KeyOperation)operation, (KeyForm)form, length > int.MaxValue ? -1 : (int)length, digest));
        }

        return changes.DrainToImmutable();
    }

    // Generous: UTF-8 takes at most three bytes for a UTF-16 unit.
    private static int MeasureMax(ReleaseHeader header)
    {
        int bytes = 256 + (3 * (header.Application.Length + header.Actor.Length + header.Note.Length)) + header.Extension.Length;
        foreach (KeyChange change in header.Changes)
        {
            bytes += 32 + (3 * change.Key.Length);
        }

        return bytes;
    }
}
