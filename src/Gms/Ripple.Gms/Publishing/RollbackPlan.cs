using System.Collections.Immutable;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>Computes the changes that restore a past state: a rollback is a release like any other. Pure.</summary>
internal static class RollbackPlan
{
    public static PreparedPublish Make(Rollback rollback, StateRecord past)
    {
        // The request is identified by its target release, not by the changes, which depend on when it is ordered.
        Span<byte> buffer = stackalloc byte[16];
        var writer = new WireWriter(buffer);
        writer.WriteU64(rollback.ToRelease);
        var bodyHash = Digest160.Hash("ripple/rollback/1"u8, writer.Written);
        var input = new PublishInput(rollback.Application, rollback.PublishId, rollback.ExpectedRelease, rollback.Note, []);
        return new PreparedPublish(input, [], ImmutableArray<StoredBody>.Empty, bodyHash) { ChangesOn = newest => ChangesTo(past, newest) };
    }

    private static ImmutableArray<KeyChange> ChangesTo(StateRecord past, ReleaseState newest)
    {
        var changes = new List<KeyChange>();
        var pastKeys = new SortedDictionary<string, KeyEntry>(KeyOrder.Instance);
        foreach (StoredKey key in past.Keys)
        {
            pastKeys[key.Key] = key.Entry;
            if (!newest.Keys.TryGetValue(key.Key, out KeyEntry present) || present != key.Entry)
            {
                changes.Add(KeyChange.Set(key.Key, key.Entry.Form, key.Entry.Length, key.Entry.Digest));
            }
        }

        changes.AddRange(newest.Keys.Keys.Where(k => !pastKeys.ContainsKey(k)).Select(KeyChange.Remove));
        changes.Sort((a, b) => KeyOrder.Instance.Compare(a.Key, b.Key));
        return [.. changes];
    }
}
