using System.Diagnostics.CodeAnalysis;
using Ripple.Client.Scheduling;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Verification;

/// <summary>
/// Verifies releases of one cluster for all clients of the process: each signature once, on the thread pool. Reference-counted: disposed
/// with the last client's <see cref="Release"/>. Thread-safe; its lock is held only for lookups, never during a verification.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "Counted: the last Release disposes.")]
internal sealed class SharedVerifier
{
    /// <summary>Maximum number of signatures remembered as verified.</summary>
    public const int VerifiedMax = 4_096;

    private static readonly Lock Registry = new();
    private static readonly Dictionary<string, SharedVerifier> ByAuthority = new(StringComparer.Ordinal);

    private readonly string _fingerprint;
    private readonly IClientScheduler _scheduler;
    private readonly Func<AuthorityTrust, IReleaseVerifier> _open;
    private readonly Lock _lock = new();
    private readonly VerifiedSignatures _verified = new(VerifiedMax);
    private readonly Dictionary<SignedId, List<Action<bool>>> _pending = [];
    private readonly Dictionary<ulong, ReadOnlyMemory<byte>> _signers = [];
    private AuthorityTrust? _trust;
    private IReleaseVerifier? _verifier;
    private long _verifications;
    private int _references;

    /// <param name="fingerprint">SHA-256 of the authority's certificate.</param>
    /// <param name="scheduler">Runs the verifications.</param>
    /// <param name="open">Creates the verifier of signatures once the authority is known.</param>
    internal SharedVerifier(ReadOnlySpan<byte> fingerprint, IClientScheduler scheduler, Func<AuthorityTrust, IReleaseVerifier> open)
    {
        _fingerprint = Convert.ToHexStringLower(fingerprint);
        _scheduler = scheduler;
        _open = open;
    }

    /// <summary>The number of signatures verified, not counting those found in memory.</summary>
    public long Verifications => Interlocked.Read(ref _verifications);

    /// <summary>The authority; null until a host or a snapshot has presented it.</summary>
    public AuthorityTrust? Trust => Volatile.Read(ref _trust);

    /// <summary>The process's verifier for the authority with this fingerprint. Give it back with <see cref="Release"/>.</summary>
    public static SharedVerifier Acquire(ReadOnlySpan<byte> fingerprint)
    {
        string name = Convert.ToHexStringLower(fingerprint);
        lock (Registry)
        {
            if (!ByAuthority.TryGetValue(name, out SharedVerifier? verifier))
            {
                verifier = new SharedVerifier(fingerprint, PoolScheduler.Instance, static trust => new CertifiedVerifier(trust));
                ByAuthority.Add(name, verifier);
            }

            verifier._references++;
            return verifier;
        }
    }

    /// <summary>Gives up one reference; the last one disposes the verifier.</summary>
    public void Release()
    {
        lock (Registry)
        {
            if (--_references > 0)
            {
                return;
            }

            // A simulation's verifiers are not in the registry.
            if (ByAuthority.GetValueOrDefault(_fingerprint) == this)
            {
                ByAuthority.Remove(_fingerprint);
            }
        }

        _verifier?.Dispose();
    }

    /// <summary>Accepts the authority's certificate from any source. Returns false if it is not the pinned one.</summary>
    public bool TrySetTrust(AuthorityTrust? trust)
    {
        if (trust is null || Convert.ToHexStringLower(trust.Fingerprint.Span) != _fingerprint)
        {
            return false;
        }

        lock (_lock)
        {
            if (_trust is null)
            {
                _verifier = _open(trust);
                Volatile.Write(ref _trust, trust);
            }
        }

        return true;
    }

    /// <summary>
    /// Adds a signer's certificate: about a millisecond the first time, a comparison after that. Returns false if the authority did not
    /// certify it or is not known yet.
    /// </summary>
    public bool TryAddSigner(ReadOnlyMemory<byte> certificate)
    {
        IReleaseVerifier? verifier;
        lock (_lock)
        {
            foreach (ReadOnlyMemory<byte> known in _signers.Values)
            {
                if (known.Span.SequenceEqual(certificate.Span))
                {
                    return true;
                }
            }

            verifier = _verifier;
        }

        if (verifier is null || !verifier.TryAdd(certificate.Span, out ulong id))
        {
            return false;
        }

        lock (_lock)
        {
            _signers[id] = certificate;
        }

        return true;
    }

