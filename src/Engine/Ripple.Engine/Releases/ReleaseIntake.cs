using System.Collections.Immutable;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Releases;

/// <summary>
/// Takes the releases of one application, in any order and from any source, and holds them until they link to the chain and a signature
/// covers them. What the host said over its own connection, and what is signed and verified, is never refused for want of room that a
/// forgery holds: a signature is verified before its message needs a place, and what has less to speak for it gives way. Core thread.
/// </summary>
internal sealed class ReleaseIntake
{
    /// <summary>
    /// The most signatures of one application that are verified at a time: a forger keeps no more of the process's threads busy. The
    /// others wait in their places.
    /// </summary>
    public const int VerifyingMax = 2;

    private readonly ISignatureVerifier _verifier;
    private readonly IReleaseIntakeHandler _handler;
    private readonly PendingReleases _pending = new();
    private readonly List<PendingRelease> _verifying = new(VerifyingMax);
    private int _epoch;

    public ReleaseIntake(ReleaseState head, ISignatureVerifier verifier, IReleaseIntakeHandler handler)
    {
        Head = head;
        _pending.SetHead(head.Release, head.Id);
        _verifier = verifier;
        _handler = handler;
    }

    /// <summary>The state at the newest verified release.</summary>
    public ReleaseState Head { get; private set; }

    public int PendingCount => _pending.Count;

    /// <summary>Starts over from another state, such as a snapshot.</summary>
    public void Reset(ReleaseState head)
    {
        Head = head;
        _epoch++;
        _pending.SetHead(head.Release, head.Id);
        Advance();
    }

    /// <summary>Takes a message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="isFromHost">Whether the host said it over its own connection, and not some member with the region's key.</param>
    /// <param name="sealer">The member that sealed the packet which completed it; null if none did.</param>
    public void Offer(ReleaseMessage message, bool isFromHost, NodeId? sealer = null)
    {
        ReleaseHeader header = message.Header;
        if (header.Application != Head.Application)
        {
            _handler.OnRefused(new IntakeRefusal($"a release of {header.Application} in the topic of {Head.Application}", header.Release));
            return;
        }

        if (header.Release <= Head.Release)
        {
            if (header.Generation > Head.Generation)
            {
                _handler.OnStuck();
            }

            return;
        }

        var claim = new PendingRelease(message, RankOf(message, isFromHost), sealer);
        if (message.Signature is null)
        {
            Hold(claim);
        }
        else if (IsVerified(message))
        {
            claim.Verify();
            Hold(claim);
        }
        else if (_verifying.Count == VerifyingMax || !_pending.IsInside(header.Release))
        {
            Hold(claim);
        }
        else if (!_verifying.Exists(claim.IsSame))
        {
            Verify(claim);
        }

        Advance();
        if (header.Release > Head.Release + 1)
        {
            _handler.OnStuck();
        }
    }

    private static ClaimRank RankOf(ReleaseMessage message, bool isFromHost) =>
        isFromHost ? ClaimRank.Trusted
        : message.Signature is null ? ClaimRank.Unsigned
        : ClaimRank.Signed;

    private bool IsVerified(ReleaseMessage message)
    {
        if (message.Shared is { IsVerified: true })
        {
            return true;
        }

        bool isVerified = _verifier.IsVerified(message.Signature!, message.Header.Id);
        if (isVerified && message.Shared is { } shared)
        {
            shared.IsVerified = true;
        }

        return isVerified;
    }

    private void Hold(PendingRelease claim)
    {
        if (claim.IsVerified && claim.Release == Head.Release + 1 && claim.Message.Header.PreviousId == Head.Id)
        {
            // The usual case: it needs no place.
            Accept([claim]);
            return;
        }

        if (claim.Release <= Head.Release)
        {
            return;
        }

        if (!_pending.TryAdd(claim, out bool hasEvicted) || hasEvicted)
        {
            _handler.OnStuck();
        }
    }

