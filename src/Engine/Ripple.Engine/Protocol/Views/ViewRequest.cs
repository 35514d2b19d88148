using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>A request for the full view, from a node that lacks the view a change starts from.</summary>
/// <param name="RegionId">The region.</param>
internal sealed record ViewRequest(ulong RegionId) : IMessage<ViewRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ViewRequest;

    /// <inheritdoc/>
    public static ViewRequest Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        return new ViewRequest(regionId);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
    }
}
