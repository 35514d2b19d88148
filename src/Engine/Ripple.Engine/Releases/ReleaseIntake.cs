using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <summary>
/// Takes the releases of one application, in any order and from any source, and holds them until they link to the chain and a signature
/// covers them. A forgery takes up memory but does not displace a release: several messages may claim one number, and the signed one wins.
/// Core thread.
/// </summary>
internal sealed class ReleaseIntake
{
    private readonly ISignatureVerifier _verifier;
    private readonly IReleaseIntakeHandler _handler;
    private readonly PendingReleases _pending = new();
    private bool _isVerifying;
    private int _epoch;

    // The last of the unsigned messages that link to the head: the search for a signed one resumes there.
    private ReleaseState? _tailFrom;
    private ulong _tailRelease;
    private Digest160 _tailId;

    public ReleaseIntake(ReleaseState head, ISignatureVerifier verifier, IReleaseIntakeHandler handler)
    {
        Head = head;
        _pending.SetHead(head.Release);
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
        _isVerifying = false;
        _pending.SetHead(head.Release);
        Advance();
    }

    public void Offer(ReleaseMessage message)
    {
        ReleaseHeader header = message.Header;
        if (header.Application != Head.Application)
        {
            _handler.OnForged($"a release of {header.Application} in the topic of {Head.Application}");
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

        if (_pending.Count == 0
            && header.Release == Head.Release + 1
            && header.PreviousId == Head.Id
            && message.Signature is not null
            && IsVerified(message))
        {
            // The usual case: nothing is pending.
            Accept([message]);
            return;
        }

        if (!_pending.TryAdd(message, out bool isReplaced))
        {
            _handler.OnStuck();
            return;
        }

        if (isReplaced || MayAdvance())
        {
            Advance();
        }

        if (header.Release > Head.Release + 1)
        {
            _handler.OnStuck();
        }
    }

    private bool IsVerified(ReleaseMessage message)
    {
        if (message.Shared is { IsVerified: true })
        {
            return true;
        }

        bool isVerified = _verifier.IsVerified(message.Header.Id);
        if (isVerified && message.Shared is { } shared)
        {
            shared.IsVerified = true;
        }

        return isVerified;
    }

    /// <summary>False when the held messages cannot advance the chain. Visits each message once while the head stays the same.</summary>
    private bool MayAdvance()
    {
        if (_pending.HasRivals)
        {
            return true;
        }

        if (!ReferenceEquals(_tailFrom, Head))
        {
            _tailFrom = Head;
            _tailRelease = Head.Release;
            _tailId = Head.Id;
        }

        while (_pending.First(_tailRelease + 1) is { } next && next.Header.PreviousId == _tailId)
        {
            if (next.Signature is not null)
            {
                return true;
            }

            _tailRelease++;
            _tailId = next.Header.Id;
        }

        return false;
    }

    private void Advance()
    {
        while (!_isVerifying && _pending.Count > 0)
        {
            var path = new List<ReleaseMessage>();
            if (!TryFindSigned(Head.Release, Head.Id, path))
            {
                return;
            }

            ReleaseMessage signed = path[^1];
            if (IsVerified(signed))
            {
                Accept(path);
                continue;
            }

            _isVerifying = true;
            int epoch = _epoch;
            _verifier.Verify(signed.Signature!, signed.Header.Id, isValid => OnVerifierDone(epoch, path, isValid));
        }
    }

    private void OnVerifierDone(int epoch, List<ReleaseMessage> path, bool isValid)
    {
        if (epoch != _epoch)
        {
            return;
        }

        _isVerifying = false;
        if (isValid)
        {
            Accept(path);
        }
        else
        {
            _pending.Remove(path[^1]);
            _handler.OnForged("a release whose signature is not the primary's");
            _handler.OnStuck();
        }

        Advance();
    }

    /// <summary>
    /// Finds the nearest signed message that links to the chain, and the messages in between. Each message names one predecessor, so the
    /// search visits each once.
    /// </summary>
    private bool TryFindSigned(ulong release, Digest160 id, List<ReleaseMessage> path)
    {
        if (_pending.First(release + 1) is not { } first)
        {
            return false;
        }

        if (TryFindSigned(first, id, path))
        {
            return true;
        }

        foreach (ReleaseMessage rival in _pending.Rivals(release + 1))
        {
            if (TryFindSigned(rival, id, path))
            {
                return true;
            }
        }

        return false;
    }

    private bool TryFindSigned(ReleaseMessage message, Digest160 previousId, List<ReleaseMessage> path)
    {
        if (message.Header.PreviousId != previousId)
        {
            return false;
        }

        path.Add(message);
        if (message.Signature is not null || TryFindSigned(message.Header.Release, message.Header.Id, path))
        {
            return true;
        }

        path.RemoveAt(path.Count - 1);
        return false;
    }

    private void Accept(List<ReleaseMessage> path)
    {
        _handler.OnBatchBegin();
        HandOut(path);
        _handler.OnBatchEnd();
    }

    private void HandOut(List<ReleaseMessage> path)
    {
        int epoch = _epoch;
        for (int i = 0; i < path.Count && epoch == _epoch; i++)
        {
            ReleaseMessage message = path[i];
            if (!TryFollow(message, out ReleaseState next))
            {
                // The primary signed it, but it does not lead to the state it names: this node's own state is not the primary's. A snapshot
                // repairs that.
                _pending.Clear();
                _handler.OnStuck();
                return;
            }

            Head = next;
            _pending.SetHead(next.Release);
            _handler.OnVerified(new VerifiedRelease(message, next, ProofOf(path, i), BodiesOf(message)));
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

    private static ReleaseProof ProofOf(List<ReleaseMessage> path, int index)
    {
        ReleaseMessage signed = path[^1];
        SharedWork? shared = path[index].Shared;
        if (shared?.ProofBy(signed) is { } known)
        {
            return known;
        }

        ImmutableArray<ReleaseHeader>.Builder chain = ImmutableArray.CreateBuilder<ReleaseHeader>(path.Count - index);
        for (int i = index; i < path.Count; i++)
        {
            chain.Add(path[i].Header);
        }

        var proof = new ReleaseProof(chain.MoveToImmutable(), signed.Signature!);
        shared?.SetProof(signed, proof);
        return proof;
    }

    /// <summary>
    /// The values that match their digests. The caller may fill in missing values; an array without any may be shared and is read-only.
    /// </summary>
    private ReadOnlyMemory<byte>?[] BodiesOf(ReleaseMessage message)
    {
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
                _handler.OnForged($"a value of {change.Key} that is not the released one");
            }
        }

        if (isWhole && message.Shared is { } shared)
        {
            shared.Bodies = bodies;
        }

        return bodies;
    }
}