    private void Verify(PendingRelease claim)
    {
        _verifying.Add(claim);
        _verifier.Verify(claim.Message.Signature!, claim.Id, isValid => OnVerifierDone(claim, isValid));
    }

    private void OnVerifierDone(PendingRelease claim, bool isValid)
    {
        _verifying.Remove(claim);
        if (isValid)
        {
            claim.Verify();
            Hold(claim);
        }
        else
        {
            _handler.OnRefused(new IntakeRefusal("a release whose signature is not the primary's", claim.Release));
            _handler.OnStuck();
        }

        while (_verifying.Count < VerifyingMax && _pending.NextToVerify() is { } next)
        {
            _pending.Remove(next);
            Verify(next);
        }

        Advance();
    }

    private void Advance()
    {
        while (_pending.VerifiedCount > 0)
        {
            var path = new List<PendingRelease>();
            if (!TryFindVerified(Head.Release, Head.Id, path))
            {
                return;
            }

            Accept(path);
        }
    }

    /// <summary>
    /// Finds the nearest message with a verified signature that links to the chain, and the messages in between. Each message names one
    /// predecessor, so the search visits each once.
    /// </summary>
    private bool TryFindVerified(ulong release, Digest160 id, List<PendingRelease> path)
    {
        for (PendingRelease? claim = _pending.First(release + 1); claim is not null; claim = claim.Newer)
        {
            if (claim.Message.Header.PreviousId != id)
            {
                continue;
            }

            path.Add(claim);
            if (claim.IsVerified || TryFindVerified(claim.Release, claim.Id, path))
            {
                return true;
            }

            path.RemoveAt(path.Count - 1);
        }

        return false;
    }

    private void Accept(List<PendingRelease> path)
    {
        _handler.OnBatchBegin();
        Deliver(path);
        _handler.OnBatchEnd();
    }

    private void Deliver(List<PendingRelease> path)
    {
        int epoch = _epoch;
        for (int i = 0; i < path.Count && epoch == _epoch; i++)
        {
            ReleaseMessage message = path[i].Message;
            if (!TryFollow(message, out ReleaseState next))
            {
                // The primary signed it, but it does not lead to the state it names: this node's own state is not the primary's. A snapshot
                // repairs that.
                _pending.Clear();
                _handler.OnStuck();
                return;
            }

            Head = next;
            _pending.SetHead(next.Release, next.Id);
            _handler.OnVerified(new VerifiedRelease(message, next, ProofOf(path, i), BodiesOf(path[i]), path[i].Sealer)
            {
                IsFromStream = !path[i].IsFromHost,
            });
        }
    }

    private bool TryFollow(ReleaseMessage message, out ReleaseState next)
    {
        if (message.Shared?.After(Head) is { } known)
        {
            next = known;
            return true;
        }

        if (Head.Apply(message.Header, out next) != ApplyStatus.Applied)
        {
            return false;
        }

        message.Shared?.SetAfter(Head, next);
        return true;
    }

    private static ReleaseProof ProofOf(List<PendingRelease> path, int index)
    {
        ReleaseMessage signed = path[^1].Message;
        SharedWork? shared = path[index].Message.Shared;
        if (shared?.ProofBy(signed) is { } known)
        {
            return known;
        }

        ImmutableArray<ReleaseHeader>.Builder chain = ImmutableArray.CreateBuilder<ReleaseHeader>(path.Count - index);
        for (int i = index; i < path.Count; i++)
        {
            chain.Add(path[i].Message.Header);
        }

        var proof = new ReleaseProof(chain.MoveToImmutable(), signed.Signature!);
        shared?.SetProof(signed, proof);
        return proof;
    }

