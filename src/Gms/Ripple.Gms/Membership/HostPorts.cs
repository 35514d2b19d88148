using Ripple.Engine.Core;

namespace Ripple.Gms.Membership;

/// <summary>The datagram ports of a host; the host disposes of them.</summary>
/// <param name="Data">Sends data and repairs.</param>
/// <param name="Control">Sends beacons, takes requests for repair and aggregates.</param>
public sealed record HostPorts(IDatagramPort Data, IDatagramPort Control);
