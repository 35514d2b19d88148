using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class StateTrieTests
{
    [Fact]
    public void Empty_trie_has_a_zero_root()
    {
        Assert.True(StateTrie.Empty.Root.IsZero);
        StateTrie trie = StateTrie.Empty.Set("a", Entry(1)).Remove("a");
        Assert.True(trie.Root.IsZero);
        Assert.Equal(0, trie.Count);
    }

    [Fact]
    public void Root_is_that_of_the_definition_after_any_history()
    {
        var random = new Random(20);
        for (int run = 0; run < 60; run++)
        {
            var model = new Dictionary<string, KeyEntry>();
            StateTrie trie = StateTrie.Empty;
            int keys = random.Next(1, 60);
            for (int step = 0; step < 150; step++)
            {
                string key = "key" + random.Next(keys);
                if (random.Next(3) == 0)
                {
                    model.Remove(key);
                    trie = trie.Remove(key);
                }
                else
                {
                    KeyEntry entry = Entry(random.Next(4));
                    model[key] = entry;
                    trie = trie.Set(key, entry);
                }

                Assert.Equal(model.Count, trie.Count);
                if (step % 7 == 0)
                {
                    Assert.Equal(Naive(model), trie.Root);
                }
            }

            Assert.Equal(Naive(model), trie.Root);
            StateTrie rebuilt = StateTrie.Empty;
            foreach (string key in model.Keys.OrderBy(_ => random.Next()))
            {
                rebuilt = rebuilt.Set(key, model[key]);
            }

            Assert.Equal(trie.Root, rebuilt.Root);
        }
    }

    [Fact]
    public void A_change_leaves_the_old_trie_as_it_was()
    {
        StateTrie before = StateTrie.Empty.Set("a", Entry(1)).Set("b", Entry(2));
        Digest160 root = before.Root;
        StateTrie after = before.Set("a", Entry(3)).Remove("b").Set("c", Entry(1));
        Assert.Equal(root, before.Root);
        Assert.Equal(2, before.Count);
        Assert.NotEqual(root, after.Root);
    }

    [Fact]
    public void What_changes_nothing_returns_the_same_trie()
    {
        StateTrie trie = StateTrie.Empty.Set("a", Entry(1)).Set("b", Entry(2));
        Assert.Same(trie, trie.Set("a", Entry(1)));
        Assert.Same(trie, trie.Remove("c"));
        Assert.Same(StateTrie.Empty, StateTrie.Empty.Remove("c"));
    }

    [Fact]
    public void Every_field_of_an_entry_counts()
    {
        var digest = Digest160.Hash("v"u8, default);
        Digest160[] roots =
        [
            StateTrie.Empty.Set("a", new(digest, 1, KeyForm.Bytes)).Root,
            StateTrie.Empty.Set("a", new(digest, 2, KeyForm.Bytes)).Root,
            StateTrie.Empty.Set("a", new(digest, 1, KeyForm.Json)).Root,
            StateTrie.Empty.Set("a", new(Digest160.Hash("w"u8, default), 1, KeyForm.Bytes)).Root,
            StateTrie.Empty.Set("b", new(digest, 1, KeyForm.Bytes)).Root,
        ];
        Assert.Equal(roots.Length, roots.Distinct().Count());
    }

    private static KeyEntry Entry(int value) => new(Digest160.Hash([(byte)value], default), value, (KeyForm)(value % 2));

    private static Digest160 Naive(Dictionary<string, KeyEntry> keys) => Digest160.Read(Naive(
        [.. keys.Select(k => (SHA256.HashData(Encoding.UTF8.GetBytes(k.Key)), k.Value))], 0));

    // The definition, word for word.
    private static byte[] Naive(List<(byte[] Key, KeyEntry Entry)> keys, int depth)
    {
        if (keys.Count == 0)
        {
            return new byte[32];
        }

        if (keys.Count == 1)
        {
            byte[] length = new byte[4];
            BinaryPrimitives.WriteInt32BigEndian(length, keys[0].Entry.Length);
            return SHA256.HashData([0x10, .. keys[0].Key, .. keys[0].Entry.Digest.ToArray(), .. length, (byte)keys[0].Entry.Form]);
        }

        bool Right((byte[] Key, KeyEntry Entry) k) => (k.Key[depth / 8] >> (7 - (depth % 8)) & 1) == 1;
        return SHA256.HashData([0x11, .. Naive([.. keys.Where(k => !Right(k))], depth + 1), .. Naive([.. keys.Where(Right)], depth + 1)]);
    }

    [Fact]
    public void The_changes_between_two_tries_make_one_of_the_other()
    {
        var random = new Random(7);
        for (int round = 0; round < 200; round++)
        {
            SortedDictionary<string, KeyEntry> from = Drawn(random);
            SortedDictionary<string, KeyEntry> to = Drawn(random);
            StateTrie before = Of(from);
            StateTrie after = Of(to);
            List<KeyChange> changes = before.ChangesTo(after, int.MaxValue);
            Assert.Equal(after.Root, before.Apply(changes).Root);
            Assert.Equal(changes.Count, changes.Select(c => c.Key).Distinct().Count());
            int expected = from.Keys.Union(to.Keys).Count(
                k => !(from.TryGetValue(k, out KeyEntry a) && to.TryGetValue(k, out KeyEntry b) && a == b));
            Assert.Equal(expected, changes.Count);
            Assert.Equal(Math.Min(3, expected), before.ChangesTo(after, 3).Count);
        }

        Assert.Empty(StateTrie.Empty.ChangesTo(StateTrie.Empty, 1));
    }

    private static StateTrie Of(SortedDictionary<string, KeyEntry> keys) =>
        keys.Aggregate(StateTrie.Empty, (trie, k) => trie.Set(k.Key, k.Value));

    private static SortedDictionary<string, KeyEntry> Drawn(Random random)
    {
        var keys = new SortedDictionary<string, KeyEntry>(StringComparer.Ordinal);
        for (int i = random.Next(20); i > 0; i--)
        {
            keys[$"k{random.Next(15)}"] = new KeyEntry(Digest160.Hash("v"u8, [(byte)random.Next(2)]), 1, KeyForm.Bytes);
        }

        return keys;
    }
}
