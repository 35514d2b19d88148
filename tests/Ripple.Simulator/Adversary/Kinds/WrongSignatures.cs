using Ripple.Engine.Releases;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>A release after the head whose every field is right, but for the signature.</summary>
internal sealed class WrongSignatures : IForgery
{
    /// <inheritdoc/>
    public string Name => "wrong signatures";

    /// <inheritdoc/>
    public double Share => 0.7;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held is not { } held || attacker.Victim() is null)
        {
            return;
        }

        ReleaseHeader header = ReleaseForgery.Header(attacker, held, held.Keys.Release + 1, held.Keys.Id, out byte[] value);
        byte[] message = ReleaseForgery.Encode(header, ReleaseForgery.Garbage(attacker, held), value);
        StreamForgery.TrySend(attacker, attacker.Victims(), message, ahead: 1 + attacker.Random.NextInt32(4));
    }
}
