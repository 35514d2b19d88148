using System.Buffers.Binary;
using Ripple.Engine.Links;

namespace Ripple.Transports.Links;

/// <summary>The result of scanning received bytes: the whole protocol frames at their start, and the frame that follows them.</summary>
/// <param name="WholeBytes">Bytes of the whole protocol frames at the start.</param>
/// <param name="NextFrameBytes">Bytes of the frame after them, header included; 0 when its header has not arrived or its length is
/// bad.</param>
/// <param name="Stop">Why the scan ended.</param>
internal readonly record struct FrameScan(int WholeBytes, int NextFrameBytes, FrameScanStop Stop)
{
    public static FrameScan Of(ReadOnlySpan<byte> bytes)
    {
        int at = 0;
        while (bytes.Length - at >= LinkFrame.HeaderBytes)
        {
            uint rest = BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);
            if (rest is < 2 or > LinkFrame.BodyBytesMax + 2)
            {
                return new(at, 0, FrameScanStop.BadLength);
            }

            int frameBytes = (int)rest + 4;
            bool isWhole = bytes.Length - at >= frameBytes;
            if (!isWhole)
            {
                return new(at, frameBytes, FrameScanStop.Incomplete);
            }

            if (BinaryPrimitives.ReadUInt16LittleEndian(bytes[(at + 4)..]) < LinkFrame.FirstProtocolType)
            {
                return new(at, frameBytes, FrameScanStop.LinkFrame);
            }

            at += frameBytes;
        }

        return new(at, 0, FrameScanStop.Incomplete);
    }
}

/// <summary>Why a scan ended.</summary>
internal enum FrameScanStop
{
    /// <summary>The next frame is incomplete, or there is none.</summary>
    Incomplete,

    /// <summary>The next frame is whole, and one of the link itself.</summary>
    LinkFrame,

    /// <summary>The next frame has an invalid length.</summary>
    BadLength,
}
