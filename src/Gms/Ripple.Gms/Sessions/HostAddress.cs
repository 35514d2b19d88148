using Ripple.Engine.Core;

namespace Ripple.Gms.Sessions;

/// <summary>Where a host sends from and what it calls itself, as joiners are told.</summary>
/// <param name="Incarnation">The host's incarnation: the origin of its streams.</param>
/// <param name="Data">Where it sends data from.</param>
/// <param name="Control">Where it takes requests for repair and aggregates.</param>
internal sealed record HostAddress(ulong Incarnation, NodeAddress Data, NodeAddress Control);
