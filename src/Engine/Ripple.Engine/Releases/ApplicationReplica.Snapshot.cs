using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <content>Moving to a snapshot.</content>
internal sealed partial class ApplicationReplica
{
    /// <summary>
    /// Moves to a snapshot whose header the caller has verified; the key table is checked against the header here. Never goes back within a
    /// generation. False when the snapshot was refused.
    /// </summary>
    public bool OfferSnapshot(ReleaseProof proof, IReadOnlyCollection<KeyValuePair<string, KeyEntry>> keys)
    {
        ArgumentNullException.ThrowIfNull(proof);
        ReleaseHeader header = proof.Header;
        ReleaseState head = _intake.Head;
        if (header.Application != Name
            || header.Generation < head.Generation
            || (header.Generation == head.Generation && header.Release < head.Release))
        {
            return false;
        }

        if (header.Id == head.Id)
        {
            return true;
        }

        if (!ReleaseState.TryFromSnapshot(header, keys, out ReleaseState? state))
        {
            _handler.OnForged(this, "a snapshot whose keys are not the ones its header names");
            return false;
        }

        _epoch++;
        _isFetching = false;
        _staged.Clear();
        _intake.Reset(state);
        var values = ImmutableSortedDictionary.CreateBuilder<string, ReadOnlyMemory<byte>>(KeyOrder.Instance);
        var missing = new Queue<KeyValuePair<string, KeyEntry>>(state.Keys.Where(k => _isWanted(k.Key)));
        _isSnapshotUnderWay = true;
        FetchSnapshot(state, proof, values, missing, _epoch);
        return true;
    }

    private void FetchSnapshot(
        ReleaseState state,
        ReleaseProof proof,
        ImmutableSortedDictionary<string, ReadOnlyMemory<byte>>.Builder values,
        Queue<KeyValuePair<string, KeyEntry>> missing,
        int epoch)
    {
        while (missing.TryPeek(out KeyValuePair<string, KeyEntry> next))
        {
            _received.Values.TryGetValue(next.Key, out ReadOnlyMemory<byte> previous);
            bool isHeld = _received.Keys.Keys.TryGetValue(next.Key, out KeyEntry held)
                && held.Digest == next.Value.Digest
                && previous.Length == held.Length;
            if (!isHeld && next.Value.Length > 0)
            {
                _isFetching = true;
                _handler.Fetch(this, next.Value.Digest, next.Value.Length, previous, bytes =>
                {
                    if (epoch != _epoch)
                    {
                        return;
                    }

                    _isFetching = false;
                    if (bytes is null)
                    {
                        // The current state stays in effect; the next catch-up starts from it.
                        _isSnapshotUnderWay = false;
                        _staged.Clear();
                        _intake.Reset(_received.Keys);
                        _handler.OnBehind(this);
                        return;
                    }

                    values[next.Key] = bytes.Value;
                    missing.Dequeue();
                    FetchSnapshot(state, proof, values, missing, epoch);
                });
                return;
            }

            values[next.Key] = isHeld ? previous : ReadOnlyMemory<byte>.Empty;
            missing.Dequeue();
        }

        _isSnapshotUnderWay = false;
        Advance(new ApplicationState(state, values.ToImmutable(), proof));
        Stage();
    }
}
