using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

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
