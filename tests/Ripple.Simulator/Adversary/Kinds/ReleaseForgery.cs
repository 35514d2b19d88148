using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Releases that nobody published.</summary>
internal static class ReleaseForgery
{
    /// <summary>The longest message that is sent: it has to fit one packet.</summary>
    public const int MessageBytesMax = 1_200;

    private const int InlineBytesMax = 1_000;

    /// <summary>A release that follows another, with a value of its own; its root is right where that can be computed.</summary>
    /// <param name="attacker">Whose it is.</param>
    /// <param name="held">What the captured member holds.</param>
    /// <param name="release">The number it claims.</param>
    /// <param name="previousId">The release it claims to follow.</param>
    /// <param name="value">The value it sets.</param>
    public static ReleaseHeader Header(
        Attacker attacker, ApplicationState held, ulong release, Digest160 previousId, out byte[] value)
    {
        value = new byte[24];
        BinaryPrimitives.WriteUInt64LittleEndian(value, attacker.Random.NextUInt64());
        KeyChange[] changes = [KeyChange.Set("key-0", KeyForm.Bytes, value)];
        return new ReleaseHeader
        {
            Kind = ReleaseKind.Changes,
            Application = attacker.Captured.Application,
            Generation = Math.Max(1, held.Keys.Generation),
            Release = release,
            SlotEpoch = attacker.Captured.View!.Number.SlotEpoch,
            PreviousId = release == 1 ? default : previousId,
            PublishId = Guid.Empty,
            Actor = "forger",
            TimeUnixMicros = 0,
            Note = "forged",
            Changes = [.. changes],
            StateRoot = held.Keys.Trie.Apply(changes).Root,
        };
    }

    /// <summary>The id of a release that does not exist.</summary>
    public static Digest160 Nowhere(Attacker attacker) => ContentDigest.Compute(BitConverter.GetBytes(attacker.Random.NextUInt64()));

    /// <summary>The release as a message.</summary>
    public static byte[] Encode(ReleaseHeader header, ReleaseSignature? signature, byte[] value) =>
        ReleaseMessage.Encode(header, signature, _ => value, InlineBytesMax);

    /// <summary>
    /// Short forms for the values of a release that are not its own: a delta that makes the beginning of the value before it, where that is
    /// as long, so that what was there stays; nothing but zeros, compressed, for a value or for instructions; or some bytes.
    /// </summary>
    public static ShortForm?[] ShortForms(DeterministicRandom random, ReleaseHeader header) =>
    [
        .. header.Changes.Select(c => c.Operation == KeyOperation.Set ? ShortFormOf(random, c) : (ShortForm?)null),
    ];

    private static ShortForm ShortFormOf(DeterministicRandom random, KeyChange change)
    {
        double kind = random.NextDouble();
        bool isDelta = random.NextBool(0.5);
        return kind < 0.5 ? new ShortForm(IsDelta: true, IsCompressed: false, CopyOfBase(change.Length))
            : kind < 0.8 ? new ShortForm(isDelta, IsCompressed: true, ValueCompression.TryCompress(new byte[change.Length], 1_000) ?? [])
            : new ShortForm(isDelta, !isDelta || random.NextBool(0.5), BitConverter.GetBytes(random.NextUInt64()));
    }

    private static byte[] CopyOfBase(int length)
    {
        var delta = new List<byte>();
        // A copy is twice the length and one, and begins where the one before it ended.
        uint number = (2 * (uint)length) + 1;
        for (; number > 127; number >>= 7)
        {
            delta.Add((byte)(number | 128));
        }

        return [.. delta, (byte)number, 0];
    }

    /// <summary>A signature that cannot be right, under the id of the genuine signer where it is known.</summary>
    public static ReleaseSignature Garbage(Attacker attacker, ApplicationState held)
    {
        byte[] bytes = new byte[ReleaseSignature.SignatureBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, attacker.Random.NextUInt64());
        return new ReleaseSignature(held.Proof?.Signature.SignerId ?? 1, bytes);
    }
}
