using System.Buffers.Binary;

namespace Ripple.Engine.Wire;

/// <summary>Packs frames into a packet under construction.</summary>
internal static class FrameWriter
{
    /// <summary>
    /// Starts a frame: the caller then writes the payload and calls <see cref="End"/>, which fills in the length. Returns the argument for
    /// <see cref="End"/>.
    /// </summary>
    public static int Begin(ref WireWriter writer, FrameType type)
    {
        writer.WriteU8((byte)type);
        writer.WriteU8(0);
        writer.WriteU16(0);
        return writer.Position;
    }

    /// <summary>
    /// Ends the frame that <see cref="Begin"/> started. False when it did not fit: discard the bytes from <see cref="Begin"/> on.
    /// </summary>
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
