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
    private const int CertificatesMax = 8;

    private readonly ReleaseSigner _signer;
    private readonly ReleaseVerifier _verifier;
    private readonly Id128 _clusterId;
    private readonly Action<Exception> _onFailed;
    private readonly Channel<Work> _waiting = Channel.CreateUnbounded<Work>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Task _worker;

    /// <param name="signer">The signer; owned by this instance from now on.</param>
    /// <param name="trust">The cluster's authority.</param>
    /// <param name="earlierCertificates">Certificates, DER, of keys this host signed with earlier, newest first. Those not issued by the
    /// authority for signing are ignored.</param>
    /// <param name="onFailed">Called on the worker when the key fails: nothing can be released from then on.</param>
    public QueuedReleaseSigner(
        ReleaseSigner signer, AuthorityTrust trust, IEnumerable<ReadOnlyMemory<byte>> earlierCertificates, Action<Exception> onFailed)
    {
        ArgumentNullException.ThrowIfNull(signer);
        ArgumentNullException.ThrowIfNull(trust);
        ArgumentNullException.ThrowIfNull(earlierCertificates);
        _signer = signer;
        _clusterId = trust.ClusterId;
        _onFailed = onFailed;
        _verifier = new ReleaseVerifier(trust);
        _verifier.TryAdd(signer.CertificateDer.Span, out _);
        var certificates = new List<ReadOnlyMemory<byte>> { signer.CertificateDer };
        foreach (ReadOnlyMemory<byte> certificate in earlierCertificates)
        {
            if (_verifier.TryAdd(certificate.Span, out ulong signerId)
                && signerId != signer.SignerId
                && certificates.Count < CertificatesMax)
            {
                certificates.Add(certificate);
            }
        }

        Certificates = certificates;

        _worker = Task.Run(RunAsync);
    }

    /// <inheritdoc/>
    public ReadOnlyMemory<byte> Certificate => _signer.CertificateDer;

    /// <inheritdoc/>
    public IReadOnlyList<ReadOnlyMemory<byte>> Certificates { get; }

    /// <summary>The signer id in its signatures.</summary>
    public ulong SignerId => _signer.SignerId;

    /// <inheritdoc/>
    public void Sign(Digest160 id, Action<ReleaseSignature> done) => _waiting.Writer.TryWrite(new(id, done));

    /// <inheritdoc/>
    public bool Verify(ReleaseSignature signature, in Digest160 id)
    {
        ArgumentNullException.ThrowIfNull(signature);
        Span<byte> bytes = stackalloc byte[Digest160.Size];
        id.Write(bytes);
        return _verifier.Verify(signature.SignerId, _clusterId, bytes, signature.Bytes.Span) == SignatureStatus.Verified;
    }

    /// <summary>Finishes the accepted work and disposes of the key.</summary>
    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.TryComplete();
        await _worker.ConfigureAwait(false);
        _signer.Dispose();
        _verifier.Dispose();
    }

    private ReleaseSignature Sign(in Digest160 id)
    {
        Span<byte> bytes = stackalloc byte[Digest160.Size];
        id.Write(bytes);
        byte[] signature = new byte[ReleaseSignature.SignatureBytes];
        return new ReleaseSignature(_signer.Sign(_clusterId, bytes, signature), signature);
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

    private readonly record struct Work(Digest160 Id, Action<ReleaseSignature> Done);
}
