using System.Threading.Channels;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// The host's signing key behind the core's door: signs on one worker of the thread pool, in order. What waits is bounded by its callers:
/// an application has one signature under way.
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

    /// <param name="signer">Signs; owned by the door from now on.</param>
    /// <param name="trust">The cluster's authority.</param>
    /// <param name="earlierCertificates">Certificates, DER, of keys this host signed with before, newest first. Those the authority did not
    /// issue for signing do not count.</param>
    /// <param name="onFailed">Told when the key fails: nothing can be released from then on. On the worker.</param>
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

    /// <summary>The id its signatures carry.</summary>
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

    /// <summary>Finishes what was taken and forgets the key.</summary>
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
