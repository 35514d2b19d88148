using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>A node's connections to the outside; the node disposes of the ports.</summary>
/// <param name="Connector">Opens control links to hosts.</param>
/// <param name="Endpoints">The hosts' endpoints, in the order to try them.</param>
/// <param name="DataPort">Receives data and repairs.</param>
/// <param name="ControlPort">Receives tokens and beacons, and sends all datagrams of this node.</param>
/// <param name="Verifier">Verifies signatures outside the core.</param>
/// <param name="Handler">The layer above.</param>
/// <param name="Share">Work shared with other nodes of this core that trust the same authority; null for none.</param>
/// <param name="Groups">Joins multicast groups; null when the node receives its stream by unicast only.</param>
internal sealed record NodeDependencies(
    ILinkConnector Connector,
    IReadOnlyList<string> Endpoints,
    IDatagramPort DataPort,
    IDatagramPort ControlPort,
    ISignatureVerifier Verifier,
    INodeHandler Handler,
    NodeShare? Share = null,
    IDatagramGroups? Groups = null);
