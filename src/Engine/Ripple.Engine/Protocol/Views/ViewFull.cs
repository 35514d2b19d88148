using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>A whole view.</summary>
/// <param name="View">The view.</param>
internal sealed record ViewFull(RegionView View) : IMessage<ViewFull>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ViewFull;

    /// <inheritdoc/>
    public static ViewFull Read(ref WireReader reader)
    {
        RegionView view = WireParts.ReadView(ref reader);
        return new ViewFull(view);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        WireParts.WriteView(ref writer, View);
    }
}
