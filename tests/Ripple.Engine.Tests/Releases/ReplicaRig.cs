using Ripple.Engine.Nodes;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

/// <summary>A replica of "shop" that accepts everything, with a verifier that believes everything and counts.</summary>
internal sealed class ReplicaRig : IReplicaHandler
{
    private ReplicaSnapshot? _saved;
    private Action<bool>? _saving;

    public ReplicaRig(Func<string, bool>? isWanted = null, ReplicaSnapshot? restored = null) =>
        Replica = new ApplicationReplica("shop", restored, isWanted, Verifier, this, NodeLimits.Default.StagedMax);

    public CountingVerifier Verifier { get; } = new();

    public ApplicationReplica Replica { get; }

    /// <summary>What took effect, in order.</summary>
    public List<ApplicationState> Applied { get; } = [];

    /// <summary>What a fetch brings; null: nothing.</summary>
    public byte[]? Fetched { get; init; }

    /// <summary>True: fetches wait in <see cref="FetchesUnderWay"/>.</summary>
    public bool IsFetchLate { get; init; }

    public List<Action> FetchesUnderWay { get; } = [];

    /// <summary>Why a state is rejected; null, or an answer of null: it is accepted.</summary>
    public Func<ApplicationState, string?>? Judge { get; init; }

    public List<IntakeRefusal> Refusals { get; } = [];


    public int Fetches { get; private set; }

    public int Forged { get; private set; }

    public int Behind { get; private set; }

    public void Offer(ReleaseMessage message, bool isFromHost = false, NodeId? sealer = null) =>
        Replica.Offer(message, isFromHost, sealer);

    void IReplicaHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide) =>
        decide(Judge?.Invoke(candidate));

    void IReplicaHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => Applied.Add(state);

    void IReplicaHandler.OnLevelsChanged(ApplicationReplica replica)
    {
    }

    void IReplicaHandler.OnBehind(ApplicationReplica replica) => Behind++;

    void IReplicaHandler.OnRefused(ApplicationReplica replica, IntakeRefusal refusal)
    {
        Forged++;
        Refusals.Add(refusal);
    }

    void IReplicaHandler.OnMissing(ApplicationReplica replica, IntakeRefusal missing)
    {
    }

    void IReplicaHandler.Fetch(ApplicationReplica replica, in WantedValue wanted, Action<FetchedValue> done)
    {
        Fetches++;
        Action end = () => done(Fetched is { } fetched ? new FetchedValue(fetched) : default);
        if (IsFetchLate)
        {
            FetchesUnderWay.Add(end);
        }
        else
        {
            end();
        }
    }

    bool IReplicaHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done)
    {
        _saved = snapshot;
        _saving = done;
        return true;
    }

    /// <summary>Ends all saves, and gives what was saved last.</summary>
    public ReplicaSnapshot? Save()
    {
        while (_saving is { } done)
        {
            _saving = null;
            done(true);
        }

        return _saved;
    }

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
