using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>What connects a node with the world; the node disposes of the ports.</summary>
/// <param name="Connector">Makes control connections.</param>
/// <param name="Endpoints">Where hosts are, in the order to try them.</param>
/// <param name="DataPort">Takes data and repairs.</param>
/// <param name="ControlPort">Takes tokens and beacons, sends everything this node sends.</param>
/// <param name="Verifier">Verifies signatures outside the core.</param>
/// <param name="Handler">The layer above.</param>
/// <param name="Share">What this node shares with others of its core that trust the same authority; null: nothing.</param>
/// <param name="Groups">Joins multicast groups; null: the node takes its stream by unicast alone.</param>
internal sealed record NodeDependencies(
    ILinkConnector Connector,
    IReadOnlyList<string> Endpoints,
    IDatagramPort DataPort,
    IDatagramPort ControlPort,
    ISignatureVerifier Verifier,
    INodeHandler Handler,
    NodeShare? Share = null,
    IDatagramGroups? Groups = null);
