using Ripple.Engine.Regions;

namespace Ripple.Client;

/// <summary>A member that a wait names.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Node">Its node id.</param>
/// <param name="Value">The release it is at, at the level asked for.</param>
/// <param name="Reason">Why it cannot hold or is left out; empty when it is merely behind.</param>
public sealed record WaitMember(string Name, NodeId Node, ulong Value, string Reason);
