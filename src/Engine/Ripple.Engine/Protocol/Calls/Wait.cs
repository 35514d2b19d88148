using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Waits until a predicate holds for a release.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="Generation">The generation; 0 for the current one.</param>
/// <param name="Release">The release.</param>
/// <param name="Predicate">The predicate.</param>
/// <param name="TimeoutMs">When to give up, in milliseconds; 0 for no timeout.</param>
/// <param name="CountLeft">Whether members that left or failed count as well, instead of being excluded.</param>
internal sealed record Wait(
    uint Call, string Application, uint Generation, ulong Release, string Predicate, uint TimeoutMs, bool CountLeft) : IMessage<Wait>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Wait;

    /// <inheritdoc/>
    public static Wait Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        string predicate = reader.ReadText16(4_096);
        uint timeoutMs = reader.ReadU32();
        bool countLeft = reader.ReadBool();
        return new Wait(call, application, generation, release, predicate, timeoutMs, countLeft);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        writer.WriteText16(Predicate);
        writer.WriteU32(TimeoutMs);
        writer.WriteBool(CountLeft);
    }
}

/// <summary>Ends a wait without an answer.</summary>
/// <param name="Call">The wait.</param>
internal sealed record WaitCancel(uint Call) : IMessage<WaitCancel>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.WaitCancel;

    /// <inheritdoc/>
    public static WaitCancel Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        return new WaitCancel(call);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
    }
}

/// <summary>The progress of a wait.</summary>
/// <param name="Call">The call.</param>
/// <param name="Holding">Members that have the release.</param>
/// <param name="Total">Members that the predicate names, without the excluded ones.</param>
/// <param name="Generation">The generation of the release that is waited for: who asks again names it.</param>
internal sealed record WaitProgress(uint Call, uint Holding, uint Total, uint Generation) : IMessage<WaitProgress>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.WaitProgress;

    /// <inheritdoc/>
    public static WaitProgress Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        uint holding = reader.ReadU32();
        uint total = reader.ReadU32();
        uint generation = reader.ReadU32();
        return new WaitProgress(call, holding, total, generation);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU32(Holding);
        writer.WriteU32(Total);
        writer.WriteU32(Generation);
    }
}

/// <summary>How a wait ended.</summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None unless the wait could not begin.</param>
/// <param name="Text">On error, what the caller should do; otherwise one sentence on the outcome, empty when the predicate held.</param>
/// <param name="Outcome">0 held, 1 cannot hold, 2 timed out.</param>
/// <param name="Total">Members that the predicate names, without the excluded ones.</param>
/// <param name="Members">The members that kept the predicate from holding; may be truncated.</param>
/// <param name="Discounted">Members excluded because they left or failed; may be truncated.</param>
/// <param name="Generation">The generation of the release that was waited for; 0 if the wait could not begin.</param>
internal sealed record WaitResult(
    uint Call,
    ErrorCode Code,
    string Text,
    byte Outcome,
    uint Total,
    IReadOnlyList<WaitMember> Members,
    IReadOnlyList<WaitMember> Discounted,
    uint Generation = 0) : IMessage<WaitResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.WaitResult;

    /// <inheritdoc/>
    public static WaitResult Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        byte outcome = reader.ReadU8();
        uint total = reader.ReadU32();
        var members = new WaitMember[reader.ReadCount16(18, 500)];
        for (int i = 0; i < members.Length; i++)
        {
            members[i] = WaitMember.Read(ref reader);
        }

        var discounted = new WaitMember[reader.ReadCount16(18, 500)];
        for (int i = 0; i < discounted.Length; i++)
        {
            discounted[i] = WaitMember.Read(ref reader);
        }

        uint generation = reader.ReadU32();
        return new WaitResult(call, code, text, outcome, total, members, discounted, generation);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
        writer.WriteU8(Outcome);
        writer.WriteU32(Total);
        writer.WriteU16((ushort)Members.Count);
        foreach (WaitMember member in Members)
        {
            member.Write(ref writer);
        }

        writer.WriteU16((ushort)Discounted.Count);
        foreach (WaitMember member in Discounted)
        {
            member.Write(ref writer);
        }

        writer.WriteU32(Generation);
    }
}

/// <summary>A member named in the answer to a wait.</summary>
/// <param name="Node">The node.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">The release it has reached: the least of the levels that the predicate reads.</param>
/// <param name="Reason">Why it cannot satisfy the wait or is excluded; empty when it is only behind.</param>
internal sealed record WaitMember(NodeId Node, string Name, ulong Value, string Reason)
{
    internal static WaitMember Read(ref WireReader reader)
    {
        NodeId node = WireParts.ReadNode(ref reader);
        string name = reader.ReadText8();
        ulong value = reader.ReadU64();
        string reason = reader.ReadText16(4_096);
        return new WaitMember(node, name, value, reason);
    }

    internal void Write(ref WireWriter writer)
    {
        WireParts.WriteNode(ref writer, Node);
        writer.WriteText8(Name);
        writer.WriteU64(Value);
        writer.WriteText16(Reason);
    }
}
