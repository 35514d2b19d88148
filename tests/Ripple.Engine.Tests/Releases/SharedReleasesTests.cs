using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Releases;

public sealed class SharedReleasesTests
{
    private readonly SharedReleases _shared = new();
    private readonly ReleaseChain _chain = new();

    public SharedReleasesTests()
    {
        _shared.Join();
        _shared.Join();
    }

    [Fact]
    public void Second_node_neither_decodes_nor_verifies_nor_builds_a_state()
    {
        var first = new ReplicaRig();
        var second = new ReplicaRig();
        for (int i = 0; i < 3; i++)
        {
            byte[] message = _chain.Next(("a", $"value {i}"));
            first.Offer(Read(message));
            second.Offer(Read(message));
        }

        Assert.Equal(3UL, second.Replica.Applied.Keys.Release);
        Assert.Same(first.Replica.Applied, second.Replica.Applied);
        Assert.Equal((3, 3), (_shared.Misses, _shared.Hits));
        Assert.Equal((3, 0), (first.Verifier.Asked, second.Verifier.Asked));
    }

    [Fact]
    public void Batch_is_shared_with_its_proofs()
    {
        byte[][] batch = [_chain.Next(isSigned: false, ("a", "1")), _chain.Next(isSigned: false, ("b", "2")), _chain.Next(("a", "3"))];
        var first = new ReplicaRig();
        var second = new ReplicaRig();
        Array.ForEach(batch, m => first.Offer(Read(m)));
        // Another order at the other node.
        Array.ForEach([.. batch.Reverse()], m => second.Offer(Read(m)));

        Assert.Equal(3UL, Assert.Single(first.Applied).Keys.Release);
        Assert.Same(first.Applied[0], Assert.Single(second.Applied));
        Assert.True(second.Applied[0].Proof!.IsChained);
        Assert.Single(second.Applied[0].Proof!.Chain);
    }

    [Fact]
    public void Message_that_differs_in_one_byte_is_another()
    {
        byte[] message = _chain.Next(("a", "value"));
        Assert.Equal(DecodeStatus.Ok, _shared.TryRead(message, out ReleaseMessage? genuine));
        for (int i = 0; i < message.Length; i++)
        {
            byte[] other = [.. message];
            other[i] ^= 1;
            _shared.TryRead(other, out ReleaseMessage? read);
            Assert.NotSame(genuine, read);
        }
    }

    [Fact]
    public void Forged_value_takes_effect_nowhere_whoever_saw_it_first()
    {
        byte[] message = _chain.Next(("a", "value"));
        byte[] forged = [.. message];
        int at = forged.AsSpan().IndexOf("value"u8);
        forged[at] ^= 1;
        var first = new ReplicaRig { Fetched = "value"u8.ToArray() };
        var second = new ReplicaRig { Fetched = "value"u8.ToArray() };
        var third = new ReplicaRig();
        first.Offer(Read(forged));
        second.Offer(Read(forged));
        third.Offer(Read(message));

        Assert.Equal((1, 1, 0), (first.Forged, second.Forged, third.Forged));
        Assert.All([first, second, third], r => Assert.Equal("value"u8.ToArray(), r.Replica.Applied.Values["a"].ToArray()));
    }

    [Fact]
    public void Node_that_took_its_states_another_way_shares_from_the_next_release_on()
    {
        byte[] one = _chain.Next(("a", "1"));
        byte[] two = _chain.Next(("b", "2"));
        var first = new ReplicaRig();
        var second = new ReplicaRig();
        first.Offer(Read(one));
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(one, out ReleaseMessage? own));
        second.Offer(own!);
        Assert.NotSame(first.Replica.Applied, second.Replica.Applied);
        first.Offer(Read(two));
        second.Offer(Read(two));
        Assert.Same(first.Replica.Applied, second.Replica.Applied);
    }

    [Fact]
    public void Node_that_takes_some_keys_keeps_states_of_its_own()
    {
        var all = new ReplicaRig();
        var some = new ReplicaRig(key => key == "a");
        foreach (byte[] message in new[] { _chain.Next(("a", "1"), ("b", "1")), _chain.Next(("b", "2")), _chain.Next(("a", "3")) })
        {
            // Whoever is first must not decide what the other has.
            all.Offer(Read(message));
            some.Offer(Read(message));
        }

        Assert.Equal(["a"], some.Replica.Applied.Values.Keys);
        Assert.Equal(["a", "b"], all.Replica.Applied.Values.Keys);
        Assert.Equal("3"u8.ToArray(), some.Replica.Applied.Values["a"].ToArray());
        Assert.Same(all.Replica.Head, some.Replica.Head);
    }

    [Fact]
    public void Node_without_the_release_before_does_not_take_the_state_of_one_that_has_it()
    {
        byte[] one = _chain.Next(("a", "1"));
        byte[] two = _chain.Next(("b", "2"));
        var first = new ReplicaRig();
        var second = new ReplicaRig();
        first.Offer(Read(one));
        first.Offer(Read(two));
        second.Offer(Read(two));
        Assert.Equal(0UL, second.Replica.Applied.Keys.Release);
        Assert.Equal(1, second.Replica.PendingCount);
        second.Offer(Read(one));
        Assert.Same(first.Replica.Applied, second.Replica.Applied);
    }

    [Fact]
    public void Value_that_is_fetched_leaves_nothing_held_with_messages()
    {
        byte[] one = _chain.Next(("a", "1"));
        byte[] two = _chain.Next(isSigned: true, inlineBytesMax: 0, ("big", "a value that travels by reference"));
        byte[] three = _chain.Next(("a", "3"));
        var first = new ReplicaRig { Fetched = "a value that travels by reference"u8.ToArray() };
        var second = new ReplicaRig { Fetched = "a value that travels by reference"u8.ToArray() };
        foreach (byte[] message in new[] { one, two, three })
        {
            first.Offer(Read(message));
            second.Offer(Read(message));
        }

        Assert.Equal(3UL, second.Replica.Applied.Keys.Release);
        Assert.Equal(1, second.Fetches);
        Assert.Equal(first.Replica.Applied.Values["big"].ToArray(), second.Replica.Applied.Values["big"].ToArray());
        // They came to the same again, so that what follows is shared.
        Assert.Same(first.Replica.Applied, second.Replica.Applied);
    }

    [Fact]
    public void Count_and_bytes_are_bounded()
    {
        for (int i = 0; i < 2 * SharedReleases.CountMax; i++)
        {
            Read(_chain.Next(("a", $"{i}")));
            Assert.True(_shared.Count <= SharedReleases.CountMax);
        }

        Assert.Equal(SharedReleases.CountMax, _shared.Count);
        for (int i = 0; i < 60; i++)
        {
            Read(_chain.Next(("a", new string('x', 100_000))));
            Assert.True(_shared.Bytes <= SharedReleases.BytesMax);
        }

        Assert.InRange(_shared.Count, 1, 42);
    }

    [Fact]
    public void Nothing_is_kept_for_a_node_alone()
    {
        byte[] message = _chain.Next(("a", "1"));
        ReleaseMessage first = Read(message);
        Assert.Equal(1, _shared.Count);
        _shared.Leave();
        Assert.Equal((0, 0), (_shared.Count, _shared.Bytes));
        Assert.NotSame(first, Read(message));
        Assert.Equal(0, _shared.Count);
    }

    private ReleaseMessage Read(byte[] message)
    {
        Assert.Equal(DecodeStatus.Ok, _shared.TryRead(message, out ReleaseMessage? read));
        return read!;
    }
}
