using Ripple.Engine.Core;

namespace Ripple.Engine.Regions;

/// <summary>One member of a region view.</summary>
/// <param name="Slot">Its member slot: its number in nonces, assigned to one incarnation only.</param>
/// <param name="Node">Its node.</param>
/// <param name="Incarnation">Its incarnation: a new one for each join, never reused in the cluster.</param>
/// <param name="DataAddress">The address for data and repairs.</param>
/// <param name="ControlAddress">The address for tokens and requests for repair.</param>
internal sealed record RegionMember(uint Slot, NodeId Node, ulong Incarnation, NodeAddress DataAddress, NodeAddress ControlAddress);
