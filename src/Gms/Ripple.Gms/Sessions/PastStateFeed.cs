using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Sends a node the state at a past release, which it asks for where its validators reject the newest and it has accepted none: the one
/// that most members have in effect, or the one before another. One at a time, within the connection's share of reads; with the headers
/// up to the signed one, so that the node verifies it as it does everything. Each request is answered by an end, in any case. Core thread.
/// </summary>
/// <param name="services">The host's services.</param>
/// <param name="share">The connection's share.</param>
/// <param name="answer">Sends an end at once: of what is refused, or is not there.</param>
/// <param name="wake">Called when there is something to send.</param>
internal sealed class PastStateFeed(SessionServices services, CallBudget.Share share, Action<CatchUpEnd> answer, Action wake) : IBulkFeed
{
    private const int PageBytes = Engine.Wire.WireLimits.ControlBytesMax;
    private readonly Queue<SignerCertificate> _signers = [];
    private IDisposable? _place;
    private SnapshotFrames? _frames;
    private CatchUpEnd? _end;
    private long _bytes;
    private bool _isClosed;

    /// <summary>Begins to send a state, or answers why not.</summary>
    public void Request(ApplicationPrimary primary, CatchUpRequest request)
    {
        long costNs = CallCosts.CallNs + (services.Calls.Reading.RowCount(primary.Name) * CallCosts.RowNs);
        if (_place is not null || share.TryRead(costNs, out _) is not { } place)
        {
            answer(Missing(primary, request, ErrorCode.Busy));
            return;
        }

        _place = place;
        bool isHeld = request.Generation == primary.Committed.Generation && request.Before <= primary.Committed.Release;
        ulong release = !isHeld ? 0
            : request.IsMostApplied ? services.Frontiers.Of(primary).Table.MostAppliedBefore(request.Before)
            : request.Before - 1;
        if (release == 0 || primary.RefusePast(release) is not null)
        {
            End(Missing(primary, request, ErrorCode.NotFound));
            return;
        }

        services.Calls.Past.Read(primary.Topic, release, state => OnState(primary, request, release, state));
    }

    /// <inheritdoc/>
    public bool Pump(ILink link)
    {
        if (_frames is not { } frames)
        {
            return true;
        }

        while (_signers.TryPeek(out SignerCertificate? signer))
        {
            if (!link.TrySend(signer))
            {
                return false;
            }

            _signers.Dequeue();
        }

        if (!frames.Send(link))
        {
            return false;
        }

        _frames = null;
        End(_end!);
        return true;
    }

    /// <summary>Called when the connection is gone.</summary>
    public void Close()
    {
        _isClosed = true;
        _frames = null;
        if (_end is not null)
        {
            Return();
        }
    }

    private static CatchUpEnd Missing(ApplicationPrimary primary, CatchUpRequest request, ErrorCode code) =>
        new(primary.Topic, request.Generation, 0, request.Before, code);

    private void OnState(ApplicationPrimary primary, CatchUpRequest request, ulong release, Answer<ReleaseState> read)
    {
        if (read.Value is not { } state || state.Generation != request.Generation)
        {
            End(Missing(primary, request, read.Refusal?.Code ?? ErrorCode.NotFound));
            return;
        }

        services.Memory.Take(TransientBudget.ReadBytesMax, () =>
        {
            _bytes = TransientBudget.ReadBytesMax;
            ReadHeaders(primary, request, state, release, []);
        });
    }

    /// <summary>Reads the headers from the state's on, until one is signed: those of releases that were committed together.</summary>
    private void ReadHeaders(
        ApplicationPrimary primary, CatchUpRequest request, ReleaseState state, ulong from, List<ReleaseHeader> chain)
    {
        bool isTaken = !_isClosed && services.Context.Store.ReadReleases(
            primary.Topic,
            from,
            PageBytes,
            services.Context.OnCore<ReadResult<IReadOnlyList<ReleaseRecord>>>(result => OnHeaders(primary, request, state, chain, result)));
        if (!isTaken)
        {
            End(Missing(primary, request, ErrorCode.Busy));
        }
    }

    private void OnHeaders(
        ApplicationPrimary primary,
        CatchUpRequest request,
        ReleaseState state,
        List<ReleaseHeader> chain,
        ReadResult<IReadOnlyList<ReleaseRecord>> result)
    {
        if (StoreAnswer.RefusalOf(result) is { } refusal)
        {
            End(Missing(primary, request, refusal.Code));
            return;
        }

        if (chain.Count == 0 && result.Value is [var first, ..] && first.Release != state.Release)
        {
            // It is kept no more since its state was read.
            End(Missing(primary, request, ErrorCode.NotFound));
            return;
        }

        foreach (ReleaseRecord record in result.Value!)
        {
            if (!ReleaseHeader.TryDecode(record.Header.Span, out ReleaseHeader? header))
            {
                End(Missing(primary, request, ErrorCode.StoreDamaged));
                return;
            }

            chain.Add(header);
            if (ReleaseSignature.TryRead(record.Signature.Span) is { } signature)
            {
                Begin(primary, request, state, new ReleaseProof([.. chain], signature));
                return;
            }
        }

        if (result.Value!.Count == 0)
        {
            End(Missing(primary, request, ErrorCode.NotFound));
            return;
        }

        ReadHeaders(primary, request, state, chain[^1].Release + 1, chain);
    }

    private void Begin(ApplicationPrimary primary, CatchUpRequest request, ReleaseState state, ReleaseProof proof)
    {
        if (_isClosed)
        {
            Return();
            return;
        }

        ulong signer = proof.Signature.SignerId;
        if (signer != primary.CommittedSignature?.SignerId)
        {
            // Its certificate was not among those that the node got at its join.
            foreach (ReadOnlyMemory<byte> certificate in services.Context.Signer.CertificatesFor([signer]).Skip(1))
            {
                _signers.Enqueue(new SignerCertificate(certificate));
            }
        }

        // What is sent from here on is the headers, and a key table that is kept or shared.
        long headerBytes = proof.Chain.Sum(h => (long)h.Encode().Length);
        services.Memory.Return(_bytes - headerBytes);
        _bytes = headerBytes;
        _end = new CatchUpEnd(primary.Topic, state.Generation, state.Release, request.Before);
        _frames = new SnapshotFrames(primary.Topic, proof, state.Keys, request.Before);
        wake();
    }

    private void End(CatchUpEnd end)
    {
        Return();
        if (!_isClosed)
        {
            answer(end);
        }
    }

    private void Return()
    {
        long bytes = _bytes;
        _bytes = 0;
        _end = null;
        _signers.Clear();
        _place?.Dispose();
        _place = null;
        if (bytes > 0)
        {
            services.Memory.Return(bytes);
        }
    }
}