    /// <summary>The certificate of a signer; null if unknown.</summary>
    public ReadOnlyMemory<byte>? CertificateOf(ulong signerId)
    {
        lock (_lock)
        {
            return _signers.TryGetValue(signerId, out ReadOnlyMemory<byte> certificate) ? certificate : (ReadOnlyMemory<byte>?)null;
        }
    }

    /// <summary>Whether this signature over the id has been verified and is still remembered.</summary>
    public bool IsVerified(ReleaseSignature signature, in Digest160 id)
    {
        return IsVerified(SignedId.Of(signature, id));
    }

    /// <summary>Verifies synchronously on this thread.</summary>
    public bool Verify(ReleaseSignature signature, in Digest160 id)
    {
        var key = SignedId.Of(signature, id);
        return IsVerified(key) || VerifyOnce(signature, key);
    }

    /// <summary>
    /// Verifies on the thread pool, where <paramref name="done"/> runs. Concurrent requests for the same signature share one verification.
    /// </summary>
    public void Begin(ReleaseSignature signature, Digest160 id, Action<bool> done)
    {
        var key = SignedId.Of(signature, id);
        lock (_lock)
        {
            if (_pending.TryGetValue(key, out List<Action<bool>>? waiting))
            {
                waiting.Add(done);
                return;
            }

            _pending.Add(key, [done]);
        }

        _scheduler.Queue(new Work(this, key, signature));
    }

    private bool IsVerified(in SignedId key)
    {
        lock (_lock)
        {
            return _verified.Contains(key);
        }
    }

    private List<Action<bool>> Take(SignedId key)
    {
        lock (_lock)
        {
            _pending.Remove(key, out List<Action<bool>>? waiting);
            return waiting ?? [];
        }
    }

    private bool VerifyOnce(ReleaseSignature signature, in SignedId key)
    {
        IReleaseVerifier? verifier = Volatile.Read(ref _verifier);
        if (verifier is null)
        {
            return false;
        }

        Span<byte> bytes = stackalloc byte[Digest160.Size];
        key.Id.Write(bytes);
        Interlocked.Increment(ref _verifications);
        bool isValid;
        try
        {
            isValid = verifier.IsSigned(signature.SignerId, bytes, signature.Bytes.Span);
        }
        catch (ObjectDisposedException)
        {
            // The last client is gone: nobody is waiting for the result.
            return false;
        }

        if (isValid)
        {
            lock (_lock)
            {
                _verified.Add(key);
            }
        }

        return isValid;
    }

    private sealed record Work(SharedVerifier Verifier, SignedId Key, ReleaseSignature Signature) : IThreadPoolWorkItem
    {
        void IThreadPoolWorkItem.Execute()
        {
            bool isValid = Verifier.Verify(Signature, Key.Id);
            foreach (Action<bool> done in Verifier.Take(Key))
            {
                done(isValid);
            }
        }
    }
}

/// <summary>The signatures verified recently, in a bounded LRU set. Not synchronized.</summary>
internal sealed class VerifiedSignatures(int capacity)
{
    private readonly Dictionary<SignedId, LinkedListNode<SignedId>> _byKey = new(capacity);
    private readonly LinkedList<SignedId> _byUse = [];

    public int Count => _byKey.Count;

    public bool Contains(in SignedId key)
    {
        if (!_byKey.TryGetValue(key, out LinkedListNode<SignedId>? node))
        {
            return false;
        }

        _byUse.Remove(node);
        _byUse.AddLast(node);
        return true;
    }

    public void Add(in SignedId key)
    {
        if (Contains(key))
        {
            return;
        }

        if (_byKey.Count == capacity)
        {
            _byKey.Remove(_byUse.First!.Value);
            _byUse.RemoveFirst();
        }

        _byKey.Add(key, _byUse.AddLast(key));
    }
}

/// <summary>
/// One signature over one release id. Contains both, because the result for one signature must not count for another one over the same id:
/// that one would be kept as the release's proof and be refused wherever it is verified again.
/// </summary>
/// <param name="Id">The release id.</param>
/// <param name="SignerId">The signer.</param>
/// <param name="SignatureHash">A digest of the signature's bytes.</param>
internal readonly record struct SignedId(Digest160 Id, ulong SignerId, Digest160 SignatureHash)
{
    public static SignedId Of(ReleaseSignature signature, in Digest160 id) =>
        new(id, signature.SignerId, Digest160.Hash("signature"u8, signature.Bytes.Span));
}
