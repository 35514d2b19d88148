using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

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
    IDatagramGroups? Groups = null)
{
    /// <summary>
    /// Endpoints that a host told an earlier process of, for when none of <see cref="Endpoints"/> lets the node in. Default none.
    /// </summary>
    public IReadOnlyList<string> ToldEndpoints { get; init; } = [];
}

/// <summary>Events that a node reports to the layer above it (the client API, a test). Core thread; user code runs elsewhere.</summary>
internal interface INodeHandler
{
    /// <summary>
    /// True while somebody waits for the answer to a call: then the node comes back before others when a host takes over. Default false.
    /// </summary>
    bool HasCalls => false;

    /// <summary>The node is in a view of its region.</summary>
    void OnJoined(LinkPeer self, JoinAccepted accepted);

    /// <summary>The node lost its host or was refused; it retries by itself.</summary>
    void OnDisconnected(string reason, bool isRefusal);

    /// <summary>
    /// The host told where the hosts of the cluster are: keep it for the next start (<see cref="NodeDependencies.ToldEndpoints"/>). The
    /// texts are what it sent, and may be no endpoints.
    /// </summary>
    void OnHosts(IReadOnlyList<string> endpoints)
    {
        // Only who keeps something needs them.
    }

    /// <summary>
    /// Something received for an application was refused, or a host does not have it. As often as a forger likes: a handler that reports it
    /// must limit the rate.
    /// </summary>
    void OnRefused(string application, IntakeRefusal refusal);

    /// <summary>As <see cref="IReplicaHandler.OnReceived"/>.</summary>
    void OnReceived(ApplicationReplica replica, ApplicationState state)
    {
        // Most handlers only follow what is decided.
    }

    /// <summary>As <see cref="IReplicaHandler.OnCandidate"/>.</summary>
    void OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide);

    /// <summary>As <see cref="IReplicaHandler.OnApplied"/>.</summary>
    void OnApplied(ApplicationReplica replica, ApplicationState state);

    /// <summary>As <see cref="IReplicaHandler.OnSearchEnded"/>.</summary>
    void OnSearchEnded(ApplicationReplica replica)
    {
        // Most handlers only follow what is in effect.
    }

    /// <summary>As <see cref="IReplicaHandler.TryPersist"/>.</summary>
    bool TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done);
}

/// <summary>
/// Work done once for all nodes of one core that trust the same authority, instead of once per node: opening packets that a host sent to
/// all, decoding and checking releases, assembling values, and building the resulting states. Each node still decides by itself what to
/// accept. Holds next to nothing while fewer than two nodes use it. Core thread.
/// </summary>
internal sealed class NodeShare
{
    /// <summary>Opened packets.</summary>
    public SharedPackets Packets { get; } = new();

    /// <summary>Decoded releases.</summary>
    public SharedReleases Releases { get; } = new();

    /// <summary>Values that come by the stream.</summary>
    public ValueAssemblies Values { get; } = new();

    internal void Join()
    {
        Packets.Join();
        Releases.Join();
        Values.Hold();
    }

    internal void Leave()
    {
        Packets.Leave();
        Releases.Leave();
        Values.Release();
    }
}
