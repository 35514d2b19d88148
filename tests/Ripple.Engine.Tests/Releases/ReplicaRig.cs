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

    public void Offer(ReleaseMessage message, bool isFromHost = false) => Replica.Offer(message, isFromHost);

    void IReplicaHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide) => decide(null);

    void IReplicaHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => Applied.Add(state);

    void IReplicaHandler.OnLevelsChanged(ApplicationReplica replica)
    {
    }

    void IReplicaHandler.OnBehind(ApplicationReplica replica) => Behind++;

    void IReplicaHandler.OnRefused(ApplicationReplica replica, IntakeRefusal refusal) => Forged++;

    void IReplicaHandler.OnMissing(ApplicationReplica replica, IntakeRefusal missing)
    {
    }

    void IReplicaHandler.Fetch(
        ApplicationReplica replica, Digest160 digest, int length, ReadOnlyMemory<byte> previous, Action<FetchedValue> done)
    {
        Fetches++;
        done(Fetched is { } fetched ? new FetchedValue(fetched) : default);
    }

    bool IReplicaHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done) => false;

    /// <summary>Answers at once, unless told to wait.</summary>
    internal sealed class CountingVerifier : ISignatureVerifier
    {
        public int Asked { get; private set; }

        /// <summary>What it says of every signature.</summary>
        public bool IsBelieving { get; set; } = true;

        /// <summary>Which signatures are genuine, and not known yet; null: as <see cref="IsBelieving"/> says.</summary>
        public Func<ReleaseSignature, bool>? IsGenuine { get; set; }

        /// <summary>True: questions wait in <see cref="UnderWay"/>.</summary>
        public bool IsLate { get; set; }

        public List<Action> UnderWay { get; } = [];

        public bool IsVerified(ReleaseSignature signature, in Digest160 id)
        {
            Asked++;
            return IsGenuine is null && IsBelieving;
        }

        public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done)
        {
            bool isValid = IsGenuine?.Invoke(signature) ?? IsBelieving;
            if (IsLate)
            {
                UnderWay.Add(() => done(isValid));
            }
            else
            {
                done(isValid);
            }
        }

        /// <summary>Answers everything that waits, and what comes of it.</summary>
        public void AnswerAll()
        {
            while (UnderWay.Count > 0)
            {
                Action first = UnderWay[0];
                UnderWay.RemoveAt(0);
                first();
            }
        }

        public bool TryAddSigner(ReadOnlyMemory<byte> certificate) => true;
    }
}
