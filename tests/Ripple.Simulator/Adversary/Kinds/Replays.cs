using Ripple.Engine.Core;
using Ripple.Simulator.Network;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Recorded datagrams, sent again to where they went or to somebody else, whole or with one bit flipped.</summary>
internal sealed class Replays : IForgery
{
    /// <inheritdoc/>
    public string Name => "replays";

    /// <inheritdoc/>
    public double Share => 0.6;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        PacketRecorder recorder = attacker.Recorder;
        if (recorder.Count == 0)
        {
            return;
        }

        int index = attacker.Random.NextInt32(recorder.Count);
        byte[] bytes = recorder.Bytes(index).ToArray();
        if (attacker.Random.NextBool(0.2))
        {
            int bit = attacker.Random.NextInt32(bytes.Length * 8);
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        NodeAddress to = recorder.To(index);
        // Where it went it was seen; a token, a request or a repair for one member is news to another.
        if (attacker.Random.NextBool(0.6) && attacker.Victim() is { } other)
        {
            bool isData = bytes.Length > 1 && (bytes[1] & 3) >= (int)PacketClass.Repair;
            to = isData ? other.DataAddress : other.ControlAddress;
        }

        attacker.Send(to, bytes);
    }
}
