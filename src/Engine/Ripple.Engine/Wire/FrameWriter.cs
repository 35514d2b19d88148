using System.Buffers.Binary;

namespace Ripple.Engine.Wire;

/// <summary>Packs frames into a packet under construction.</summary>
internal static class FrameWriter
{
    /// <summary>
    /// Starts a frame; the payload is written next, then <see cref="End"/> fills its length in. Returns what <see cref="End"/> needs.
    /// </summary>
    public static int Begin(ref WireWriter writer, FrameType type)
    {
        writer.WriteU8((byte)type);
        writer.WriteU8(0);
        writer.WriteU16(0);
        return writer.Position;
    }

    /// <summary>Ends the frame that <see cref="Begin"/> started. False when it did not fit: rewind to before it.</summary>
    public static bool End(ref WireWriter writer, int payloadStart)
    {
        if (writer.IsOverflow || writer.Position - payloadStart > ushort.MaxValue)
        {
            return false;
        }

        BinaryPrimitives.WriteUInt16LittleEndian(writer.Written[(payloadStart - 2)..], (ushort)(writer.Position - payloadStart));
        return true;
    }
}
