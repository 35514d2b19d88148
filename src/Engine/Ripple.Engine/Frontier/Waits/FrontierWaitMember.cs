using Ripple.Engine.Regions;

namespace Ripple.Engine.Frontier.Waits;

/// <summary>A member that the answer to a wait names.</summary>
/// <param name="Node">The node.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">The release it is at: the least of the levels that the predicate reads of it.</param>
/// <param name="Reason">"left", "failed", "silent" or "rejected release 7: ..."; empty when it is merely behind.</param>
internal sealed record FrontierWaitMember(NodeId Node, string Name, ulong Value, string Reason);
