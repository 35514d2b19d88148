using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Packets of the stream without content: at sequences that were not sent yet, around the window's end, and absurd ones.</summary>
internal sealed class Positions : IForgery
{
    /// <inheritdoc/>
    public string Name => "positions";

    /// <inheritdoc/>
    public double Share => 0.5;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Victim() is null)
        {
            return;
        }

        byte[] frames = new byte[StreamPosition.FrameBytes];
        var writer = new WireWriter(frames);
        int ahead = attacker.Random.NextInt32(4) switch
        {
            0 => StreamReceiver.WindowPackets - 2 + attacker.Random.NextInt32(8),
            1 => 100_000_000,
            _ => 1 + attacker.Random.NextInt32(32),
        };
        StreamForgery.WritePosition(attacker, ref writer, ahead);
        StreamForgery.Send(attacker, attacker.Victims(), writer.Written);
    }
}
