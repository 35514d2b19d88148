using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

/// <summary>A replica of "shop" that accepts everything, with a verifier that believes everything and counts.</summary>
internal sealed class ReplicaRig : IReplicaHandler
{
    public ReplicaRig(Func<string, bool>? isWanted = null) =>
        Replica = new ApplicationReplica("shop", null, isWanted, Verifier, this, NodeLimits.Default.StagedMax);

    public CountingVerifier Verifier { get; } = new();

    public ApplicationReplica Replica { get; }

    /// <summary>What took effect, in order.</summary>
    public List<ApplicationState> Applied { get; } = [];

    /// <summary>What a fetch brings; null: nothing.</summary>
    public byte[]? Fetched { get; init; }

    public int Fetches { get; private set; }

    public int Forged { get; private set; }

    public int Behind { get; private set; }

    public void Offer(ReleaseMessage message) => Replica.Offer(message);

    void IReplicaHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide) => decide(null);

    void IReplicaHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => Applied.Add(state);

    void IReplicaHandler.OnLevelsChanged(ApplicationReplica replica)
    {
    }

    void IReplicaHandler.OnBehind(ApplicationReplica replica) => Behind++;

    void IReplicaHandler.OnForged(ApplicationReplica replica, string what) => Forged++;

    void IReplicaHandler.Fetch(
        ApplicationReplica replica, Digest160 digest, int length, ReadOnlyMemory<byte> previous, Action<ReadOnlyMemory<byte>?> done)
    {
        Fetches++;
        done(Fetched is { } fetched ? fetched : (ReadOnlyMemory<byte>?)null);
    }

    bool IReplicaHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done) => false;

    /// <summary>Answers at once.</summary>
    internal sealed class CountingVerifier : ISignatureVerifier
    {
        public int Asked { get; private set; }

        /// <summary>What it says of every signature.</summary>
        public bool IsBelieving { get; set; } = true;

        public bool IsVerified(in Digest160 id)
        {
            Asked++;
            return IsBelieving;
        }

        public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done) => done(IsBelieving);

        public bool TryAddSigner(ReadOnlyMemory<byte> certificate) => true;
    }
}
