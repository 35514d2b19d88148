using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>What a leader tells the sender is proved by its own key, and each transmission only once.</summary>
public sealed class AggregateProofTests
{
    [Fact]
    public void Each_transmission_of_a_leader_is_proved_and_has_a_higher_count_over_views_too()
    {
        var net = new RingNet(5);
        RingRoundTests.SetAll(net, 7, 10);
        List<byte[]> payloads = [];
        net.OnBytes = (to, bytes) =>
        {
            if (to == 0)
            {
                payloads.Add(bytes[FrameReader.HeaderBytes..].ToArray());
            }
        };
        // The first acknowledgements are lost, so that a round is told again.
        net.IsLost = (from, _, type) => from == 0 && type == FrameType.AggregateAck && payloads.Count < 3;
        net.Install();
        net.RunMs(300);
        net.Install(net.NextView([1, 2, 3, 4]));
        net.RunMs(300);

        Assert.InRange(payloads.Count, 4, 100);
        ulong last = 0;
        foreach (byte[] payload in payloads)
        {
            Assert.True(AggregateProof.TryVerify(payload, net.Members[1].Key, out ulong count));
            Assert.False(AggregateProof.TryVerify(payload, net.Members[2].Key, out _));
            Assert.True(count > last);
            last = count;
        }
    }

    [Fact]
    public void No_part_of_an_aggregate_can_be_changed()
    {
        byte[] payload = new byte[AggregateProof.Bytes + 40];
        var key = new MemberKey(9, 1, new byte[MemberKey.KeyBytes]);
        AggregateProof.Write(payload, key, 17);
        Assert.True(AggregateProof.TryVerify(payload, key, out ulong count));
        Assert.Equal(17ul, count);
        for (int i = 0; i < payload.Length; i++)
        {
            payload[i] ^= 1;
            Assert.False(AggregateProof.TryVerify(payload, key, out _));
            payload[i] ^= 1;
        }

        Assert.False(AggregateProof.TryVerify(payload.AsSpan(0, AggregateProof.Bytes - 1), key, out _));
    }
}
