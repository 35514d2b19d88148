using System.Globalization;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Brings one node to the newest releases. A node that claims to be ahead is asked once for proof: a valid proof shows this host that its
/// own store was restored from an older copy, and it begins a new generation. Core thread.
/// </summary>
internal sealed class NodeCatchUp(SessionServices services, NodeConnection connection, Action wake)
{
    private readonly SortedSet<uint> _proofsAsked = [];

    /// <summary>Sends the missing data.</summary>
    public CatchUpFeed Feed { get; } = new(services.Context, services.Counters, services.Memory, wake);

    /// <summary>The current states of the node's applications.</summary>
    public TopicState[] Topics() => connection.State is ConnectionState.Entering entering
        ? [.. services.Applications.Of(entering.Identity.Interest).Select(p => p.State(services.Context.Epoch.Value))]
        : [];

    /// <summary>Starts catch-up from the states the node holds, after it was told the current ones.</summary>
    public void Begin(TopicState[] topics, IReadOnlyList<HeldState> held)
    {
        foreach (TopicState topic in topics)
        {
            HeldState has = held.FirstOrDefault(h => h.Application == topic.Application) ?? new HeldState(topic.Application, 0, 0, default);
            BringForward(services.Applications.Find(topic.Topic)!, has.Generation, has.Release, has.Id);
        }
    }

    /// <summary>Brings the node to the newest release of an application, or asks it to prove that it is ahead.</summary>
    public void BringForward(ApplicationPrimary primary, uint generation, ulong release, Digest160 id)
    {
        ReleaseState committed = primary.Committed;
        if (generation == committed.Generation && release == committed.Release && id == committed.Id)
        {
            return;
        }

        bool isAhead = generation > committed.Generation || (generation == committed.Generation && release >= committed.Release);
        if (isAhead && release > 0)
        {
            if (_proofsAsked.Add(primary.Topic))
            {
                connection.Send(new ProofRequest(primary.Topic));
            }

            return;
        }

        Feed.Request(primary, generation, release, id);
    }

    /// <summary>Handles a proof: the newest signed header of a node that claims to be ahead.</summary>
    public void OnProof(Proof proof)
    {
        if (services.Applications.Find(proof.Topic) is not { } primary || Verify(proof, primary) is not { } header)
        {
            services.Counters.ControlRefused++;
            services.Events.OnRefused(connection.Node, "a proof that is not signed by this cluster");
            BringToCommitted(proof.Topic);
            return;
        }

        if (!IsAhead(header, primary.Committed))
        {
            BringToCommitted(proof.Topic);
            return;
        }

        BeginGeneration(primary, header);
    }

    private static bool IsAhead(ReleaseHeader header, ReleaseState committed) =>
        header.Generation > committed.Generation
        || (header.Generation == committed.Generation
            && (header.Release > committed.Release || (header.Release == committed.Release && header.Id != committed.Id)));

    /// <summary>The header in a proof; null if the proof is invalid.</summary>
    private ReleaseHeader? Verify(Proof proof, ApplicationPrimary primary) =>
        ReleaseHeader.TryDecode(proof.Header.Span, out ReleaseHeader? header)
        && header.Application == primary.Name
        && ReleaseSignature.TryRead(proof.Signature.Span) is { } signature
        && services.Context.Signer.Verify(signature, header.Id)
            ? header
            : null;

    private void BeginGeneration(ApplicationPrimary primary, ReleaseHeader proved)
    {
        ReleaseState committed = primary.Committed;
        string reason = string.Create(
            CultureInfo.InvariantCulture,
            $"node {connection.Node} holds generation {proved.Generation} release {proved.Release}, signed here; "
            + $"this store has generation {committed.Generation} release {committed.Release}: it was restored from an older copy");
        uint generation = proved.Generation;
        if (proved.SlotEpoch < services.Context.Epoch.Value)
        {
            primary.BeginGeneration(generation, reason);
        }
        else if (!services.Context.Epoch.TryRaise(proved.SlotEpoch + 1, () => primary.BeginGeneration(generation, reason)))
        {
            services.Events.OnEpochNotRaised();
        }
    }

    /// <summary>Sends the committed state regardless of the node's: its claim to be ahead was not proved.</summary>
    private void BringToCommitted(uint topic)
    {
        _proofsAsked.Remove(topic);
        if (services.Applications.Find(topic) is { } primary)
        {
            Feed.Request(primary, 0, ulong.MaxValue, default);
        }
    }
}
