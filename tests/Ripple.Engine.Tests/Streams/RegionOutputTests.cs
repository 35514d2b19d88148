using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

public sealed class RegionOutputTests
{
    private readonly CoreLoop _core = new(new CoreOptions(), 1);
    private readonly HandSink _data = new();
    private readonly HandSink _control = new();

    [Fact]
    public void Nothing_is_pulled_before_there_is_a_key_and_everything_that_waited_after()
    {
        using var output = new RegionOutput(_core, _data, _control);
        var feed = new CountedFeed { Left = 1 };
        output.SetDestinations(View(2));
        output.RegisterStream(feed);
        Assert.False(_data.TryPull(out _, out _));
        Assert.Equal(0, feed.Pulls);
        output.SetSealer(new CopySealer());
        Assert.True(_data.TryPull(out _, out _));
        Assert.Equal(1, feed.Pulls);
    }

    [Fact]
    public void A_packet_on_its_way_reaches_the_members_it_was_made_for_and_the_next_one_the_new_ones()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        output.SetDestinations(View(3));
        output.RegisterStream(new CountedFeed { Left = 2 });
        var reached = new List<NodeAddress>();
        Assert.True(_data.TryPull(out NodeAddress to, out _));
        reached.Add(to);
        output.SetDestinations(View(4));
        while (_data.TryPull(out to, out _))
        {
            reached.Add(to);
        }

