using System.Buffers;
using System.Collections.Immutable;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>The layout of a header, version 1 (docs/design/identities.md).</summary>
internal static class ReleaseHeaderCodec
{
    private const byte Version = 1;
    private const int PublishIdBytes = 16;
    private const int ChangeBytesMin = 28;

    public static byte[] Encode(ReleaseHeader header)
    {
        if (header.Check() is { } wrong)
        {
            throw new InvalidOperationException(wrong);
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(MeasureMax(header));
        var writer = new WireWriter(buffer);
        writer.WriteU8(Version);
        writer.WriteU8((byte)header.Kind);
        writer.WriteU16(0);
        writer.WriteText8(header.Application);
        writer.WriteU32(header.Generation);
        writer.WriteU64(header.Release);
        writer.WriteU32(header.SlotEpoch);
        header.PreviousId.Write(writer.Take(Digest160.Size));
        header.PublishId.TryWriteBytes(writer.Take(PublishIdBytes), bigEndian: true, out _);
        writer.WriteText8(header.Actor);
        writer.WriteI64(header.TimeUnixMicros);
        writer.WriteText16(header.Note);
        writer.WriteU16((ushort)header.Changes.Length);
        foreach (KeyChange change in header.Changes)
        {
            writer.WriteText16(change.Key);
            writer.WriteU8((byte)change.Operation);
            writer.WriteU8((byte)change.Form);
            writer.WriteU32((uint)change.Length);
            change.Digest.Write(writer.Take(Digest160.Size));
        }

        header.StateRoot.Write(writer.Take(Digest160.Size));
        writer.WriteBlock16(header.Extension.Span);
        byte[] encoded = buffer.AsSpan(0, writer.Position).ToArray();
        ArrayPool<byte>.Shared.Return(buffer);
        return encoded;
    }

    /// <summary>Null for anything that <see cref="Encode"/> does not write.</summary>
    public static ReleaseHeader? Decode(ReadOnlySpan<byte> source)
    {
        if (source.Length > ReleaseLimits.HeaderBytesMax)
        {
            return null;
        }

        var reader = new WireReader(source);
        if (reader.ReadU8() != Version)
        {
            return null;
        }

        int kind = reader.ReadU8();
        int flags = reader.ReadU16();
        if (flags != 0)
        {
            return null;
        }

        var header = new ReleaseHeader
        {
            Kind = (ReleaseKind)kind,
            Application = reader.ReadText8(),
            Generation = reader.ReadU32(),
            Release = reader.ReadU64(),
            SlotEpoch = reader.ReadU32(),
            PreviousId = ReadDigest(ref reader),
            PublishId = ReadId(ref reader),
            Actor = reader.ReadText8(),
            TimeUnixMicros = reader.ReadI64(),
            Note = reader.ReadText16(),
            Changes = ReadChanges(ref reader),
            StateRoot = ReadDigest(ref reader),
            Extension = reader.ReadBlock16().ToArray(),
        };

        // The same rules apply in both directions: an accepted header has exactly one encoding, this one.
        return reader.End() == DecodeStatus.Ok && header.Check() is null ? header : null;
    }

    private static ImmutableArray<KeyChange> ReadChanges(ref WireReader reader)
    {
        int count = reader.ReadCount16(ChangeBytesMin, ReleaseLimits.ChangesMax);
        ImmutableArray<KeyChange>.Builder changes = ImmutableArray.CreateBuilder<KeyChange>(count);
        for (int i = 0; i < count && reader.IsOk; i++)
        {
            string key = reader.ReadText16();
            int operation = reader.ReadU8();
            int form = reader.ReadU8();
            uint length = reader.ReadU32();
            Digest160 digest = ReadDigest(ref reader);
            changes.Add(new(key, (KeyOperation)operation, (KeyForm)form, length > int.MaxValue ? -1 : (int)length, digest));
        }

        return changes.DrainToImmutable();
    }

    private static Digest160 ReadDigest(ref WireReader reader)
    {
        ReadOnlySpan<byte> bytes = reader.ReadBytes(Digest160.Size);
        return bytes.IsEmpty ? default : Digest160.Read(bytes);
    }

    private static Guid ReadId(ref WireReader reader)
    {
        ReadOnlySpan<byte> bytes = reader.ReadBytes(PublishIdBytes);
        return bytes.IsEmpty ? default : new Guid(bytes, bigEndian: true);
    }

    // An upper bound: UTF-8 takes at most three bytes per UTF-16 unit.
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
