using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Requests for repair: of the whole window, of what was never sent, and in the name of every member.</summary>
internal sealed class Naks : IForgery
{
    /// <inheritdoc/>
    public string Name => "requests for repair";

    /// <inheritdoc/>
    public double Share => 0.6;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.View is not { Members.Length: > 0 } view)
        {
            return;
        }

        ulong newest = attacker.Captured.Sequence;
        int words = attacker.Random.NextBool(0.3) ? NakFrame.WordsMax : 1 + attacker.Random.NextInt32(2);
        ulong back = attacker.Random.NextBool(0.8) ? (ulong)attacker.Random.NextInt64(64) : 0;
        ulong start = (newest > back ? newest - back : 0) / 64 * 64;
        ulong[] missing = new ulong[words];
        Array.Fill(missing, ulong.MaxValue);
        missing[0] = start == 0 ? ulong.MaxValue - 1 : ulong.MaxValue;
        byte[] frames = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frames);
        NakFrame.Write(ref writer, attacker.Captured.Accepted!.HostIncarnation, start, missing);
        bool isForAll = attacker.Random.NextBool(0.3);
        RegionMember one = view.Members[attacker.Random.NextInt32(view.Members.Length)];
        foreach (RegionMember member in isForAll ? view.Members : [one])
        {
            attacker.ToHost(member.Slot, PacketClass.Nak, writer.Written);
        }
    }
}
