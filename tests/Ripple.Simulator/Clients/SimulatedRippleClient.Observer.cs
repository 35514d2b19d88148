using Ripple.Client.Running;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Simulator.Oracles;

namespace Ripple.Simulator.Clients;

/// <content>What the node tells its client, seen.</content>
internal partial class SimulatedRippleClient
{
    /// <summary>Sees what the node tells its client.</summary>
    private sealed class Observer(SimulatedRippleClient owner, ClientCore core) : INodeHandler
    {
        public bool HasCalls => core.HasCalls;

        public void OnJoined(Engine.Links.LinkPeer self, JoinAccepted accepted)
        {
            owner.Accepted = accepted;
            owner.Node = core.Node;
            owner.TellJoined(accepted);
            core.OnJoined(self, accepted);
            owner.OnJoined?.Invoke();
        }

        public void OnDisconnected(string reason, bool isRefusal)
        {
            owner.TellDisconnected(reason, isRefusal);
            core.OnDisconnected(reason, isRefusal);
        }

        public void OnHosts(IReadOnlyList<string> endpoints) => core.OnHosts(endpoints);

        public void OnReceived(ApplicationReplica replica, ApplicationState state) => core.OnReceived(replica, state);

        public void OnRefused(string application, IntakeRefusal refusal) => core.OnRefused(application, refusal);

        public void OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide)
        {
            NodeWitness? witness = owner.WitnessOf(replica.Name);
            witness?.OnDeciding(replica, candidate);
            core.OnCandidate(replica, candidate, reason =>
            {
                // The client may reject for the program, after its time; it may not accept for it.
                if (reason is not null || owner.HasAccepted(candidate))
                {
                    witness?.OnDecided(candidate, reason);
                }

                decide(reason);
            });
        }

        public void OnApplied(ApplicationReplica replica, ApplicationState state)
        {
            core.OnApplied(replica, state);
            owner.NoteApplied(replica.Name, state);
        }

        public void OnSearchEnded(ApplicationReplica replica) => core.OnSearchEnded(replica);

        public bool TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done)
        {
            owner.OnSaving?.Invoke();
            owner.Folder.Saving[replica.Name] = new Saved(snapshot.Received.Keys.Generation, snapshot.Received.Keys.Release);
            return core.TryPersist(replica, snapshot, isSaved =>
            {
                if (isSaved)
                {
                    owner.WitnessOf(replica.Name)?.OnPersisted(snapshot);
                }

                done(isSaved);
            });
        }
    }
}
