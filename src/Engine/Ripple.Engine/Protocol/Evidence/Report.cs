using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Evidence;

/// <summary>Demands direct evidence for a wait: the node reports its levels as soon as it has received this release.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Release">The release.</param>
internal sealed record DirectDemand(uint Topic, ulong Release) : IMessage<DirectDemand>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.DirectDemand;

    /// <inheritdoc/>
    public static DirectDemand Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ulong release = reader.ReadU64();
        return new DirectDemand(topic, release);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU64(Release);
    }
}

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
