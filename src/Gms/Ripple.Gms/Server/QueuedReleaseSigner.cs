using System.Security.Cryptography.X509Certificates;
using System.Threading.Channels;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// Makes the host's signing key available to the core: signs on one thread pool worker, in order. Its callers bound the queue: an
/// application has one signature in progress.
/// </summary>
internal sealed class QueuedReleaseSigner : IReleaseSigner, IAsyncDisposable
{
    private const int CertificatesMin = 8;

    private readonly List<ReleaseSigner> _former = [];
    private readonly ReleaseVerifier _verifier;
    private readonly TimeProvider _time;
    private readonly Id128 _clusterId;
    private readonly Action<Exception> _onFailed;
    private readonly Channel<Work> _waiting = Channel.CreateUnbounded<Work>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Task _worker;

    // Replaced as a whole, by one caller at a time.
    private volatile Keys _keys;

    /// <param name="signer">The signer; owned by this instance from now on.</param>
    /// <param name="trust">The cluster's authority.</param>
    /// <param name="earlierCertificates">Certificates, DER, of keys this host signed with earlier, newest first. Those not issued by the
    /// authority for signing are ignored.</param>
    /// <param name="onFailed">Called on the worker when the key fails or its certificate has ended: nothing can be released from then
    /// on.</param>
    /// <param name="time">The time by which a certificate ends; null for the system's.</param>
    public QueuedReleaseSigner(
        ReleaseSigner signer,
        AuthorityTrust trust,
        IEnumerable<ReadOnlyMemory<byte>> earlierCertificates,
        Action<Exception> onFailed,
        TimeProvider? time = null)
    {
        _time = time ?? TimeProvider.System;
        _clusterId = trust.ClusterId;
        _onFailed = onFailed;
        _verifier = new ReleaseVerifier(trust);
        _verifier.TryAdd(signer.CertificateDer.Span, out _);
        var others = new List<(ulong SignerId, ReadOnlyMemory<byte> Certificate)>();
        foreach (ReadOnlyMemory<byte> certificate in earlierCertificates)
        {
            if (_verifier.TryAdd(certificate.Span, out ulong signerId)
                && signerId != signer.SignerId
                && others.TrueForAll(c => c.SignerId != signerId))
            {
                others.Add((signerId, certificate));
            }
        }

        _keys = new Keys(signer, null, others);
        _worker = Task.Run(RunAsync);
    }

    /// <inheritdoc/>
    public ReadOnlyMemory<byte> Certificate => _keys.Signing.CertificateDer;

    /// <inheritdoc/>
    public IReadOnlyList<ReadOnlyMemory<byte>> CertificatesFor(IEnumerable<ulong> signerIds)
    {
        Keys keys = _keys;
        HashSet<ulong> needed = [.. signerIds];
        ILookup<bool, ReadOnlyMemory<byte>> others = keys.Others.ToLookup(c => needed.Contains(c.SignerId), c => c.Certificate);
        List<ReadOnlyMemory<byte>> given = [keys.Signing.CertificateDer];
        if (keys.Next is { } next)
        {
            given.Add(next.CertificateDer);
        }

        given.AddRange(others[true]);
        given.AddRange(others[false].Take(CertificatesMin - given.Count));
        return given;
    }

    /// <summary>
    /// From now on the certificate of the next key is given to nodes, and its signatures are verified; it does not sign yet. One caller at
    /// a time, as for <see cref="UseNext"/>.
    /// </summary>
    /// <param name="next">The next key; owned by this instance from now on.</param>
    public void Prepare(ReleaseSigner next)
    {
        _verifier.TryAdd(next.CertificateDer.Span, out _);
        _keys = _keys with { Next = next };
    }

    /// <summary>Signs with the prepared key from the next work on.</summary>
    public void UseNext()
    {
        Keys keys = _keys;
        ReleaseSigner next = keys.Next ?? throw new InvalidOperationException("No key was prepared.");
        // The worker may be signing with it: disposed of with everything else.
        _former.Add(keys.Signing);
        _keys = new Keys(next, null, [(keys.Signing.SignerId, keys.Signing.CertificateDer), .. keys.Others]);
    }

