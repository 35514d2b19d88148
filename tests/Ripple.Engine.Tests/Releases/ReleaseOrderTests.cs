using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Releases;

/// <summary>How a replica holds what it cannot use yet.</summary>
public sealed class ReleaseOrderTests
{
    private readonly ReleaseChain _chain = new();
    private readonly ReplicaRig _rig = new();

    [Fact]
    public void Batches_take_effect_in_order_however_they_come()
    {
        var random = new Random(11);
        ulong published = 0;
        for (int round = 0; round < 50; round++)
        {
            int count = random.Next(1, 40);
            byte[][] batch = [.. Enumerable.Range(0, count).Select(
                i => _chain.Next(isSigned: i == count - 1 || random.Next(5) == 0, ($"key{i % 3}", $"{round} {i}")))];
            random.Shuffle(batch);
            foreach (byte[] message in batch)
            {
                Offer(message);
            }

            published += (ulong)count;
            Assert.Equal(0, _rig.Replica.PendingCount);
            Assert.Equal(published, _rig.Replica.Applied.Keys.Release);
        }

        ulong[] applied = [.. _rig.Applied.Select(s => s.Keys.Release)];
        Assert.Equal(applied.Distinct().Order(), applied);
    }

    [Fact]
    public void Signature_that_comes_later_for_the_same_release_ends_the_wait()
    {
        var twin = new ReleaseChain();
        Offer(_chain.Next(isSigned: false, ("a", "1")));
        Offer(_chain.Next(isSigned: false, ("a", "2")));
        Assert.Empty(_rig.Applied);
        twin.Next(("a", "1"));
        Offer(twin.Next(isSigned: true, ("a", "2")));
        Assert.Equal(2UL, Assert.Single(_rig.Applied).Keys.Release);
    }

    [Fact]
    public void Release_too_far_ahead_is_left_to_a_host()
    {
        byte[][] all = [.. Enumerable.Range(0, 400).Select(i => _chain.Next(("a", $"{i}")))];
        foreach (byte[] message in all.Skip(1))
        {
            Offer(message);
        }

        Assert.InRange(_rig.Replica.PendingCount, 1, 256);
        Assert.True(_rig.Behind > 0);
        Offer(all[0]);
        Assert.InRange(Assert.Single(_rig.Applied).Keys.Release, 250UL, 256UL);
        foreach (byte[] message in all.Skip(_rig.Applied.Count))
        {
            Offer(message);
        }

        Assert.Equal(400UL, _rig.Replica.Applied.Keys.Release);
    }

    [Fact]
    public void What_one_late_signature_lets_follow_is_decided_once()
    {
        _rig.Verifier.IsGenuine = _ => true;
        _rig.Verifier.IsLate = true;
        byte[][] all = [.. Enumerable.Range(0, 40).Select(i => _chain.Next(("a", $"{i}")))];
        foreach (byte[] message in all.Skip(1))
        {
            Offer(message);
        }

        _rig.Verifier.AnswerAll();
        Assert.Empty(_rig.Applied);
        Offer(all[0]);
        _rig.Verifier.AnswerAll();

        Assert.Equal(40UL, Assert.Single(_rig.Applied).Keys.Release);
    }

    [Fact]
    public void Forged_claimants_of_a_number_do_not_displace_the_release()
    {
        var forger = new ReleaseChain();
        forger.Next(("a", "forged"));
        byte[] one = _chain.Next(isSigned: false, ("a", "1"));
        byte[] two = _chain.Next(("a", "2"));
        Offer(forger.Next(isSigned: false, ("a", "forged too")));
        Offer(two);
        Assert.Empty(_rig.Applied);
        Offer(one);
        Assert.Equal("2"u8.ToArray(), _rig.Replica.Applied.Values["a"].ToArray());
        Assert.Equal(0, _rig.Replica.PendingCount);
    }

    [Fact]
    public void A_release_that_comes_again_takes_no_more_room_beside_a_forged_claim()
    {
        var twin = new ReleaseChain();
        Offer(new ReleaseChain().Next(isSigned: false, ("a", "forged")));
        byte[] unsigned = _chain.Next(isSigned: false, ("a", "1"));
        for (int i = 0; i < 10; i++)
        {
            Offer(unsigned);
        }

        Assert.Empty(_rig.Applied);
        Offer(twin.Next(("a", "1")));
        Assert.Equal("1"u8.ToArray(), _rig.Replica.Applied.Values["a"].ToArray());
    }

    /// <summary>The host keeps the releases on the way no more, and what was superseded since has lost its values.</summary>
    [Fact]
    public void What_waits_for_a_value_that_is_not_to_be_had_gives_way_to_a_snapshot_of_the_newest()
    {
        Offer(_chain.Next(("a", "1"), ("b", "1")));
        Assert.True(OfferSnapshot());
        Assert.Equal(1UL, _rig.Replica.Received.Keys.Release);
        Offer(_chain.Next(isSigned: true, inlineBytesMax: 0, ("b", "superseded")));
        Offer(_chain.Next(("b", "1")));
        Assert.Equal((3UL, 1UL), (_rig.Replica.Head.Release, _rig.Replica.Received.Keys.Release));
        Assert.True(_rig.Behind > 0);

        Assert.True(OfferSnapshot());
        Assert.Equal((3UL, 0), (_rig.Replica.Received.Keys.Release, _rig.Replica.StagedCount));
        Offer(_chain.Next(("a", "4")));
        Assert.Equal(4UL, _rig.Replica.Applied.Keys.Release);
    }

    /// <summary>
    /// The host was restored to what this node received last, and what waits here for values is none of the host's any more. Only the host
    /// can say so.
    /// </summary>
    [Fact]
    public void What_waits_for_values_gives_way_to_a_generation_that_began_before_it()
    {
        Offer(_chain.Next(("a", "1")));
        var restored = ReleaseChain.From(_chain.State);
        for (int i = 2; i < 6; i++)
        {
            Offer(_chain.Next(isSigned: true, inlineBytesMax: 0, ("a", $"{i}")));
        }

        Assert.Equal(5UL, _rig.Replica.Head.Release);
        byte[] begin = restored.Begin();
        Offer(begin);
        Assert.Equal(5UL, _rig.Replica.Head.Release);

        _rig.Offer(Read(begin), isFromHost: true);
        Assert.Equal((2u, 2UL), (_rig.Replica.Received.Keys.Generation, _rig.Replica.Received.Keys.Release));
        _rig.Offer(Read(restored.Next(("a", "6"))), isFromHost: true);
        Assert.Equal((2u, 3UL), (_rig.Replica.Applied.Keys.Generation, _rig.Replica.Applied.Keys.Release));
    }

    /// <summary>A snapshot of the newest release of the chain.</summary>
    private bool OfferSnapshot()
    {
        var table = new ReleaseStateBuilder();
        foreach ((string key, KeyEntry entry) in _chain.State.Keys)
        {
            Assert.True(table.TryAdd(key, entry));
        }

        var signature = new ReleaseSignature(1, new byte[ReleaseSignature.SignatureBytes]);
        return _rig.Replica.OfferSnapshot(new ReleaseProof([_chain.Newest!], signature), table);
    }

    private void Offer(byte[] message) => _rig.Offer(Read(message));

    private static ReleaseMessage Read(byte[] message)
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(message, out ReleaseMessage? read));
        return read!;
    }
}
