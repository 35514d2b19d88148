using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>Sent by a stream's sender while any of its packets may be missing at a member: a lost tail shows in no later packet.</summary>
/// <param name="Origin">The incarnation of the stream's sender.</param>
/// <param name="Highest">The newest sequence sent; 0 when none was.</param>
/// <param name="FirstAvailable">The oldest sequence that can still be repaired; one above <paramref name="Highest"/> when none can.</param>
/// <param name="View">The view the sender sends in.</param>
/// <param name="Floor">All sequences up to here are stable or given up: no member needs to keep them.</param>
internal readonly record struct StreamBeacon(ulong Origin, ulong Highest, ulong FirstAvailable, ViewNumber View, ulong Floor)
{
    /// <summary>The bytes of the frame, with its header.</summary>
    public const int FrameBytes = FrameReader.HeaderBytes + 40;

    /// <summary>Writes the frame, with its header.</summary>
    public void Write(ref WireWriter writer)
    {
        int start = FrameWriter.Begin(ref writer, FrameType.Beacon);
        writer.WriteU64(Origin);
        writer.WriteU64(Highest);
        writer.WriteU64(FirstAvailable);
        writer.WriteU64(View.Value);
        writer.WriteU64(Floor);
        FrameWriter.End(ref writer, start);
    }

    /// <summary>Reads the frame's payload.</summary>
    public static DecodeStatus Read(ReadOnlySpan<byte> payload, out StreamBeacon beacon)
    {
        var reader = new WireReader(payload);
        beacon = new StreamBeacon(reader.ReadU64(), reader.ReadU64(), reader.ReadU64(), new ViewNumber(reader.ReadU64()), reader.ReadU64());
        if (reader.IsOk
            && (beacon.Highest > StreamPosition.SequenceMax
                || beacon.FirstAvailable == 0
                || beacon.FirstAvailable - 1 > beacon.Highest
                || beacon.Floor > beacon.Highest))
        {
            reader.Fail();
        }

        return reader.End();
    }
}
