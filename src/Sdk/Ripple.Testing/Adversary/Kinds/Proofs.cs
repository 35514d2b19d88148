using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Proofs of releases that nobody signed, and old ones that are genuine.</summary>
internal sealed class Proofs : IForgery
{
    /// <inheritdoc/>
    public string Name => "proofs";

    /// <inheritdoc/>
    public double Share => 0.5;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held is not { Proof: { } proof } held || attacker.Captured.View is null)
        {
            return;
        }

        // A host looks at no proof that it did not ask for: the member claims to be ahead first.
        attacker.TrySend(
            new CatchUpRequest(attacker.Captured.Topic, held.Keys.Generation, held.Keys.Release + 5, Digest160.Hash("ahead"u8, [1])));
        if (attacker.Random.NextBool(0.3))
        {
            attacker.TrySend(new Proof(attacker.Captured.Topic, proof.Signed.Encode(), proof.Signature.Encode()));
            return;
        }

        ReleaseHeader header = ReleaseForgery.Header(attacker, held, held.Keys.Release + 5, held.Keys.Id, out _);
        ReleaseSignature signature = attacker.Random.NextBool(0.5) ? proof.Signature : ReleaseForgery.Garbage(attacker, held);
        attacker.TrySend(new Proof(attacker.Captured.Topic, header.Encode(), signature.Encode()));
    }
}
