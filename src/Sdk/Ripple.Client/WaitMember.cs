using Ripple.Engine.Regions;

namespace Ripple.Client;

/// <summary>A member listed in a wait's result.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Node">Its node id.</param>
/// <param name="Value">The release it has reached, at the level asked for.</param>
/// <param name="Reason">Why it cannot hold or is left out; empty if it is merely behind.</param>
public sealed record WaitMember(string Name, NodeId Node, ulong Value, string Reason);
