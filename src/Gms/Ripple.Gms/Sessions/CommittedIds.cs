using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Finds the id that this host committed at a release number, to compare it with a node's: in memory for the newest releases, else by one
/// read of one header. Core thread.
/// </summary>
internal sealed class CommittedIds(HostContext context, TransientBudget memory)
{
    private bool _isReading;

    /// <summary>
    /// Calls <paramref name="done"/> with the id, at once or after a read; with null if there is none, or the store could not be asked: the
    /// node asks again. One read at a time: false if one is under way.
    /// </summary>
    public bool TryFind(ApplicationPrimary primary, ulong release, Action<Digest160?> done)
    {
        if (_isReading)
        {
            return false;
        }

        if (InMemory(primary, release) is { } id)
        {
            done(id);
            return true;
        }

        _isReading = true;
        memory.Take(TransientBudget.ReadBytesMax, () => Read(primary, release, done));
        return true;
    }

    private static Digest160? InMemory(ApplicationPrimary primary, ulong release) =>
        release == primary.Committed.Release
            ? primary.Committed.Id
            : primary.Recent.Find(release)?.Id ?? primary.Recent.Find(release + 1)?.PreviousId;

    private void Read(ApplicationPrimary primary, ulong release, Action<Digest160?> done)
    {
        Action<ReadResult<IReadOnlyList<ReleaseRecord>>> onRead =
            context.OnCore<ReadResult<IReadOnlyList<ReleaseRecord>>>(result => End(IdOf(result, release), done));
        bool isTaken = context.Store.ReadHistory(primary.Topic, release + 1, 1, onRead);
        if (!isTaken)
        {
            End(null, done);
        }
    }

    private void End(Digest160? id, Action<Digest160?> done)
    {
        _isReading = false;
        memory.Return(TransientBudget.ReadBytesMax);
        done(id);
    }

    private static Digest160? IdOf(ReadResult<IReadOnlyList<ReleaseRecord>> result, ulong release) =>
        result is { Status: StoreStatus.Done, Value: [{ } record] }
        && record.Release == release
        && ReleaseHeader.TryDecode(record.Header.Span, out ReleaseHeader? header)
            ? header.Id
            : null;
}
