using Ripple.Engine.Core;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Core;

/// <summary>The datagram ports of a host, which disposes of them.</summary>
/// <param name="Data">Sends data and repairs.</param>
/// <param name="Control">Sends beacons; receives repair requests and aggregates.</param>
/// <param name="Groups">The multicast groups that the data port may send to, one per region; null: every member receives its stream by
/// unicast.</param>
internal sealed record HostPorts(IDatagramPort Data, IDatagramPort Control, GroupRange? Groups = null);