    /// <inheritdoc/>
    public bool TryAddSigner(ReadOnlyMemory<byte> certificate) => _verifier.TryAdd(certificate.Span, out _);

    /// <summary>The signer id in its signatures.</summary>
    public ulong SignerId => _keys.Signing.SignerId;

    /// <inheritdoc/>
    public void Sign(Digest160 id, Action<ReleaseSignature> done) => _waiting.Writer.TryWrite(new(id, done));

    /// <inheritdoc/>
    public bool Verify(ReleaseSignature signature, in Digest160 id)
    {
        return Judge(signature, id) == SignatureStatus.Verified;
    }

    /// <summary>The same, telling a wrong signature from one of a signer whose certificate is not here. Any thread.</summary>
    public SignatureStatus Judge(ReleaseSignature signature, in Digest160 id)
    {
        Span<byte> bytes = stackalloc byte[Digest160.Size];
        id.Write(bytes);
        return _verifier.Verify(signature.SignerId, _clusterId, bytes, signature.Bytes.Span);
    }

    /// <summary>Finishes the accepted work and disposes of the key.</summary>
    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.TryComplete();
        await _worker.ConfigureAwait(false);
        _former.ForEach(s => s.Dispose());
        _keys.Signing.Dispose();
        _keys.Next?.Dispose();
        _verifier.Dispose();
    }

    private ReleaseSignature Sign(in Digest160 id)
    {
        ReleaseSigner signer = _keys.Signing;
        if (signer.NotAfter < _time.GetUtcNow())
        {
            throw new InvalidOperationException(
                $"The certificate of the signing key ended at {signer.NotAfter.ToUniversalTime():u} and was not renewed. Check the host's "
                    + "clock and directory, then start it again: it makes another.");
        }

        Span<byte> bytes = stackalloc byte[Digest160.Size];
        id.Write(bytes);
        byte[] signature = new byte[ReleaseSignature.SignatureBytes];
        return new ReleaseSignature(signer.Sign(_clusterId, bytes, signature), signature);
    }

    private async Task RunAsync()
    {
        try
        {
            await foreach (Work work in _waiting.Reader.ReadAllAsync().ConfigureAwait(false))
            {
                work.Done(Sign(work.Id));
            }
        }
        catch (Exception e)
        {
            _onFailed(e);
        }
    }

    /// <summary>The key that signs, the one that will, and the certificates of all others, newest first.</summary>
    private sealed record Keys(
        ReleaseSigner Signing, ReleaseSigner? Next, IReadOnlyList<(ulong SignerId, ReadOnlyMemory<byte> Certificate)> Others);

    private readonly record struct Work(Digest160 Id, Action<ReleaseSignature> Done);
}

/// <summary>
/// Has a running host sign with another key before its certificate ends. The new certificate is given to every node one step before the key
/// is used: a release comes by datagrams, and would overtake it. One caller at a time.
/// </summary>
/// <param name="signer">The signer.</param>
/// <param name="trust">Issues and keeps the certificates.</param>
/// <param name="tell">Tells the members of a certificate.</param>
internal sealed class SignerRenewal(QueuedReleaseSigner signer, HostTrust trust, Func<ReadOnlyMemory<byte>, Task> tell)
{
    private bool _isAnnounced;

    /// <summary>True if the certificate of the key in use is in its last third.</summary>
    public bool IsDue()
    {
        using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(signer.Certificate.Span);
        return trust.Authority.IsDue(certificate);
    }

    /// <summary>Uses the key whose certificate was told, else makes one and tells it if the present one is due.</summary>
    /// <param name="isDue">True to make another key.</param>
    /// <exception cref="GmsServerException">It cannot be kept; the host goes on with the present key.</exception>
    public async Task StepAsync(bool isDue)
    {
        if (_isAnnounced)
        {
            signer.UseNext();
            _isAnnounced = false;
            return;
        }

        if (isDue)
        {
            // Kept on disk first: a host that ends here starts with this key, and every node joins it anew.
            var next = new ReleaseSigner(trust.SignerCertificate(isAnother: true));
            signer.Prepare(next);
            await tell(next.CertificateDer).ConfigureAwait(false);
            _isAnnounced = true;
        }
    }
}
