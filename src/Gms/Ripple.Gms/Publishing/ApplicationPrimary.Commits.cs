using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <content>Ordering, signing and storing batches, and what becomes of them.</content>
internal sealed partial class ApplicationPrimary
{
    /// <summary>Orders the waiting publishes, unless a batch is in flight: publishes that arrive meanwhile form the next batch.</summary>
    private void Pump()
    {
        if (_inFlight is not null || _isStoringMembers)
        {
            return;
        }

        PruneNow();
        if (_waiting.Count == 0 && _beginning is null)
        {
            return;
        }

        if (IsStopped)
        {
            // Publishes are refused meanwhile; a generation must begin whenever that is.
            if (!_isFenced)
            {
                _context.Core.ScheduleIn(_storeRetry, GenerationRetryNs);
            }

            return;
        }

        // One epoch for the batch: nothing else runs between its headers.
        _fence.Enter(_context.Epoch.Value);
        _inFlight = _sequencer.Order(_beginning, _waiting, Abandon);
        _beginning = null;
        if (_inFlight is not { } batch)
        {
            return;
        }

        batch.Members = _handler.OnOrdered(this, batch.Headers[0].Release, batch.Headers[^1].Release);
        _context.Signer.Sign(batch.Headers[^1].Id, signature => OnSigned(batch, signature));
    }

    private void PruneNow()
    {
        if (_pruning is not { } pruning)
        {
            return;
        }

        _pruning = null;
        ulong before = HistoryFrom;
        HistoryFrom = pruning.KeptFrom;
        bool isTaken = !IsStopped && _context.Store.Commit(
            new CommitBatch { Prunings = [new HistoryPruning(Topic, pruning.KeptFrom)] },
            _context.OnCore<CommitResult>(result => End(result)));
        if (!isTaken)
        {
            End(null);
        }

        void End(CommitResult? result)
        {
            HistoryFrom = result is { IsDone: true } ? HistoryFrom : before;
            pruning.Done(result);
        }
    }

    /// <summary>Runs on the signer's thread: the batch goes on to the store without a turn of the core in between.</summary>
    private void OnSigned(ReleaseBatch batch, ReleaseSignature signature)
    {
        batch.Signature = signature;
        batch.Releases[^1] = batch.Releases[^1] with { Signature = signature.Encode() };
        if (!TryStore(batch))
        {
            _context.Completions.Complete(RetryStore);
        }
    }

    private void RetryStore()
    {
        _isStoreFull = true;
        _context.Core.ScheduleIn(_storeRetry, StoreRetryNs);
    }

    private void OnRetry()
    {
        if (!_isStoreFull)
        {
            Pump();
            return;
        }

        _isStoreFull = !TryStore(_inFlight!);
        if (_isStoreFull)
        {
            RetryStore();
        }
    }

    private bool TryStore(ReleaseBatch batch) =>
        _context.Store.Commit(batch.ToCommit(Name), _context.OnCore<CommitResult>(result => OnStored(batch, result)));

    private void OnStored(ReleaseBatch batch, CommitResult result)
    {
        _inFlight = null;
        if (!result.IsDone)
        {
            Fail(batch, result);
            return;
        }

        // It is on disk: committed, if it was asked for in this epoch.
        if (!_fence.OnPersisted(batch.SlotEpoch, batch.Headers[^1].Release))
        {
            string fenced = string.Create(
                CultureInfo.InvariantCulture, $"it was asked for in epoch {batch.SlotEpoch}, and epoch {_fence.SlotEpoch} has begun.");
            _isFenced = true;
            Fail(batch, new CommitResult(StoreStatus.Failed, fenced));
            return;
        }

        Deliver(batch);

        // Publishes that arrived meanwhile form the next batch.
        Pump();
    }

    private void Deliver(ReleaseBatch batch)
    {
        bool mustBeWhole = _handler.MustBeWhole(this);
        for (int i = 0; i < batch.Headers.Count; i++)
        {
            ReleaseHeader header = batch.Headers[i];
            ReleaseState before = Committed;
            if (header.PreviousId != before.Id || batch.States[i].Id != header.Id)
            {
                throw new InvalidOperationException($"{header} is to follow {before.Generation}/{before.Release}, and does not.");
            }

            Committed = batch.States[i];
            CommittedHeader = header;
            CommittedSignature = batch.SignatureOf(i) ?? CommittedSignature;
            Keep(batch, i, before, mustBeWhole);
            if (header.Kind == ReleaseKind.Creation)
            {
                _handler.OnGeneration(this);
            }
        }

        _handler.OnCommitted(this, batch.Headers);
        for (int i = 0; i < batch.Headers.Count; i++)
        {
            TellCommitted(batch.Publishes[i], batch.Headers[i]);
        }
    }

