using Ripple.Engine.Core;

namespace Ripple.Gms.Sessions;

/// <summary>A host's incarnation and addresses, as sent to joiners.</summary>
/// <param name="Incarnation">The host's incarnation: the origin of its streams.</param>
/// <param name="Data">The address it sends data from.</param>
/// <param name="Control">The address that receives repair requests and aggregates.</param>
internal sealed record HostAddress(ulong Incarnation, NodeAddress Data, NodeAddress Control);
