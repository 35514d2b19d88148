using System.Globalization;
using Ripple.Engine.Regions;

namespace Ripple.Client;

/// <summary>Names an event. Immutable.</summary>
/// <param name="Emitter">The node that emitted it.</param>
/// <param name="Epoch">The emitter's number since it started.</param>
/// <param name="Number">The event's number there.</param>
public readonly record struct RippleEventId(NodeId Emitter, ulong Epoch, ulong Number)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Emitter}/{Epoch:x16}/{Number}");
}
