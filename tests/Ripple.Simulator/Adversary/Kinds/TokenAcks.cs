using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Acknowledgements of tokens that the member named did not take.</summary>
internal sealed class TokenAcks : IForgery
{
    /// <inheritdoc/>
    public string Name => "token acknowledgements";

    /// <inheritdoc/>
    public double Share => 0.4;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Victim() is not { } victim)
        {
            return;
        }

        RegionView view = attacker.Captured.View!;
        byte[] frames = new byte[64];
        var writer = new WireWriter(frames);
        int start = FrameWriter.Begin(ref writer, FrameType.TokenAck);
        writer.WriteU64(view.Number.Value);
        writer.WriteU64(1 + (ulong)attacker.Random.NextInt64(2_000));
        writer.WriteU16((ushort)attacker.Random.NextInt32(view.Members.Length + 1));
        FrameWriter.End(ref writer, start);
        RegionMember sealer = view.Members[attacker.Random.NextInt32(view.Members.Length)];
        attacker.ToMember(victim, sealer.Slot, PacketClass.Control, writer.Written);
    }
}
