using System.Globalization;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Brings one node to the newest releases. A node that claims to be ahead, or to have another release than this host of a number, is asked
/// for a proof: a valid one shows this host that its own store is an older copy, and it begins a new generation. Core thread.
/// </summary>
internal sealed class NodeCatchUp
{
    private const int SignersBroughtMax = 4;
    private readonly SessionServices _services;
    private readonly NodeConnection _connection;
    private readonly CommittedIds _ids;
    private readonly SortedSet<uint> _proofsAsked = [];
    private int _signersBrought;

    public NodeCatchUp(SessionServices services, NodeConnection connection, Action wake)
    {
        _services = services;
        _connection = connection;
        _ids = new CommittedIds(services.Context, services.Memory);
        Feed = new CatchUpFeed(services.Context, services.Counters, services.Memory, wake, AskForProof);
    }

    /// <summary>Sends the missing data.</summary>
    public CatchUpFeed Feed { get; }

    /// <summary>The current states of the node's applications.</summary>
    public TopicState[] Topics() => _connection.State is ConnectionState.Entering entering
        ? [.. _services.Applications.Of(entering.Identity.Interest).Select(p => p.State(_services.Context.Epoch.Value))]
        : [];

    /// <summary>Starts catch-up from the states the node holds, after it was told the current ones.</summary>
    public void Begin(TopicState[] topics, IReadOnlyList<HeldState> held)
    {
        var byName = new Dictionary<string, HeldState>(StringComparer.Ordinal);
        foreach (HeldState state in held)
        {
            byName.TryAdd(state.Application, state);
        }

        foreach (TopicState topic in topics)
        {
            HeldState has = byName.GetValueOrDefault(topic.Application) ?? new HeldState(topic.Application, 0, 0, default);
            BringForward(_services.Applications.Find(topic.Topic)!, has.Generation, has.Release, has.Id);
        }
    }

    /// <summary>Brings the node to the newest release of an application, or asks it to prove that it is ahead.</summary>
    public void BringForward(ApplicationPrimary primary, uint generation, ulong release, Digest160 id)
    {
        ReleaseState committed = primary.Committed;
        bool isNewest = generation == committed.Generation && release == committed.Release && id == committed.Id;
        if (isNewest && !Feed.IsFollowing)
        {
            return;
        }

        bool isAhead = !isNewest
            && (generation > committed.Generation || (generation == committed.Generation && release >= committed.Release));
        if (isAhead && release > 0)
        {
            AskForProof(primary);
            return;
        }

        Feed.Request(primary, generation, release, id);
    }

    /// <summary>Handles a proof: the newest signed header of a node that claims to be ahead, or on another chain.</summary>
    public void OnProof(Proof proof)
    {
        // What becomes of this one is not known yet: if it comes to nothing, the node is asked again when it says again what it has.
        if (!_proofsAsked.Remove(proof.Topic))
        {
            // A check takes a hundred times as long as what asks for it.
            _connection.OnRefused("a proof that nobody asked for");
            return;
        }

        _connection.TakeForFrame(CallCosts.VerifyNs);
        if (_services.Applications.Find(proof.Topic) is not { } primary || Verify(proof, primary) is not { } header)
        {
            _connection.OnRefused("a proof that is not signed by this cluster");
            BringToCommitted(proof.Topic);
            return;
        }

        if (IsAhead(header, primary.Committed))
        {
            BeginGeneration(primary, header, "this store has");
        }
        else if (header.Generation == primary.Committed.Generation
            && header.Release < primary.Committed.Release
            && header.Release >= primary.HistoryFrom)
        {
            _ids.TryFind(primary, header.Release, id => OnCompared(primary, header, id));
        }
        else
        {
            BringToCommitted(proof.Topic);
        }
    }

    private void OnCompared(ApplicationPrimary primary, ReleaseHeader proved, Digest160? id)
    {
        if (id is null || _connection.IsClosed || proved.Generation != primary.Committed.Generation)
        {
            return;
        }

        if (id == proved.Id)
        {
            BringToCommitted(primary.Topic);
        }
        else
        {
            BeginGeneration(primary, proved, "this store has another release of that number, and");
        }
    }

    private void AskForProof(ApplicationPrimary primary)
    {
        if (_proofsAsked.Add(primary.Topic))
        {
            _connection.Send(new ProofRequest(primary.Topic));
        }
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
        && (_services.Context.Signer.Verify(signature, header.Id)
            || (TryAddSigner(proof.Signer) && _services.Context.Signer.Verify(signature, header.Id)))
            ? header
            : null;

    /// <summary>
    /// A host restored from a copy may lack the certificates of later signers: the node brings the one it has. It takes a while to judge,
    /// so a connection brings few.
    /// </summary>
    private bool TryAddSigner(ReadOnlyMemory<byte> certificate)
    {
        if (certificate.IsEmpty || ++_signersBrought > SignersBroughtMax)
        {
            return false;
        }

        _connection.TakeForFrame(CallCosts.CertificateNs + CallCosts.VerifyNs);
        return _services.Context.Signer.TryAddSigner(certificate);
    }

    private void BeginGeneration(ApplicationPrimary primary, ReleaseHeader proved, string found)
    {
        ReleaseState committed = primary.Committed;
        string reason = string.Create(
            CultureInfo.InvariantCulture,
            $"node {_connection.Node} holds generation {proved.Generation} release {proved.Release}, signed here; "
            + $"{found} generation {committed.Generation} release {committed.Release}: it was restored from an older copy");
        uint generation = proved.Generation;
        if (!_services.Context.Epoch.TryExceed(proved.SlotEpoch, isProved: true, () => primary.BeginGeneration(generation, reason)))
        {
            _services.Events.OnEpochNotRaised();
        }
    }

    /// <summary>Sends the committed state regardless of the node's: its claim to be ahead was not proved.</summary>
    private void BringToCommitted(uint topic)
    {
        if (_services.Applications.Find(topic) is { } primary)
        {
            Feed.Request(primary, 0, ulong.MaxValue, default);
        }
    }
}
