using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

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

    /// <summary>The application; see <see cref="ReleaseNames.CheckApplication"/>.</summary>
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
