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

/// <summary>
/// A member's own word that it has reached a level of an application's own, for a release and all before it. Answered by
/// <see cref="Calls.CallResult"/>; repeated after each join.
/// </summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application, which the member takes.</param>
/// <param name="Generation">The generation of the release.</param>
/// <param name="Release">The release.</param>
/// <param name="Level">The level.</param>
internal sealed record LevelReport(uint Call, string Application, uint Generation, ulong Release, string Level) : IMessage<LevelReport>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.LevelReport;

    /// <inheritdoc/>
    public static LevelReport Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        string level = reader.ReadText8();
        return new LevelReport(call, application, generation, release, level);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        writer.WriteText8(Level);
    }
}
