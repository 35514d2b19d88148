using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

public sealed class RingTokenCodecTests
{
    private static readonly Lazy<List<byte[]>> Real = new(Capture);

    [Fact]
    public void A_token_reads_as_it_was_written()
    {
        var token = new RingToken();
        Assert.True(Real.Value.Count > 20);
        foreach (byte[] payload in Real.Value)
        {
            Assert.Equal(DecodeStatus.Ok, RingTokenCodec.TryRead(payload, token));
            Assert.Equal(payload, Write(token));
        }
    }

    [Fact]
    public void A_token_cut_anywhere_or_with_bytes_after_its_end_is_not_read()
    {
        var token = new RingToken();
        foreach (byte[] payload in Real.Value)
        {
            for (int length = 0; length < payload.Length; length++)
            {
                Assert.NotEqual(DecodeStatus.Ok, RingTokenCodec.TryRead(payload.AsSpan(0, length), token));
            }

            Assert.Equal(DecodeStatus.Malformed, RingTokenCodec.TryRead([.. payload, 0], token));
        }
    }

    [Fact]
    public void Whatever_the_bytes_the_decoder_does_not_throw_and_what_it_accepts_can_be_written()
    {
        var random = new DeterministicRandom(11);
        var token = new RingToken();
        var again = new RingToken();
        int accepted = 0;
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            byte[] payload = Mutate([.. Real.Value[random.NextInt32(Real.Value.Count)]], random);
            if (RingTokenCodec.TryRead(payload, token) == DecodeStatus.Ok)
            {
                accepted++;
                byte[] written = Write(token);
                Assert.True(written.Length <= payload.Length);
                Assert.Equal(DecodeStatus.Ok, RingTokenCodec.TryRead(written, again));
                Assert.Equal(written, Write(again));
            }
        }

