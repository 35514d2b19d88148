using Ripple.Engine.Releases;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>
/// The newest genuine release with its own values and another signature: whoever knows that its id is good might take the signature too.
/// </summary>
internal sealed class GarbledSignatures : IForgery
{
    /// <inheritdoc/>
    public string Name => "garbled signatures";

    /// <inheritdoc/>
    public double Share => 0.6;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held is not { Proof: { } proof } held || attacker.Victim() is null)
        {
            return;
        }

        byte[] message = ReleaseMessage.Encode(
            proof.Signed, ReleaseForgery.Garbage(attacker, held), digest => ValueOf(held, digest), inlineBytesMax: 800);
        if (message.Length <= ReleaseForgery.MessageBytesMax)
        {
            StreamForgery.TrySend(attacker, attacker.Victims(), message, ahead: 1 + attacker.Random.NextInt32(4));
        }
    }

    private static ReadOnlyMemory<byte>? ValueOf(ApplicationState held, Digest160 digest)
    {
        foreach ((string key, KeyEntry entry) in held.Keys.Keys)
        {
            if (entry.Digest == digest && held.Values.TryGetValue(key, out ReadOnlyMemory<byte> value))
            {
                return value;
            }
        }

        return null;
    }
}
