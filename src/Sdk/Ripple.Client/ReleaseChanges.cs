using System.Collections.Immutable;
using Ripple.Engine.Releases;

namespace Ripple.Client;

/// <summary>Computes the keys that differ between two states.</summary>
internal static class ReleaseChanges
{
    public static IReadOnlyList<string> Between(ReleaseState? before, ReleaseState after)
    {
        if (before is null)
        {
            return [.. after.Keys.Keys];
        }

        var changed = new List<string>();
        using ImmutableSortedDictionary<string, KeyEntry>.Enumerator old = before.Keys.GetEnumerator();
        bool hasOld = old.MoveNext();
        foreach ((string key, KeyEntry entry) in after.Keys)
        {
            while (hasOld && KeyOrder.Instance.Compare(old.Current.Key, key) < 0)
            {
                changed.Add(old.Current.Key);
                hasOld = old.MoveNext();
            }

            bool isThere = hasOld && old.Current.Key == key;
            if (!isThere || old.Current.Value != entry)
            {
                changed.Add(key);
            }

            hasOld = isThere ? old.MoveNext() : hasOld;
        }

        for (; hasOld; hasOld = old.MoveNext())
        {
            changed.Add(old.Current.Key);
        }

        return changed;
    }

    /// <summary>The union of two lists of changed keys, in key order.</summary>
    public static IReadOnlyList<string> Union(IReadOnlyList<string> first, IReadOnlyList<string> second)
    {
        var keys = new SortedSet<string>(first, KeyOrder.Instance);
        keys.UnionWith(second);
        return [.. keys];
    }
}
