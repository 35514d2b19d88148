using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Packets of the host's stream, sealed as the host.</summary>
internal static class StreamForgery
{
    private const uint HostSlot = 0;

    /// <summary>
    /// Sends a message to members in a packet of its own, at a sequence some ahead of the newest; false when it does not fit.
    /// </summary>
    public static bool TrySend(Attacker attacker, IReadOnlyList<RegionMember> victims, byte[] message, int ahead)
    {
        byte[] frames = new byte[WireLimits.FramesBytesMax];
        var writer = new WireWriter(frames);
        WritePosition(attacker, ref writer, ahead);
        ulong id = attacker.Random.NextUInt64();
        if (!new MessagePart(attacker.Captured.Topic, id, 0, (uint)message.Length, message).TryWrite(ref writer))
        {
            return false;
        }

        Send(attacker, victims, writer.Written);
        return true;
    }

    /// <summary>Sends a message to members in as many packets as it takes, from a sequence some ahead of the newest on.</summary>
    public static void SendLong(Attacker attacker, IReadOnlyList<RegionMember> victims, byte[] message, int ahead)
    {
        ulong id = attacker.Random.NextUInt64();
        byte[] frames = new byte[WireLimits.FramesBytesMax];
        for (int offset = 0; offset < message.Length; ahead++)
        {
            var writer = new WireWriter(frames);
            WritePosition(attacker, ref writer, ahead);
            int length = Math.Min(writer.RoomBytes - MessagePart.OverheadBytes, message.Length - offset);
            new MessagePart(attacker.Captured.Topic, id, (uint)offset, (uint)message.Length, message.AsSpan(offset, length))
                .TryWrite(ref writer);
            Send(attacker, victims, writer.Written);
            offset += length;
        }
    }

    /// <summary>Sends frames that begin with a position to members.</summary>
    public static void Send(Attacker attacker, IReadOnlyList<RegionMember> victims, ReadOnlySpan<byte> frames)
    {
        PacketClass packetClass = attacker.Random.NextBool(0.2) ? PacketClass.Repair : PacketClass.Data;
        foreach (RegionMember victim in victims)
        {
            attacker.ToMember(victim, HostSlot, packetClass, frames);
        }
    }

    /// <summary>Writes the position of a packet some ahead of the newest.</summary>
    public static void WritePosition(Attacker attacker, ref WireWriter writer, int ahead) =>
        new StreamPosition(attacker.Captured.Accepted!.HostIncarnation, attacker.Captured.Sequence + (ulong)ahead).Write(ref writer);
}
