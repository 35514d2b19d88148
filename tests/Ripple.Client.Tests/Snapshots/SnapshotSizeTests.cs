using System.Collections.Immutable;
using Ripple.Client.Snapshots;
using Ripple.Engine.Releases;

namespace Ripple.Client.Tests.Snapshots;

/// <summary>A snapshot that could not be read again is not written over one that can.</summary>
public sealed class SnapshotSizeTests
{
    private static readonly byte[] Value = new byte[ReleaseLimits.BodyBytesMax];
    private static readonly Digest160 Digest = ContentDigest.Compute(Value);

    [Theory]
    [InlineData(62, true)]
    [InlineData(63, false)]
    public void A_snapshot_of_more_than_1_GiB_is_refused_before_it_is_written(int values, bool isTaken)
    {
        ApplicationState state = State("k", values);
        Judge(new ReplicaSnapshot(state, state), isTaken);
    }

    [Fact]
    public void What_both_states_have_counts_once()
    {
        ApplicationState applied = State("k", 60);
        Judge(new ReplicaSnapshot(applied, State("k", 61)), isTaken: true);
        Judge(new ReplicaSnapshot(applied, State("other", 60)), isTaken: false);
    }

    private static void Judge(ReplicaSnapshot snapshot, bool isTaken)
    {
        if (isTaken)
        {
            SnapshotSize.Check(snapshot);
            return;
        }

        IOException refused = Assert.Throws<IOException>(() => SnapshotSize.Check(snapshot));
        Assert.Contains("a snapshot has 1 GiB at most", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>Many keys with one value of 16 MiB, which is in memory once.</summary>
    private static ApplicationState State(string prefix, int count)
    {
        var table = new ReleaseStateBuilder();
        StateTrie trie = StateTrie.Empty;
        var values = ImmutableSortedDictionary.CreateBuilder<string, ReadOnlyMemory<byte>>(KeyOrder.Instance);
        for (int i = 0; i < count; i++)
        {
            var entry = new KeyEntry(Digest, Value.Length, KeyForm.Bytes);
            Assert.True(table.TryAdd($"{prefix}{i}", entry));
            trie = trie.Set($"{prefix}{i}", entry);
            values[$"{prefix}{i}"] = Value;
        }

        var header = new ReleaseHeader
        {
            Kind = ReleaseKind.Changes,
            Application = "shop",
            Generation = 1,
            Release = 2,
            SlotEpoch = 1,
            PreviousId = Digest,
            PublishId = Guid.Empty,
            Actor = "ann",
            TimeUnixMicros = 1,
            Note = string.Empty,
            Changes = [],
            StateRoot = trie.Root,
        };
        Assert.True(table.TryBuild(header, out ReleaseState? state));
        return new ApplicationState(state, values.ToImmutable(), null);
    }
}
