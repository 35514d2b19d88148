using System.Collections.Immutable;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

/// <summary>Which values a snapshot needs, and the state that comes of them, against a plain computation of both.</summary>
public sealed class SnapshotFetchTests
{
    private const int Names = 60;
    private const int Contents = 25;

    [Fact]
    public void Only_what_is_not_held_is_asked_for_each_value_once_and_the_state_is_the_snapshots()
    {
        var random = new Random(7);
        for (int round = 0; round < 500; round++)
        {
            int filter = random.Next(1, 5);
            Func<string, bool> isWanted = key => key.Length % filter == 0;
            Dictionary<string, byte[]> before = Content(random);
            Dictionary<string, byte[]> after = Content(random);
            ApplicationState from = State(before, isWanted);
            var fetch = new SnapshotFetch(State(after, isWanted).Keys, null!, from, isWanted, null);
            // Given up half way, and begun again: what came is not asked for again.
            HashSet<Digest160> asked = Run(fetch, after, random, random.Next(3) == 0 ? random.Next(10) : int.MaxValue);
            if (!fetch.IsComplete)
            {
                fetch = new SnapshotFetch(fetch.State, null!, from, isWanted, fetch);
                HashSet<Digest160> later = Run(fetch, after, random, int.MaxValue);
                Assert.Empty(asked.Intersect(later));
                asked.UnionWith(later);
            }

            HashSet<Digest160> expected =
            [
                .. after.Where(a => isWanted(a.Key) && a.Value.Length > 0 && !IsSame(before, a))
                    .Select(a => ContentDigest.Compute(a.Value)),
            ];
            Assert.Equal(expected.Order(), asked.Order());
            ApplicationState state = fetch.Build();
            Assert.Equal(
                after.Where(a => isWanted(a.Key)).OrderBy(a => a.Key, KeyOrder.Instance).Select(a => (a.Key, Convert.ToHexString(a.Value))),
                state.Values.Select(v => (v.Key, Convert.ToHexString(v.Value.Span))));
        }
    }

    private static bool IsSame(Dictionary<string, byte[]> before, KeyValuePair<string, byte[]> after) =>
        before.TryGetValue(after.Key, out byte[]? value) && value.AsSpan().SequenceEqual(after.Value);

    /// <summary>Brings up to so many values; some are not to be had the first time.</summary>
    private static HashSet<Digest160> Run(SnapshotFetch fetch, Dictionary<string, byte[]> content, Random random, int valuesMax)
    {
        var asked = new HashSet<Digest160>();
        var underWay = new List<KeyValuePair<string, KeyEntry>>();
        while (!fetch.IsComplete)
        {
            while (fetch.TryNext(out KeyValuePair<string, KeyEntry> next))
            {
                underWay.Add(next);
            }

            Assert.InRange(underWay.Count, 0, SnapshotFetch.FetchesMax);
            if (underWay.Count == 0)
            {
                fetch.TryAgain();
                continue;
            }

            KeyValuePair<string, KeyEntry> one = underWay[random.Next(underWay.Count)];
            underWay.Remove(one);
            if (asked.Count == valuesMax)
            {
                fetch.OnEnded(one, null);
                return asked;
            }

            bool isMissing = random.Next(5) == 0;
            fetch.OnEnded(one, isMissing ? (ReadOnlyMemory<byte>?)null : content[one.Key]);
            if (!isMissing)
            {
                Assert.True(asked.Add(one.Value.Digest));
            }
        }

        return asked;
    }

    private static Dictionary<string, byte[]> Content(Random random) =>
        Enumerable.Range(0, Names).Where(_ => random.Next(3) > 0).ToDictionary(
            i => new string((char)('a' + (i % 26)), 1 + (i / 26)), _ => new byte[random.Next(Contents)]);

    private static ApplicationState State(Dictionary<string, byte[]> content, Func<string, bool> isWanted)
    {
        var table = new ReleaseStateBuilder();
        var values = ImmutableSortedDictionary.CreateBuilder<string, ReadOnlyMemory<byte>>(KeyOrder.Instance);
        StateTrie trie = StateTrie.Empty;
        foreach ((string key, byte[] value) in content)
        {
            var entry = new KeyEntry(ContentDigest.Compute(value), value.Length, KeyForm.Bytes);
            Assert.True(table.TryAdd(key, entry));
            trie = trie.Set(key, entry);
            if (isWanted(key))
            {
                values[key] = value;
            }
        }

        Assert.True(table.TryBuild(Headers.Make(stateRoot: trie.Root), out ReleaseState? state));
        return new ApplicationState(state, values.ToImmutable(), null);
    }
}
