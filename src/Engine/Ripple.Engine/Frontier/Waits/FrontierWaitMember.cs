using Ripple.Engine.Regions;

namespace Ripple.Engine.Frontier.Waits;

/// <summary>A member named in the answer to a wait.</summary>
/// <param name="Node">The node.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">The release it has reached: the lowest of the levels that the predicate reads from it.</param>
/// <param name="Reason">"left", "failed", "silent" or "rejected release 7: ..."; empty when it is only behind.</param>
internal sealed record FrontierWaitMember(NodeId Node, string Name, ulong Value, string Reason);
