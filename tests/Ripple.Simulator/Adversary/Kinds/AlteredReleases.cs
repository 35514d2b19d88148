using Ripple.Engine.Releases;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>
/// The newest genuine release, header and signature, with other values, or with short forms that lead to others; or with a header that
/// differs in one field.
/// </summary>
internal sealed class AlteredReleases : IForgery
{
    /// <inheritdoc/>
    public string Name => "altered releases";

    /// <inheritdoc/>
    public double Share => 0.7;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held?.Proof is not { } proof || attacker.Victim() is null)
        {
            return;
        }

        ReleaseHeader header = proof.Signed;
        if (attacker.Random.NextBool(0.5))
        {
            // The number after it, so that members that have the genuine one look at it.
            header = new ReleaseHeader
            {
                Kind = header.Kind,
                Application = header.Application,
                Generation = header.Generation,
                Release = header.Release + 1,
                SlotEpoch = header.SlotEpoch,
                PreviousId = header.Id,
                PublishId = header.PublishId,
                Actor = header.Actor,
                TimeUnixMicros = header.TimeUnixMicros,
                Note = header.Note,
                Changes = header.Changes,
                StateRoot = header.StateRoot,
            };
        }

        byte[] message = ReleaseMessage.Encode(
            header,
            proof.Signature,
            digest => new byte[LengthOf(header, digest)],
            800,
            null,
            attacker.Random.NextBool(0.5) ? ReleaseForgery.ShortForms(attacker.Random, header) : null);
        if (message.Length <= ReleaseForgery.MessageBytesMax)
        {
            StreamForgery.TrySend(attacker, attacker.Victims(), message, ahead: 1 + attacker.Random.NextInt32(4));
        }
    }

    private static int LengthOf(ReleaseHeader header, Digest160 digest) => header.Changes.First(c => c.Digest == digest).Length;
}
