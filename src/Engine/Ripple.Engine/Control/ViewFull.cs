using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>A whole view.</summary>
/// <param name="View">The view.</param>
public sealed record ViewFull(RegionView View) : IControlMessage<ViewFull>
{
    /// <inheritdoc/>
    public static ControlType Type => ControlType.ViewFull;

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
