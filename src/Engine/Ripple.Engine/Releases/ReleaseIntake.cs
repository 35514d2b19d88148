using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <summary>
/// Where releases of one application come in, in any order, from anyone: holds them until they link to the chain and a signature covers them. A forgery
/// costs room, never a place: several messages may claim one number, and the one that is signed wins. Core thread.
/// </summary>
internal sealed class ReleaseIntake
{
    private const int PendingMax = 256;
    private const int ClaimantsMax = 4;
    private const long PendingBytesMax = 8 * 1_024 * 1_024;

    private readonly ISignatureVerifier _verifier;
    private readonly IReleaseIntakeHandler _handler;
    private readonly bool _believesBodies;
    private readonly SortedDictionary<ulong, List<ReleaseMessage>> _pending = [];
    private long _pendingBytes;
    private bool _isVerifying;
    private int _epoch;

    public ReleaseIntake(ReleaseState head, ISignatureVerifier verifier, IReleaseIntakeHandler handler, bool believesBodies = false)
    {
        _believesBodies = believesBodies;
        Head = head;
        _verifier = verifier;
        _handler = handler;
    }

    /// <summary>The state at the newest verified release.</summary>
    public ReleaseState Head { get; private set; }

    public int PendingCount => _pending.Count;

    /// <summary>Starts over from another state: a snapshot.</summary>
    public void Reset(ReleaseState head)
    {
        Head = head;
        _epoch++;
        _isVerifying = false;
        DropOld();
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

        if (!TryHold(message))
        {
            _handler.OnStuck();
            return;
        }

        Advance();
        if (header.Release > Head.Release + 1)
        {
            _handler.OnStuck();
        }
    }

    private static long BytesOf(ReleaseMessage message) => 1_024 + message.Header.Encode().Length + message.Bodies.Sum(b => (long)(b?.Length ?? 0));

    private bool TryHold(ReleaseMessage message)
    {
        long bytes = BytesOf(message);
        if (!_pending.TryGetValue(message.Header.Release, out List<ReleaseMessage>? claimants))
        {
            if (_pending.Count == PendingMax || _pendingBytes + bytes > PendingBytesMax)
            {
                return false;
            }

            _pending[message.Header.Release] = claimants = [];
        }

        // The same id with and without a signature happens (stream and catch-up): the signed one is worth more.
        int same = claimants.FindIndex(m => m.Header.Id == message.Header.Id);
        if (same >= 0)
        {
            if (claimants[same].Signature is not null || message.Signature is null)
            {
                return true;
            }

            _pendingBytes -= BytesOf(claimants[same]);
            claimants.RemoveAt(same);
        }

        if (claimants.Count == ClaimantsMax || _pendingBytes + bytes > PendingBytesMax)
        {
            return false;
        }

        claimants.Add(message);
        _pendingBytes += bytes;
        return true;
    }

    private void Advance()
    {
        while (!_isVerifying)
        {
            var path = new List<ReleaseMessage>();
            if (!TryFindSigned(Head.Release, Head.Id, path))
            {
                return;
            }

            ReleaseMessage signed = path[^1];
            if (_verifier.IsVerified(signed.Header.Id))
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
            Drop(path[^1]);
            _handler.OnForged("a release whose signature is not the primary's");
            _handler.OnStuck();
        }

        Advance();
    }

    /// <summary>The nearest signed message that links to the chain, with those between. Each message names one predecessor, so the search sees each once.</summary>
    private bool TryFindSigned(ulong release, Digest160 id, List<ReleaseMessage> path)
    {
        if (!_pending.TryGetValue(release + 1, out List<ReleaseMessage>? claimants))
        {
            return false;
        }

        foreach (ReleaseMessage message in claimants)
        {
            if (message.Header.PreviousId != id)
            {
                continue;
            }

            path.Add(message);
            if (message.Signature is not null || TryFindSigned(release + 1, message.Header.Id, path))
            {
                return true;
            }

            path.RemoveAt(path.Count - 1);
        }

        return false;
    }

    private void Accept(List<ReleaseMessage> path)
    {
        int epoch = _epoch;
        for (int i = 0; i < path.Count && epoch == _epoch; i++)
        {
            ReleaseMessage message = path[i];
            ApplyStatus status = Head.Apply(message.Header, out ReleaseState next);
            if (status != ApplyStatus.Applied)
            {
                // The primary signed it and it does not lead where it says: this node's own state is not the primary's. A snapshot heals that.
                _pending.Clear();
                _pendingBytes = 0;
                _handler.OnStuck();
                return;
            }

            Head = next;
            DropOld();
            ImmutableArray<ReleaseHeader> chain = [.. path.Skip(i).Select(m => m.Header)];
            _handler.OnVerified(new VerifiedRelease(message, next, new ReleaseProof(chain, path[^1].Signature!), VerifyBodies(message)));
        }
    }

    private ReadOnlyMemory<byte>?[] VerifyBodies(ReleaseMessage message)
    {
        var bodies = new ReadOnlyMemory<byte>?[message.Bodies.Count];
        for (int i = 0; i < bodies.Length; i++)
        {
            if (message.Bodies[i] is not { } body)
            {
                continue;
            }

            if (_believesBodies || ContentDigest.Compute(body.Span) == message.Header.Changes[i].Digest)
            {
                bodies[i] = body;
            }
            else
            {
                _handler.OnForged($"a value of {message.Header.Changes[i].Key} that is not the released one");
            }
        }

        return bodies;
    }

    private void Drop(ReleaseMessage message)
    {
        if (_pending.TryGetValue(message.Header.Release, out List<ReleaseMessage>? claimants) && claimants.Remove(message))
        {
            _pendingBytes -= BytesOf(message);
            if (claimants.Count == 0)
            {
                _pending.Remove(message.Header.Release);
            }
        }
    }

    private void DropOld()
    {
        while (_pending.Count > 0)
        {
            (ulong release, List<ReleaseMessage> claimants) = _pending.First();
            if (release > Head.Release)
            {
                return;
            }

            foreach (ReleaseMessage message in claimants)
            {
                _pendingBytes -= BytesOf(message);
            }

            _pending.Remove(release);
        }
    }
}
