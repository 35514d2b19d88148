namespace Ripple.Simulator.Oracles;

/// <summary>A node's membership, from the moment the node knew of it.</summary>
/// <param name="Incarnation">The incarnation the host gave it.</param>
/// <param name="JoinedNs">When the host's answer arrived, in simulated nanoseconds.</param>
/// <param name="HostLife">Which start of the host gave it.</param>
internal sealed record NodeSessionRecord(ulong Incarnation, long JoinedNs, int HostLife);
