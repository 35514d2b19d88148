using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

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
