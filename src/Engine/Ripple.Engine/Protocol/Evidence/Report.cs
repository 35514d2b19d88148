using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Evidence;

/// <summary>Levels and rejections, sent directly and not through the ring.</summary>
/// <param name="Rows">The node's levels.</param>
/// <param name="Rejections">The releases it rejected.</param>
internal sealed record Report(IReadOnlyList<LevelRow> Rows, IReadOnlyList<RejectionRow> Rejections) : IMessage<Report>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Report;

    /// <inheritdoc/>
    public static Report Read(ref WireReader reader)
    {
        IReadOnlyList<LevelRow> rows = WireParts.ReadRows(ref reader);
        var rejections = new RejectionRow[reader.ReadCount16(WireParts.RejectionBytesMin, RejectionRow.CountMax)];
        for (int i = 0; i < rejections.Length; i++)
        {
            rejections[i] = WireParts.ReadRejection(ref reader);
        }

        return new Report(rows, rejections);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        WireParts.WriteRows(ref writer, Rows);
        writer.WriteU16((ushort)Rejections.Count);
        foreach (RejectionRow rejection in Rejections)
        {
            WireParts.WriteRejection(ref writer, rejection);
        }
    }
}
