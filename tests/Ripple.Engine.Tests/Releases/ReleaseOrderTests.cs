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

            Assert.Equal(0, _rig.Replica.PendingCount);
        }

        Assert.Equal(Enumerable.Range(1, _rig.Applied.Count).Select(i => (ulong)i), _rig.Applied.Select(s => s.Keys.Release));
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
        Assert.Equal(2, _rig.Applied.Count);
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
        Assert.Equal((ulong)_rig.Applied.Count, _rig.Replica.Applied.Keys.Release);
        Assert.InRange(_rig.Applied.Count, 250, 256);
        foreach (byte[] message in all.Skip(_rig.Applied.Count))
        {
            Offer(message);
        }

        Assert.Equal(400UL, _rig.Replica.Applied.Keys.Release);
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

    private void Offer(byte[] message)
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(message, out ReleaseMessage? read));
        _rig.Offer(read!);
    }
}