        Assert.InRange(accepted, 1, FuzzCount.Value - 1);
    }

    [Theory]
    [InlineData(0, RingTokenTopic.Open, true)]
    [InlineData(0, 1, false)]
    [InlineData(2, 2, false)]
    [InlineData(3, 2, false)]
    [InlineData(WireLimits.RegionMembersMax, RingTokenTopic.Open, true)]
    [InlineData(WireLimits.RegionMembersMax + 1, RingTokenTopic.Open, false)]
    public void A_topic_is_of_positions_that_the_token_visited_or_will(int from, int until, bool isRead)
    {
        // Positions count from the next one that the token visits; nothing is told of them yet.
        var token = new RingToken();
        Assert.Equal(DecodeStatus.Ok, RingTokenCodec.TryRead(Real.Value.First(p => p.Length < 1_000), token));
        int first = from > 3 ? from : token.Visited + from;
        int end = until == RingTokenTopic.Open ? until : token.Visited + until;
        Assert.NotNull(token.TryAddTopic(77, 1, 1_000, (ushort)first, (ushort)end));
        Assert.Equal(isRead ? DecodeStatus.Ok : DecodeStatus.Malformed, RingTokenCodec.TryRead(Write(token), new RingToken()));
    }

    [Fact]
    public void Whatever_the_bytes_a_member_takes_them()
    {
        var random = new DeterministicRandom(12);
        var net = new RingNet(40);
        RingRoundTests.SetAll(net, 7, 1_000);
        net.Install();
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            byte[] payload = Mutate([.. Real.Value[random.NextInt32(Real.Value.Count)]], random);
            uint victim = (uint)(1 + random.NextInt32(40));
            if (payload.Length > 29 && random.NextBool(0.8))
            {
                // Past the first checks: this view, this position.
                BitConverter.TryWriteBytes(payload, net.View.Number.Value);
                BitConverter.TryWriteBytes(payload.AsSpan(26), (ushort)(victim == 1 ? 40 : victim - 1));
            }

            net.Members[victim].Ring.OnTokenFrame(payload, (uint)(1 + random.NextInt32((int)victim)));
            net.Members[1].Ring.OnAggregateAckFrame(payload.AsSpan(0, Math.Min(payload.Length, 17 + (16 * random.NextInt32(4)))));
            if (i % 50 == 0)
            {
                net.Run(100_000);
            }
        }

        Assert.True(net.Members.Values.Sum(m => m.Ring.Counters.Hops) > 0);
    }

    [Fact]
    public void An_aggregate_of_another_view_tells_nothing()
    {
        var net = new RingNet(5);
        RingRoundTests.SetAll(net, 7, 10);
        byte[]? aggregate = null;
        net.OnBytes = (to, bytes) => aggregate = to == 0 ? bytes.ToArray() : aggregate;
        net.Install();
        net.RunMs(100);
        byte[] payload = aggregate![FrameReader.HeaderBytes..];
        var sender = new FakeSender { View = net.View };
        Assert.Equal(DecodeStatus.Ok, new AggregateReader().TryRead(payload, net.View, net.View.PartAt(0), sender));
        Assert.Equal(5, sender.Levels.Count);
        sender.Levels.Clear();
        var reader = new AggregateReader();
        RegionView other = net.NextView([1, 2, 3, 4, 5]);
        Assert.Equal(DecodeStatus.Malformed, reader.TryRead(payload, other, other.PartAt(0), sender));
        Assert.Empty(sender.Levels);
        Assert.Equal(0, reader.WriteAck(new byte[64], 1, 1));
    }

    private static byte[] Mutate(byte[] payload, DeterministicRandom random)
    {
        switch (random.NextInt32(6))
        {
            case 0:
                return [.. Enumerable.Range(0, random.NextInt32(RingLimits.TokenBytesMax)).Select(_ => (byte)random.NextUInt64())];
            case 1:
                return payload[..random.NextInt32(payload.Length)];
            case 2:
                return [.. payload, .. payload];
            default:
                for (int i = 1 + random.NextInt32(4); i > 0; i--)
                {
                    int at = random.NextInt32(payload.Length);
                    payload[at] = random.NextInt32(3) switch
                    {
                        0 => (byte)random.NextUInt64(),
                        1 => (byte)(payload[at] + 1),
                        _ => random.NextBool(0.5) ? (byte)0 : (byte)255,
                    };
                }

                return payload;
        }
    }

    private static byte[] Write(RingToken token)
    {
        byte[] bytes = new byte[RingLimits.TokenBytesMax];
        var writer = new WireWriter(bytes);
        Assert.True(RingTokenCodec.TryWrite(token, ref writer));
        return bytes[..writer.Position];
    }

    /// <summary>Tokens of a ring that uses every part: streams, many topics, runs long and short, silent members, rejections.</summary>
    private static List<byte[]> Capture()
    {
        var net = new RingNet(150);
        var random = new DeterministicRandom(8);
        foreach (RingNet.Node node in net.Members.Values)
        {
            for (ulong origin = 1; origin <= 3; origin++)
            {
                node.Has.Streams.Add(new StreamProgress(origin, 100 + node.Slot, 900));
            }

            for (uint topic = 1; topic <= 5; topic++)
            {
                ulong received = 2_000 - (node.Slot % (topic * 20) < 3 ? (ulong)random.NextInt32(300) : 0);
                node.Has.Set(topic, received, received - 1, received - 2);
            }

            if (node.Slot % 40 == 3)
            {
                node.Has.Rejections.Add(new RejectionRow(1, 1, node.Slot, "no: " + node.Slot));
            }
        }

        List<byte[]> tokens = [];
        net.OnBytes = (to, bytes) =>
        {
            if (bytes[0] == (byte)FrameType.Token && to % 10 == 1 && tokens.Count < 40)
            {
                tokens.Add(bytes[FrameReader.HeaderBytes..].ToArray());
            }
        };
        net.Members[77].Mute();
        net.Install();
        net.RunMs(1_000);
        return tokens;
    }
}
