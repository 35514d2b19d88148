using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Builds the next header of an application's chain from each publish, on top of everything ordered before it. Core thread.
/// </summary>
internal sealed class ReleaseSequencer(HostContext context, uint topic, ReleaseState committed, uint generation)
{
    private ReleaseState _ordered = committed;
    private ReleaseState _batchBase = committed;

    /// <summary>The generation of the next release.</summary>
    public uint Generation { get; private set; } = generation;

    /// <summary>Orders waiting publishes, up to one batch; null if none of them makes a release.</summary>
    /// <param name="waiting">The waiting publishes; those processed are removed.</param>
    /// <param name="abandon">Called for each publish that makes no release, with the reason.</param>
    public ReleaseBatch? Order(Queue<WaitingPublish> waiting, Action<WaitingPublish, PublishAnswer> abandon)
    {
        // Nothing is in flight when a batch is ordered, so this is the newest committed state, which refusals report.
        _batchBase = _ordered;
        var batch = new ReleaseBatch();
        long bytes = 0;
        while (waiting.Count > 0 && batch.Releases.Count < context.Options.Limits.BatchReleasesMax && bytes < ReleaseLimits.PublishBytesMax)
        {
            WaitingPublish next = waiting.Dequeue();
            if (TryOrder(next, out ReleaseHeader? header, out PublishAnswer? refused))
            {
                _ordered = Follow(_ordered, header!);
                batch.Publishes.Add(next);
                batch.Headers.Add(header!);
                batch.Releases.Add(
                    new StoredRelease(topic, header!, default, next.Publish?.BodyHash ?? default, next.Publish?.Bodies ?? []));
                bytes += header!.BodyBytes;
            }
            else
            {
                abandon(next, refused!);
            }
        }

        return batch.Releases.Count == 0 ? null : batch;
    }

    /// <summary>The state after applying a header made for it.</summary>
    /// <exception cref="InvalidOperationException">The header was not made for this state: the chain is broken.</exception>
    public static ReleaseState Follow(ReleaseState state, ReleaseHeader header)
    {
        return state.Apply(header, out ReleaseState next) == ApplyStatus.Applied
            ? next
            : throw new InvalidOperationException($"{header} does not follow {state.Generation}/{state.Release}.");
    }

    /// <summary>False if a generation above the proved one is already in progress: several nodes prove the same restore at once.</summary>
    public bool TryBeginGeneration(ReleaseState newest, uint provedGeneration)
    {
        if (Generation > newest.Generation && Generation > provedGeneration)
        {
            return false;
        }

        Generation = Math.Max(Generation, provedGeneration) + 1;
        return true;
    }

    /// <summary>
    /// Discards everything ordered on top of the committed state. A pending new generation is discarded too; nodes prove the restore again.
    /// </summary>
    public void GoBackTo(ReleaseState newest)
    {
        _ordered = newest;
        Generation = newest.Release == 0 ? Generation : newest.Generation;
    }

    private bool TryOrder(WaitingPublish waiting, out ReleaseHeader? header, out PublishAnswer? refused)
    {
        header = null;
        refused = null;
        if (waiting.Publish is not { } publish)
        {
            header = Next(ReleaseKind.Creation, waiting.Reason!, "host", Guid.Empty, []);
            return true;
        }

        ulong expected = publish.Input.ExpectedRelease;
        if (expected != PublishBegin.AnyRelease && expected != _ordered.Release)
        {
            string text = string.Create(
                CultureInfo.InvariantCulture,
                $"The newest release of '{_ordered.Application}' is {_ordered.Release}, not {expected}. "
                    + $"Read it, and publish again on top of it.");
            refused = new PublishAnswer(ErrorCode.WrongExpectedRelease, text, _ordered.Generation, _ordered.Release, _ordered.Id);
            return false;
        }

        KeyChange[] changes =
        [
            .. (publish.ChangesOn?.Invoke(_ordered) ?? publish.Changes)
                .Where(c => c.Operation == KeyOperation.Set || _ordered.Keys.ContainsKey(c.Key)),
        ];
        if (changes.Length == 0)
        {
            refused = Refuse(ErrorCode.NothingChanged, "The publish changes nothing: the newest release already has the state asked for.");
            return false;
        }

        header = Next(ReleaseKind.Changes, publish.Input.Note, waiting.Actor, publish.Input.PublishId, changes);
        refused = header.Check() is { } wrong ? Refuse(ErrorCode.InvalidRequest, wrong) : null;
        return refused is null;
    }

    private ReleaseHeader Next(ReleaseKind kind, string note, string actor, Guid publishId, KeyChange[] changes) => new()
    {
        Kind = kind,
        Application = _ordered.Application,
        // A publish queued before a new generation's record still belongs to the generation that ends.
        Generation = kind == ReleaseKind.Creation || _ordered.Release == 0 ? Generation : _ordered.Generation,
        Release = _ordered.Release + 1,
        SlotEpoch = context.Epoch.Value,
        PreviousId = _ordered.Id,
        PublishId = publishId,
        Actor = actor,
        TimeUnixMicros = context.Clock.UnixMicros,
        Note = note,
        Changes = [.. changes],
        StateRoot = _ordered.RootAfter(changes),
    };

    private PublishAnswer Refuse(ErrorCode code, string text) => new(code, text, _batchBase.Generation, _batchBase.Release, _batchBase.Id);
}
