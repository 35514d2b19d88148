using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Parts of messages that the host sends next, of another length, and of messages that never come to an end.</summary>
internal sealed class Parts : IForgery
{
    private const int PartBytesMax = 1_000;
    private const int TotalBytesMax = 60_000;

    /// <inheritdoc/>
    public string Name => "parts";

    /// <inheritdoc/>
    public double Share => 0.5;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Victim() is null)
        {
            return;
        }

        byte[] bytes = new byte[1 + attacker.Random.NextInt32(PartBytesMax)];
        int total = bytes.Length + 1 + attacker.Random.NextInt32(TotalBytesMax);
        uint offset = attacker.Random.NextBool(0.7) ? 0 : (uint)attacker.Random.NextInt32(total - bytes.Length);
        ulong id = attacker.Captured.MessageId + 1 + (ulong)attacker.Random.NextInt64(3);
        byte[] frames = new byte[WireLimits.FramesBytesMax];
        var writer = new WireWriter(frames);
        StreamForgery.WritePosition(attacker, ref writer, ahead: 1 + attacker.Random.NextInt32(8));
        if (new MessagePart(attacker.Captured.Topic, id, offset, (uint)total, bytes).TryWrite(ref writer))
        {
            StreamForgery.Send(attacker, attacker.Victims(), writer.Written);
        }
    }
}