    /// <summary>
    /// The values that match their digests; a short form is a missing value until its turn. The caller may fill in missing values; an
    /// array without any may be shared and is read-only.
    /// </summary>
    private ReadOnlyMemory<byte>?[] BodiesOf(PendingRelease claim)
    {
        ReleaseMessage message = claim.Message;
        if (message.Shared?.Bodies is { } known)
        {
            return known;
        }

        var bodies = new ReadOnlyMemory<byte>?[message.Bodies.Count];
        bool isWhole = true;
        for (int i = 0; i < bodies.Length; i++)
        {
            KeyChange change = message.Header.Changes[i];
            if (message.Bodies[i] is not { } body)
            {
                bodies[i] = change.Operation == KeyOperation.Set && change.Length == 0
                    ? ReadOnlyMemory<byte>.Empty
                    : (ReadOnlyMemory<byte>?)null;
                isWhole &= change.Length == 0;
                continue;
            }

            if (ContentDigest.Compute(body.Span) == change.Digest)
            {
                bodies[i] = body;
            }
            else
            {
                isWhole = false;
                _handler.OnRefused(new IntakeRefusal(
                    "a value: its bytes are not those of its digest", message.Header.Release, change.Key, change.Digest)
                {
                    IsKept = true,
                    Sealer = claim.Sealer,
                });
            }
        }

        if (isWhole && message.Shared is { } shared)
        {
            shared.Bodies = bodies;
        }

        return bodies;
    }
}

/// <summary>Receives the events of a release intake. Core thread.</summary>
internal interface IReleaseIntakeHandler
{
    /// <summary>
    /// A batch of verified releases follows, up to <see cref="OnBatchEnd"/>: notifications that concern only the newest state can wait
    /// until then.
    /// </summary>
    void OnBatchBegin();

    /// <summary>No more releases of the batch follow.</summary>
    void OnBatchEnd();

    /// <summary>The next release of the chain is verified.</summary>
    void OnVerified(VerifiedRelease release);

    /// <summary>
    /// The messages received so far cannot advance the chain: a gap, another generation or a forgery. Catch up through a host.
    /// </summary>
    void OnStuck();

    /// <summary>A member of the region sealed data that the primary did not release.</summary>
    void OnRefused(IntakeRefusal refusal);
}

/// <summary>
/// A release whose header is verified: it follows the state before it, and the primary signed it or a successor in its batch.
/// </summary>
/// <param name="Message">The received message; a body that does not match its digest is missing from <paramref name="Bodies"/>.</param>
/// <param name="Keys">The resulting state.</param>
/// <param name="Proof">The proof of the release.</param>
/// <param name="Bodies">The verified value of each change; null for a removal, and for a value to be made or fetched.</param>
/// <param name="Sealer">The member that sealed the packet which completed the message; null if none did.</param>
internal sealed record VerifiedRelease(
    ReleaseMessage Message, ReleaseState Keys, ReleaseProof Proof, ReadOnlyMemory<byte>?[] Bodies, NodeId? Sealer)
{
    /// <summary>The verified value of each change; null for a removal, and for a value to be made or fetched.</summary>
    public ReadOnlyMemory<byte>?[] Bodies { get; set; } = Bodies;

    /// <summary>
    /// It came by the stream, and what it says follows there is waited for; false once that was in vain.
    /// </summary>
    public bool IsFromStream { get; set; }

    /// <summary>Its short forms were tried: what they did not make is fetched.</summary>
    public bool AreFormsTried { get; set; }
}

/// <summary>Something received for an application that is not what its primary released, or that a host does not have. Immutable.</summary>
/// <param name="Why">What it is, and what is wrong with it; for a log.</param>
/// <param name="Release">The release it belongs to; 0 when that is not known.</param>
/// <param name="Key">The key of a value; null when it is no value.</param>
/// <param name="Digest">The digest that a value must have.</param>
internal sealed record IntakeRefusal(string Why, ulong Release = 0, string? Key = null, Digest160 Digest = default)
{
    /// <summary>
    /// True for what was found wrong some time after it came: then <see cref="Sealer"/> says whose it is. False where the packet that was
    /// taken just now is to blame.
    /// </summary>
    public bool IsKept { get; init; }

    /// <summary>The member that sealed what was kept; null if none did.</summary>
    public NodeId? Sealer { get; init; }
}
