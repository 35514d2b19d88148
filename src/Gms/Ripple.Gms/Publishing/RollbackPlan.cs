using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>Computes the changes that restore a past state: a rollback is a release like any other. Pure.</summary>
internal static class RollbackPlan
{
    /// <summary>Plans a rollback.</summary>
    /// <param name="rollback">What was asked for.</param>
    /// <param name="past">The state that it goes back to.</param>
    /// <param name="isKept">Whether a key stays as it is, whatever it was then; null if none does.</param>
    public static PreparedPublish Make(Rollback rollback, ReleaseState past, Predicate<string>? isKept = null)
    {
        // The request is identified by its target release, not by the changes, which depend on when it is ordered.
        Span<byte> buffer = stackalloc byte[16];
        var writer = new WireWriter(buffer);
        writer.WriteU64(rollback.ToRelease);
        var bodyHash = Digest160.Hash("ripple/rollback/1"u8, writer.Written);
        var input = new PublishInput(rollback.Application, rollback.PublishId, rollback.Expected, rollback.Note, []);
        return new PreparedPublish(input, [], ImmutableArray<StoredBody>.Empty, bodyHash)
        {
            ChangesOn = newest => ChangesTo(past, newest, isKept),
            BackTo = rollback.ToRelease,
        };
    }

    /// <summary>The refusal of more changes than a release has; null if they are not more.</summary>
    public static Refusal? TooManyChanges(ImmutableArray<KeyChange> changes) => changes.Length <= ReleaseLimits.ChangesMax
        ? null
        : new Refusal(
            ErrorCode.TooLarge,
            string.Create(
                CultureInfo.InvariantCulture,
                $"Going back would change more than {ReleaseLimits.ChangesMax} keys, the most of one release. "
                    + $"Publish the past values in parts."));

    /// <summary>The changes, in the order of keys; if they are more than a release has, one more of them.</summary>
    private static ImmutableArray<KeyChange> ChangesTo(ReleaseState past, ReleaseState newest, Predicate<string>? isKept)
    {
        List<KeyChange> changes = newest.Trie.ChangesTo(past.Trie, ReleaseLimits.ChangesMax + 1);
        if (isKept is not null)
        {
            changes.RemoveAll(c => isKept(c.Key));
        }

        changes.Sort((a, b) => KeyOrder.Instance.Compare(a.Key, b.Key));
        return [.. changes];
    }
}
