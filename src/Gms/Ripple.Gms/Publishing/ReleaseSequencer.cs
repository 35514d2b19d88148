using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Builds the next header of an application's chain from each publish, on top of everything ordered before it. Core thread.
/// </summary>
/// <param name="context">The host's shared services.</param>
/// <param name="topic">The application's topic number.</param>
/// <param name="committed">The newest committed state.</param>
/// <param name="emptyGeneration">The generation of the application's first release.</param>
/// <param name="refusePast">The refusal of a past release that is not kept; null if it is.</param>
/// <param name="judge">The refusal of changes to a state; null if they are fine.</param>
/// <param name="values">The newest values, of which edits are made.</param>
internal sealed class ReleaseSequencer(
    HostContext context,
    uint topic,
    ReleaseState committed,
    uint emptyGeneration,
    Func<ulong, Refusal?> refusePast,
    Func<ReleaseState, IEnumerable<KeyChange>, Refusal?> judge,
    RecentValues values)
{
    private ReleaseState _ordered = committed;
    private ReleaseState _batchBase = committed;

    /// <summary>The generation of the newest ordered release, to which the next publish belongs too.</summary>
    public uint Generation => GenerationOf(_ordered);

    /// <summary>The generation that a state belongs to: that of its newest release, or of the first one while there is none.</summary>
    public uint GenerationOf(ReleaseState state) => state.Release == 0 ? emptyGeneration : state.Generation;

    /// <summary>
    /// Orders waiting publishes, up to one batch; null if none of them makes a release. A generation begins before them: what waited was
    /// never released, and is on the safe side of the cut.
    /// </summary>
    /// <param name="beginning">The record that begins a generation; null when none does.</param>
    /// <param name="waiting">The waiting publishes; those processed are removed.</param>
    /// <param name="abandon">Called for each publish that makes no release, with the reason.</param>
    public ReleaseBatch? Order(
        WaitingPublish? beginning, Queue<WaitingPublish> waiting, Action<WaitingPublish, PublishAnswer> abandon)
    {
        // Nothing is in flight when a batch is ordered, so this is the newest committed state, which refusals report.
        _batchBase = _ordered;
        var batch = new ReleaseBatch();
        long bytes = 0;
        if (beginning is not null)
        {
            ReleaseHeader creation = Next(
                ReleaseKind.Creation, beginning.Generation, beginning.Reason!, "host", Guid.Empty, [], _ordered.Trie);
            Add(batch, beginning, creation, _ordered.Trie);
        }

        while (waiting.Count > 0 && batch.Releases.Count < context.Options.Limits.BatchReleasesMax && bytes < ReleaseLimits.PublishBytesMax)
        {
            WaitingPublish next = waiting.Dequeue();
            if (TryOrder(next, out ReleaseHeader? header, out StateTrie? trie, out PublishAnswer? refused))
            {
                Add(batch, next, header!, trie!);
                bytes += header!.BodyBytes;
            }
            else
            {
                abandon(next, refused!);
            }
        }

        return batch.Releases.Count == 0 ? null : batch;
    }

    /// <summary>Discards everything ordered on top of the committed state.</summary>
    public void GoBackTo(ReleaseState newest) => _ordered = newest;

    private void Add(ReleaseBatch batch, WaitingPublish waiting, ReleaseHeader header, StateTrie trie)
    {
        batch.Forms.Add(FormsOf(batch, waiting, header));
        if (_ordered.Apply(header, trie, out ReleaseState after) != ApplyStatus.Applied)
        {
            throw new InvalidOperationException($"{header} does not follow {_ordered.Generation}/{_ordered.Release}.");
        }

        _ordered = after;
        batch.States.Add(after);
        batch.Publishes.Add(waiting);
        batch.Headers.Add(header);
        batch.Releases.Add(
            new StoredRelease(topic, header, default, waiting.Publish?.BodyHash ?? default, waiting.Publish?.Bodies ?? []));
    }

    /// <summary>
    /// The short forms of a release's values, for values that are here: kept ones, those of the publish, and those of the releases before
    /// it in the batch. Null for none.
    /// </summary>
    private ShortFormWork?[]? FormsOf(ReleaseBatch batch, WaitingPublish waiting, ReleaseHeader header)
    {
        if (values.Maker is not { } maker || header.Kind == ReleaseKind.Creation)
        {
            return null;
        }

        foreach (StoredBody body in waiting.Publish!.Bodies)
        {
            batch.Values[body.Digest] = body.Bytes;
        }

        ShortFormWork?[]? works = null;
        for (int i = 0; i < header.Changes.Length; i++)
        {
            KeyChange change = header.Changes[i];
            if (change.Operation != KeyOperation.Set || ValueOf(batch, change.Digest) is not { } value)
            {
                continue;
            }

            bool hasBefore = _ordered.Keys.TryGetValue(change.Key, out KeyEntry before);
            ReadOnlyMemory<byte>? source = hasBefore ? ValueOf(batch, before.Digest) : null;
            if (ShortFormWork.IsWorthIt(value.Length, source is not null))
            {
                works ??= new ShortFormWork?[header.Changes.Length];
                works[i] = new ShortFormWork(source, value);
                maker.Make(works[i]!);
            }
        }

        return works;
    }

    private ReadOnlyMemory<byte>? ValueOf(ReleaseBatch batch, Digest160 digest) =>
        batch.Values.TryGetValue(digest, out ReadOnlyMemory<byte> value) ? value : values.Find(digest);

    private bool TryOrder(WaitingPublish waiting, out ReleaseHeader? header, out StateTrie? trie, out PublishAnswer? refused)
    {
        header = null;
        trie = null;
        PreparedPublish publish = waiting.Publish!;
        if (!publish.Input.Expected.Matches(Generation, _ordered.Release))
        {
            string text = WrongExpectation.Text(_ordered, Generation, publish.Input.Expected) + "Read it, and publish again on top of it.";
            refused = new PublishAnswer(ErrorCode.WrongExpectedRelease, text, Generation, _ordered.Release, _ordered.Id);
            return false;
        }

        if (publish.BackTo is { } past && refusePast(past) is { } gone)
        {
            refused = Refuse(gone.Code, gone.Text);
            return false;
        }

        ImmutableArray<KeyChange> wanted = publish.ChangesOn?.Invoke(_ordered) ?? publish.Changes;
        if (RollbackPlan.TooManyChanges(wanted) is { } beyond)
        {
            refused = Refuse(beyond.Code, beyond.Text);
            return false;
        }

        KeyChange[] changes =
        [
            .. wanted.Where(c => c.Operation == KeyOperation.Set || _ordered.Keys.ContainsKey(c.Key)),
        ];
        if (changes.Length == 0)
        {
            refused = Refuse(ErrorCode.NothingChanged, "The publish changes nothing: the newest release already has the state asked for.");
            return false;
        }

        if ((publish.Input.Guard?.Invoke(_ordered) ?? judge(_ordered, changes)) is { } wrong)
        {
            refused = Refuse(wrong.Code, wrong.Text);
            return false;
        }

        if (TooManyKeys(changes) is { } tooMany)
        {
            refused = Refuse(ErrorCode.TooLarge, tooMany);
            return false;
        }

        trie = _ordered.Trie.Apply(changes);
        header = Next(ReleaseKind.Changes, Generation, publish.Input.Note, waiting.Actor, publish.Input.PublishId, changes, trie);
        refused = header.Check() is { } invalid ? Refuse(ErrorCode.InvalidRequest, invalid) : null;
        return refused is null;
    }

    /// <summary>
    /// Why these changes make more keys than an application may have; null when they do not. Fewer than before are always taken.
    /// </summary>
    private string? TooManyKeys(KeyChange[] changes)
    {
        int before = _ordered.Keys.Count;
        int after = before;
        foreach (KeyChange change in changes)
        {
            after += change.Operation == KeyOperation.Remove ? -1 : _ordered.Keys.ContainsKey(change.Key) ? 0 : 1;
        }

        string? owner = CompanionName.OwnerOf(_ordered.Application);
        int max = owner is null ? context.Options.Limits.KeysMax : context.Options.Limits.DefinitionsMax;
        return after <= max || after <= before ? null
            : owner is not null ? string.Create(
                CultureInfo.InvariantCulture,
                $"'{owner}' would have {after} definitions, and an application has {max} at most. Remove some.")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"'{_ordered.Application}' would have {after} keys, and an application has {max} at most: a node must take all of them "
                    + $"when it starts. Remove keys, put several values into one, or use another application.");
    }

    private ReleaseHeader Next(
        ReleaseKind kind, uint generation, string note, string actor, Guid id, KeyChange[] changes, StateTrie after)
    {
        return new()
        {
            Kind = kind,
            Application = _ordered.Application,
            Generation = generation,
            Release = _ordered.Release + 1,
            SlotEpoch = context.Epoch.Value,
            PreviousId = _ordered.Id,
            PublishId = id,
            Actor = actor,
            TimeUnixMicros = context.Clock.UnixMicros,
            Note = note,
            Changes = [.. changes],
            StateRoot = after.Root,
        };
    }

    private PublishAnswer Refuse(ErrorCode code, string text) => new(code, text, _batchBase.Generation, _batchBase.Release, _batchBase.Id);
}

/// <summary>What is said to a publisher whose expected release is not the newest.</summary>
internal static class WrongExpectation
{
    /// <summary>What is the newest, and what was expected. Both are named with generations if the expectation was.</summary>
    /// <param name="newest">The newest state.</param>
    /// <param name="generation">Its generation.</param>
    /// <param name="expected">What was expected.</param>
    public static string Text(ReleaseState newest, uint generation, ExpectedState expected)
    {
        ExpectedState present = new(expected.Generation == 0 ? 0 : generation, newest.Release);
        return string.Create(CultureInfo.InvariantCulture, $"The newest release of '{newest.Application}' is {present}, not {expected}. ");
    }
}
