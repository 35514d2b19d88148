using Ripple.Engine.Core;

namespace Ripple.Engine.Regions;

/// <summary>One member of a region view.</summary>
/// <param name="Slot">Its member slot: its number in nonces, given to one incarnation only.</param>
/// <param name="Node">Its node.</param>
/// <param name="Incarnation">Its incarnation: one a join, never reused in the cluster.</param>
/// <param name="DataAddress">Where it takes data and repairs.</param>
/// <param name="ControlAddress">Where it takes tokens and requests for repair.</param>
internal sealed record RegionMember(uint Slot, NodeId Node, ulong Incarnation, NodeAddress DataAddress, NodeAddress ControlAddress);