        Assert.Equal([.. Addresses(3), .. Addresses(4)], reached);
    }

    [Fact]
    public void A_stream_goes_to_the_group_and_to_each_member_that_does_not_hear_it()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        output.SetDestinations(View(3));
        var group = NodeAddress.FromIPv4(0xEF010101, 7_401);
        NodeAddress[] members = Addresses(3);
        SortedSet<uint> hearing = [];
        output.SetGroup(group, hearing);
        Assert.Equal(members, Reached());
        hearing.Add(2);
        output.SetGroup(group, hearing);
        Assert.Equal([group, members[0], members[2]], Reached());
        hearing.UnionWith([1, 3]);
        output.SetGroup(group, hearing);
        Assert.Equal([group], Reached());
        hearing.Remove(1);
        output.SetDestinations(View(2));
        Assert.Equal([group, members[0]], Reached());
        output.SetGroup(group);
        Assert.Equal([group], Reached());
        output.SetGroup(default);
        Assert.Equal(members[..2], Reached());

        List<NodeAddress> Reached()
        {
            List<NodeAddress> reached = [];
            output.RegisterStream(new CountedFeed { Left = 1 });
            while (_data.TryPull(out NodeAddress to, out _))
            {
                reached.Add(to);
            }

            return reached;
        }
    }

    [Fact]
    public void A_used_up_key_stops_everything_until_the_next()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer { Left = 1 });
        output.SetDestinations(View(1));
        var feed = new CountedFeed { Left = 3 };
        output.RegisterStream(feed);
        Assert.True(_data.TryPull(out _, out _));
        Assert.False(_data.TryPull(out _, out _));
        Assert.Equal(1, output.Counters.SealsRefused);
        Assert.False(output.TrySend(Addresses(1)[0], PacketClass.Control, [1]));
        output.SetSealer(new CopySealer { Mark = 9 });
        Assert.True(_data.TryPull(out _, out byte[] datagram));
        Assert.Equal(9, datagram[4]);
        Assert.Equal(3, feed.Pulls);
    }

    [Fact]
    public void Small_packets_keep_their_order_are_bounded_and_go_through_the_socket_of_their_class()
    {
        using var output = new RegionOutput(_core, _data, _control);
        NodeAddress to = Addresses(1)[0];
        Assert.False(output.TrySend(to, PacketClass.Control, [0]));
        output.SetSealer(new CopySealer());
        for (int i = 0; i < RegionOutput.SendsMax; i++)
        {
            Assert.True(output.TrySend(to, PacketClass.Control, [(byte)i]));
        }

        Assert.False(output.TrySend(to, PacketClass.Control, [0]));
        Assert.True(output.TrySend(to, PacketClass.Nak, [1]));
        Assert.True(output.TrySend(to, PacketClass.Repair, [2]));
        Assert.Equal(2, output.Counters.SendsRefused);
        Assert.True(_control.TryPull(out _, out byte[] together));
        Assert.Equal((byte)PacketClass.Control, together[1]);
        Assert.Equal(Enumerable.Range(0, RegionOutput.SendsMax).Select(i => (byte)i), CopySealer.Open(together).ToArray());
        Assert.True(_control.TryPull(out _, out byte[] nak));
        Assert.Equal((byte)PacketClass.Nak, nak[1]);
        Assert.False(_control.TryPull(out _, out _));
        Assert.True(_data.TryPull(out _, out byte[] repair));
        Assert.Equal((byte)PacketClass.Repair, repair[1]);
        Assert.Throws<ArgumentOutOfRangeException>(() => output.TrySend(to, PacketClass.Control, new byte[WireLimits.FramesBytesMax + 1]));
    }

    [Fact]
    public void Small_packets_of_any_size_keep_their_order_and_bytes_and_are_bounded_in_bytes()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        NodeAddress[] to = Addresses(2);
        var random = new Random(1);
        Queue<byte[]> waiting = [];
        int refused = 0;
        for (int i = 0; i < 20_000; i++)
        {
            byte[] frames = new byte[random.Next(1, random.Next(2) == 0 ? 100 : WireLimits.FramesBytesMax + 1)];
            random.NextBytes(frames);
            // Destinations in turn: each leaves by itself.
            if (output.TrySend(to[i % 2], PacketClass.Control, frames))
            {
                waiting.Enqueue(frames);
            }
            else
            {
                refused++;
                Assert.InRange(
                    waiting.Sum(f => f.Length), RegionOutput.SendsBytesMax - (2 * WireLimits.FramesBytesMax), RegionOutput.SendsBytesMax);
                Pull(random.Next(1, waiting.Count + 1));
            }
        }

        Assert.True(refused > 100);
        Pull(waiting.Count);
        Assert.False(_control.TryPull(out _, out _));

        void Pull(int count)
        {
            for (; count > 0; count--)
            {
                Assert.True(_control.TryPull(out _, out byte[] datagram));
                byte[] frames = CopySealer.Open(datagram).ToArray();
                while (frames.Length > 0)
                {
                    byte[] next = waiting.Dequeue();
                    Assert.Equal(next, frames[..next.Length]);
                    frames = frames[next.Length..];
                    count -= frames.Length > 0 ? 1 : 0;
                }
            }
        }
    }

    [Fact]
    public void Small_packets_share_one_while_they_fit_and_go_to_one_destination()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        NodeAddress[] to = Addresses(2);
        output.TrySend(to[0], PacketClass.Control, [1]);
        output.TrySend(to[0], PacketClass.Control, new byte[WireLimits.FramesBytesMax - 1]);
        output.TrySend(to[0], PacketClass.Control, [2]);
        output.TrySend(to[1], PacketClass.Control, [3]);
        output.TrySend(to[0], PacketClass.Control, [4]);
        List<(NodeAddress To, int Bytes)> sent = [];
        while (_control.TryPull(out NodeAddress at, out byte[] datagram))
        {
            sent.Add((at, CopySealer.Open(datagram).Length));
        }

        Assert.Equal([(to[0], WireLimits.FramesBytesMax), (to[0], 1), (to[1], 1), (to[0], 1)], sent);
    }

    [Fact]
    public void What_is_ready_leaves_as_one_train_the_same_for_every_member()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        output.SetDestinations(View(2));
        output.RegisterStream(new SizedFeed([WireLimits.FramesBytesMax, WireLimits.FramesBytesMax, 100, 200]));
        Assert.True(_data.TryPull(out NodeAddress first, out byte[] train));
        Assert.Equal((2 * WireLimits.DatagramBytesMax) + 100 + IPacketSealer.FramesOffset + CopySealer.TagBytes, train.Length);
        Assert.Equal(WireLimits.DatagramBytesMax, _data.PacketBytes);
        Assert.True(_data.TryPull(out NodeAddress second, out byte[] again));
        Assert.Equal(train, again);
        Assert.NotEqual(first, second);
        Assert.True(_data.TryPull(out _, out byte[] rest));
        Assert.Equal(200 + IPacketSealer.FramesOffset + CopySealer.TagBytes, rest.Length);
        Assert.Equal(4, output.Counters.PacketsSealed);
    }

    [Fact]
    public void A_train_is_on_its_way_until_the_last_member_has_its_own()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        output.SetDestinations(View(2));
        var feed = new CountedFeed { Left = 1 };
        Assert.False(output.IsInFlight(feed));
        output.RegisterStream(feed);
        Assert.True(_data.TryPull(out _, out _));
        Assert.True(output.IsInFlight(feed));
        Assert.True(_data.TryPull(out _, out _));
        Assert.False(output.IsInFlight(feed));
    }

    [Fact]
    public void A_train_is_no_longer_than_one_call_can_send()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        output.SetDestinations(View(1));
        output.RegisterStream(new SizedFeed([.. Enumerable.Repeat(WireLimits.FramesBytesMax, 100)]));
        List<int> packets = [];
        while (_data.TryPull(out _, out byte[] train))
        {
            packets.Add(train.Length / WireLimits.DatagramBytesMax);
        }

        Assert.Equal([44, 44, 12], packets);
    }

    [Theory]
    [InlineData(1_200)]
    [InlineData(1_400)]
    public void A_region_of_smaller_datagrams_sends_none_that_is_larger(int datagramBytes)
    {
        using var output = new RegionOutput(_core, _data, _control, datagramBytes);
        Assert.Equal(datagramBytes - WireLimits.DatagramBytesMax + WireLimits.FramesBytesMax, output.FramesBytesMax);
        output.SetSealer(new CopySealer());
        output.SetDestinations(View(1));
        output.RegisterStream(new SizedFeed([.. Enumerable.Repeat(output.FramesBytesMax, 100)]));
        List<int> packets = [];
        while (_data.TryPull(out _, out byte[] train))
        {
            Assert.Equal(datagramBytes, _data.PacketBytes);
            packets.Add(train.Length / datagramBytes);
        }

        Assert.Equal([44, 44, 12], packets);
        NodeAddress to = NodeAddress.FromIPv4(1, 1);
        Assert.True(output.TrySend(to, PacketClass.Control, new byte[output.FramesBytesMax]));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => output.TrySend(to, PacketClass.Control, new byte[output.FramesBytesMax + 1]));
    }

    [Theory]
    [InlineData(1_199)]
    [InlineData(1_473)]
    public void A_size_of_datagrams_that_no_region_may_have_is_an_error(int datagramBytes) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new RegionOutput(_core, _data, _control, datagramBytes));

    [Fact]
    public void A_region_with_a_group_sends_its_stream_there_once_and_the_rest_to_members()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        NodeAddress group = NodeAddress.FromIPv4(0xEF01_0101, 9_100);
        output.SetGroup(group);
        var feed = new CountedFeed { Left = 1 };
        output.RegisterStream(feed);
        Assert.False(_data.TryPull(out _, out _));
        output.SetDestinations(View(3));
        Assert.True(_data.TryPull(out NodeAddress to, out _));
        Assert.Equal(group, to);
        Assert.False(_data.TryPull(out _, out _));
        output.RegisterBroadcast(new CountedFeed { Left = 1 });
        Assert.True(_control.TryPull(out NodeAddress member, out _));
        Assert.Equal(9_000, member.Port);
        output.SetGroup(default);
        feed.Left = 1;
        output.RegisterStream(feed);
        Assert.True(_data.TryPull(out to, out _));
        Assert.Equal(Addresses(1)[0], to);
    }

    [Fact]
    public void Broadcasts_go_to_control_addresses()
    {
        using var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        output.SetDestinations(View(2));
        output.RegisterBroadcast(new CountedFeed { Left = 1 });
        Assert.True(_control.TryPull(out NodeAddress to, out byte[] datagram));
        Assert.Equal(9_000, to.Port);
        Assert.Equal((byte)PacketClass.Control, datagram[1]);
        Assert.True(_control.TryPull(out _, out _));
        Assert.False(_control.TryPull(out _, out _));
    }

    [Fact]
    public void After_dispose_nothing_leaves_and_the_sinks_are_empty()
    {
        var output = new RegionOutput(_core, _data, _control);
        output.SetSealer(new CopySealer());
        output.SetDestinations(View(2));
        output.RegisterStream(new CountedFeed { Left = 5 });
        output.TrySend(Addresses(1)[0], PacketClass.Control, [1]);
        Assert.True(_data.TryPull(out _, out _));
        output.Dispose();
        Assert.False(_data.TryPull(out _, out _));
        Assert.False(_control.TryPull(out _, out _));
        Assert.False(output.TrySend(Addresses(1)[0], PacketClass.Control, [1]));
    }

    private static NodeAddress[] Addresses(int count) => [.. Enumerable.Range(1, count).Select(i => NodeAddress.FromIPv4((uint)i, 8_000))];

    private static RegionView View(int count) =>
        new(
            1,
            new ViewNumber(1, 1),
            Addresses(count).Select((a, i) => new RegionMember((uint)i + 1, new NodeId(0, (uint)i + 1), 1, a, a with { Port = 9_000 })));

    private sealed class SizedFeed(int[] sizes) : IFrameFeed
    {
        private int _next;

        public int PullFrames(Span<byte> frames) => _next == sizes.Length ? 0 : sizes[_next++];
    }
}
