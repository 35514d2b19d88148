using Ripple.Engine.Links;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>Events that a node reports to the layer above it (the client API, a test). Core thread; user code runs elsewhere.</summary>
internal interface INodeHandler
{
    /// <summary>The node is in a view of its region.</summary>
    void OnJoined(LinkPeer self, JoinAccepted accepted);

    /// <summary>The node lost its host or was refused; it retries by itself.</summary>
    void OnDisconnected(string reason, bool isRefusal);

    /// <summary>
    /// Something received for an application was refused, or a host does not have it. As often as forgers like: whoever tells of it bounds
    /// the rate.
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
