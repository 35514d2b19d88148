namespace Ripple.Engine.Core;

/// <summary>What a control connection proved about its other side. Made by the transport from the certificate; in the simulator given with the machine.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="NodeIdHigh">The first half of the node id; 0 unless a node.</param>
/// <param name="NodeIdLow">The second half of the node id; 0 unless a node.</param>
/// <param name="Name">The host's name, or the node's; for people.</param>
/// <param name="Application">The node's own application; empty unless a node.</param>
/// <param name="Role">What the node's token allows.</param>
/// <param name="TokenId">The token the node enrolled with; empty unless a node.</param>
public sealed record LinkPeer(LinkPeerKind Kind, ulong NodeIdHigh, ulong NodeIdLow, string Name, string Application, NodeRole Role, string TokenId);
