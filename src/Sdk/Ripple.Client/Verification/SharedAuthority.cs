using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Verification;

/// <summary>
/// State shared by the clients of one authority on one core: work their nodes do only once, and verifications in progress, whose results
/// are posted to the core once rather than once per client. Core thread.
/// </summary>
internal sealed class SharedAuthority(SharedVerifier verifier, ICompletionQueue completions)
{
    private readonly Dictionary<Digest160, List<Pending>> _pending = [];

    public SharedVerifier Verifier { get; } = verifier;

    public NodeShare Nodes { get; } = new();

    /// <summary>The number of clients using it.</summary>
    public int Clients { get; set; }

    /// <summary>Verifies off the core; <paramref name="done"/> runs on the core later.</summary>
    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done)
    {
        if (!_pending.TryGetValue(id, out List<Pending>? claims))
        {
            _pending[id] = claims = [];
        }

        // Match the signature too: the result for a forged one must not stand for the genuine one.
        foreach (Pending claim in claims)
        {
            if (claim.Signature.SignerId == signature.SignerId && claim.Signature.Bytes.Span.SequenceEqual(signature.Bytes.Span))
            {
                claim.Waiting.Add(done);
                return;
            }
        }

        var pending = new Pending(signature, [done]);
        claims.Add(pending);
        Verifier.Begin(signature, id, isValid => completions.Complete(() => End(id, pending, isValid)));
    }

    private void End(Digest160 id, Pending pending, bool isValid)
    {
        List<Pending> claims = _pending[id];
        claims.Remove(pending);
        if (claims.Count == 0)
        {
            _pending.Remove(id);
        }

        foreach (Action<bool> done in pending.Waiting)
        {
            done(isValid);
        }
    }

    private sealed class Pending(ReleaseSignature signature, List<Action<bool>> waiting)
    {
        public ReleaseSignature Signature => signature;

        public List<Action<bool>> Waiting => waiting;
    }
}

/// <summary>One node's access to the process's verifier; results are delivered on the node's core.</summary>
/// <param name="shared">The state shared by the nodes of its core.</param>
/// <param name="trust">The authority as presented on the connection; null before the first.</param>
internal sealed class PooledSignatureVerifier(SharedAuthority shared, Func<AuthorityTrust?> trust) : ISignatureVerifier
{
    /// <inheritdoc/>
    public bool IsVerified(ReleaseSignature signature, in Digest160 id) => shared.Verifier.IsVerified(signature, id);

    /// <inheritdoc/>
    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done) => shared.Verify(signature, id, done);

    /// <inheritdoc/>
    public ReadOnlyMemory<byte> CertificateOf(ulong signerId) => shared.Verifier.CertificateOf(signerId) ?? default;

    /// <inheritdoc/>
    public bool TryAddSigner(ReadOnlyMemory<byte> certificate)
    {
        if (shared.Verifier.Trust is null)
        {
            shared.Verifier.TrySetTrust(trust());
        }

        return shared.Verifier.TryAddSigner(certificate);
    }
}