    /// <summary>
    /// Keeps a release for streams, with the short forms that are made by now and the parts of values that follow it, and its values for
    /// the deltas of the next.
    /// </summary>
    private void Keep(ReleaseBatch batch, int index, ReleaseState before, bool mustBeWhole)
    {
        int inlineMax = _context.Options.InlineBytesMax;
        ShortForm?[]? forms = batch.MadeForms(index);
        var streamed = new List<StreamedParts>();
        byte[] message = batch.Encode(index, inlineMax, forms, i => TryStream(batch, index, i, before, streamed));
        bool isWhole = forms is null && streamed.Count == 0;
        byte[]? whole = isWhole ? message : mustBeWhole ? batch.Encode(index, inlineMax, null, null) : null;
        Recent.Add(batch.Headers[index], message, whole, streamed);
        _handler.Values.Count(forms ?? []);
        foreach (StoredBody body in batch.Releases[index].Bodies)
        {
            _handler.Values.Add(body.Digest, body.Bytes);
        }
    }

    /// <summary>Makes the parts of a value of a release; false if it does not follow in streams.</summary>
    private bool TryStream(ReleaseBatch batch, int index, int change, ReleaseState before, List<StreamedParts> streamed)
    {
        KeyChange wanted = batch.Headers[index].Changes[change];
        if (streamed.Exists(p => p.Manifest.Digest == wanted.Digest))
        {
            // Of two keys with one value.
            return true;
        }

        StoredBody body = batch.Releases[index].Bodies.FirstOrDefault(b => b.Digest == wanted.Digest);
        if (body.Manifest is not { } manifest)
        {
            return false;
        }

        before.Keys.TryGetValue(wanted.Key, out KeyEntry held);
        if (_handler.StreamedValues.Add(body.Bytes.Span, manifest, held.Digest) is not { } parts)
        {
            return false;
        }

        streamed.Add(parts);
        return true;
    }

    private void TellCommitted(WaitingPublish waiting, ReleaseHeader header)
    {
        if (waiting.Entry is { } entry)
        {
            _ledger.Commit(waiting.Actor, waiting.Publish!.Input.PublishId, entry, header);
            Tell(waiting, new PublishAnswer(ErrorCode.None, string.Empty, header.Generation, header.Release, header.Id));
        }
    }

    private void Abandon(WaitingPublish waiting, PublishAnswer answer)
    {
        _ledger.Abandon(waiting.Actor, waiting.Publish!.Input.PublishId);
        Tell(waiting, answer);
    }

    private static void Tell(WaitingPublish waiting, PublishAnswer answer)
    {
        waiting.Done!(answer);
        foreach (Action<PublishAnswer> joined in waiting.Entry!.Joined)
        {
            joined(answer);
        }

        waiting.Entry.Joined.Clear();
    }

    private void Fail(ReleaseBatch batch, CommitResult result)
    {
        _sequencer.GoBackTo(Committed);
        // A full queue, a lock, a full disk: nothing was written, and asking again may succeed.
        bool isUnknown = result.Status == StoreStatus.Failed;
        var nothing = new Refusal(isUnknown ? ErrorCode.StoreFailed : ErrorCode.Busy, $"Nothing was released: {result.Reason}");
        var unknown = new Refusal(
            ErrorCode.StoreFailed,
            $"Whether it was released is not known: {result.Reason} Ask again with the same publish id when the host's store works again.");
        foreach (WaitingPublish waiting in batch.Publishes.Where(w => w.Publish is not null))
        {
            Abandon(waiting, Answer(isUnknown ? unknown : nothing));
        }

        while (_waiting.TryDequeue(out WaitingPublish? waiting))
        {
            Abandon(waiting, Answer(nothing));
        }

        // Whoever proved that a generation must begin does not prove it twice on one connection.
        _beginning ??= batch.Publishes.FirstOrDefault(w => w.Publish is null);
        if (_beginning is not null)
        {
            _context.Core.ScheduleIn(_storeRetry, GenerationRetryNs);
        }

        // Nothing else may come that would end it.
        PruneNow();
        _handler.OnStoreFailed(this, result.Reason ?? result.Status.ToString());
    }
}
