using System.Buffers;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>
/// A release without the bytes of its values: the part that is chained, signed, and identical on every node. Immutable; its encoding and id
/// are computed on first use and cached, on any thread. Headers are compared by their ids only.
/// </summary>
internal sealed class ReleaseHeader
{
    private byte[]? _encoded;
    private StrongBox<Digest160>? _id;

    /// <summary>What the release does.</summary>
    public required ReleaseKind Kind { get; init; }

    /// <summary>The application; see <see cref="CompanionName.CheckReleased"/>.</summary>
    public required string Application { get; init; }

    /// <summary>Counts creations and restores of the application, from 1.</summary>
    public required uint Generation { get; init; }

    /// <summary>The release number r, from 1, without gaps even across generations; at most <see cref="long.MaxValue"/>.</summary>
    public required ulong Release { get; init; }

    /// <summary>The slot epoch of the primary that ordered it.</summary>
    public required uint SlotEpoch { get; init; }

    /// <summary>The id of release r - 1; zero for r = 1, and only then.</summary>
    public required Digest160 PreviousId { get; init; }

    /// <summary>The publisher's id for this publish: a retry with the same id is the same publish.</summary>
    public required Guid PublishId { get; init; }

    /// <summary>Who published; up to 255 bytes of UTF-8, may be empty.</summary>
    public required string Actor { get; init; }

    /// <summary>When the primary ordered it, in microseconds of Unix time, UTC. Informational only: never used for ordering.</summary>
    public required long TimeUnixMicros { get; init; }

    /// <summary>The publisher's note; up to 2,048 bytes of UTF-8, may be empty.</summary>
    public required string Note { get; init; }

    /// <summary>The changed keys in <see cref="KeyOrder"/>, no key twice; at most <see cref="ReleaseLimits.ChangesMax"/>.</summary>
    public required ImmutableArray<KeyChange> Changes { get; init; }

    /// <summary>The root of the application's whole state after this release (<see cref="StateTrie.Root"/>).</summary>
    public required Digest160 StateRoot { get; init; }

    /// <summary>
    /// Bytes of a later version or of an activation; covered by the id, and skipped by nodes that do not know them. At most 65,535; empty
    /// by default.
    /// </summary>
    public ReadOnlyMemory<byte> Extension { get; init; }

    /// <summary>The release's id: Digest160("ripple/release/1" + encoded header). Throws as <see cref="Encode"/> does.</summary>
    public Digest160 Id => (_id ??= new(Digest160.Hash("ripple/release/1"u8, Encode()))).Value;

    /// <summary>The total length of the values it sets, in bytes.</summary>
    public long BodyBytes
    {
        get
        {
            long total = 0;
            foreach (KeyChange change in Changes)
            {
                total += change.Length;
            }

            return total;
        }
    }

    /// <summary>Null when this header can be encoded, otherwise the error and what to do about it.</summary>
    public string? Check() => ReleaseHeaderRules.Check(this);

    /// <summary>
    /// The header's bytes, encoded once: the array is shared and must not be modified. Throws <see cref="InvalidOperationException"/> with
    /// the text of <see cref="Check"/> when the header cannot be encoded.
    /// </summary>
    public byte[] Encode() => _encoded ??= ReleaseHeaderCodec.Encode(this);

    /// <summary>
    /// Reads a header that <see cref="Encode"/> wrote, and nothing else: false for an unknown version, kind or flag, a name or length out
    /// of bounds, keys that are unsorted or repeated, text that is not UTF-8, and missing or extra bytes. An accepted header encodes to the
    /// same bytes.
    /// </summary>
    public static bool TryDecode(ReadOnlySpan<byte> source, [NotNullWhen(true)] out ReleaseHeader? header)
    {
        header = ReleaseHeaderCodec.Decode(source);
        if (header is null)
        {
            return false;
        }

        header._encoded = source.ToArray();
        return true;
    }

    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Application} {Generation}/{Release} {Kind}");
}

/// <summary>What a release does. The numbers are part of every stored header.</summary>
internal enum ReleaseKind
{
    /// <summary>Sets and removes keys.</summary>
    Changes = 0,

    /// <summary>Makes an earlier release visible to the nodes of a selector; its record is the header's extension.</summary>
    Activation = 1,

    /// <summary>Begins a generation: the application was created, or its store restored. May change keys too.</summary>
    Creation = 2,
}

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
