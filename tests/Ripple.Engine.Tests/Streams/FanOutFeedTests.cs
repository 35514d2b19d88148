using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>Trains that are not full leave some time apart, so that many small messages to many cost one train.</summary>
public sealed class FanOutFeedTests
{
    private const int Many = 20;
    private const long ApartNs = Many * FanOutFeed.GatherNsPerTarget;
    private readonly CoreLoop _core = new(new CoreOptions(), 1);
    private readonly HandSink _data = new();
    private readonly HandSink _control = new();
    private readonly MessageFeed _feed = new();
    private readonly RegionOutput _output;

    public FanOutFeedTests()
    {
        _output = new RegionOutput(_core, _data, _control);
        _output.SetSealer(new CopySealer());
    }

    [Fact]
    public void What_comes_after_a_pause_leaves_at_once_and_what_follows_it_leaves_together()
    {
        SetMembers(Many);
        Assert.Equal([1], Say(1));
        Assert.Equal([], Say(1));
        At(ApartNs / 2);
        Assert.Equal([], Say(2));
        At(ApartNs - 1);
        Assert.Equal([], Sent());
        At(ApartNs);
        Assert.Equal([3], Sent());

        At((2 * ApartNs) - 1);
        Assert.Equal([], Say(1));
        At(2 * ApartNs);
        Assert.Equal([1], Sent());
        At(10 * ApartNs);
        Assert.Equal([1], Say(1));
    }

    [Fact]
    public void No_message_waits_longer_than_a_bound_however_many_members_there_are()
    {
        SetMembers(2_000);
        Assert.Equal([1], Say(1));
        Assert.Equal([], Say(1));
        At(FanOutFeed.GatherNsMax);
        Assert.Equal([1], Sent());
        At(2 * FanOutFeed.GatherNsMax);
        Assert.Equal([40], Say(40, isFull: true));
        Assert.Equal([], Say(1));
        At((2 + FanOutFeed.GatherGrowthMax) * FanOutFeed.GatherNsMax);
        Assert.Equal([1], Sent());
    }

    [Fact]
    public void Full_trains_follow_each_other_without_a_wait()
    {
        SetMembers(Many);
        int perTrain = WireLimits.TrainPacketsMax;
        Assert.Equal([perTrain, perTrain, 5], Say((2 * perTrain) + 5, isFull: true));
        Assert.Equal([], Say(1));
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(3, 1.5)]
    [InlineData(7, 3.5)]
    [InlineData(8, 4)]
    [InlineData(40, 4)]
    public void Behind_a_train_of_more_packets_the_next_one_waits_for_more_and_no_longer_than_a_bound(int packets, double times)
    {
        SetMembers(Many);
        Assert.Equal([packets], Say(packets, isFull: true));
        Assert.Equal([], Say(1));
        long opensAtNs = (long)(times * ApartNs);
        At(opensAtNs - 1);
        Assert.Equal([], Sent());
        At(opensAtNs);
        Assert.Equal([1], Sent());
    }

    [Fact]
    public void Nothing_waits_where_the_stream_has_something_else_to_send()
    {
        SetMembers(Many);
        _feed.MayGather = false;
        Assert.Equal([1], Say(1));
        Assert.Equal([1], Say(1));
    }

    [Fact]
    public void What_waits_goes_on_when_there_is_a_key_again_and_somebody_to_send_to()
    {
        SetMembers(Many);
        Say(1);
        Say(1);
        _output.SetSealer(null);
        At(ApartNs);
        Assert.Equal([], Sent());
        _output.SetSealer(new CopySealer());
        Assert.Equal([1], Sent());

        Say(1);
        _output.SetDestinations([]);
        At(2 * ApartNs);
        Assert.Equal([], Sent());
        SetMembers(Many);
        Assert.Equal([1], Sent());
    }

    [Fact]
    public void Few_members_and_a_group_never_wait()
    {
        SetMembers(FanOutFeed.GatherTargetsMin - 1);
        Assert.Equal([1], Say(1));
        Assert.Equal([1], Say(1));
        SetMembers(Many);
        _output.SetGroup(NodeAddress.FromIPv4(0xEF010101, 7_401));
        Assert.Equal([1], Say(1));
        Assert.Equal([1], Say(1));
    }

    [Fact]
    public void Beacons_never_wait()
    {
        SetMembers(Many);
        var beacon = new CountedFeed();
        for (int i = 0; i < 2; i++)
        {
            beacon.Left = 1;
            _output.RegisterBroadcast(beacon);
            int sent = 0;
            while (_control.TryPull(out _, out _))
            {
                sent++;
            }

            Assert.Equal(Many, sent);
        }
    }

    [Fact]
    public void What_is_closed_while_it_waits_is_not_asked_again()
    {
        SetMembers(Many);
        Say(1);
        Say(1);
        int pulls = _feed.Pulls;
        Assert.Equal(ApartNs, _core.NextDueNs);
        _output.Unregister(_feed);
        Assert.Equal(long.MaxValue, _core.NextDueNs);
        At(ApartNs);
        Assert.Equal([], Sent());
        Assert.Equal(pulls, _feed.Pulls);
    }

    private void SetMembers(int count)
    {
        var members = new List<RegionMember>();
        for (uint i = 1; i <= count; i++)
        {
            var address = NodeAddress.FromIPv4(0x7F000001, (ushort)i);
            members.Add(new RegionMember(i, new NodeId(0, i), 1, address, address));
        }

        _output.SetDestinations(members);
    }

    private void At(long nowNs) => _core.DoWork(nowNs);

    private int[] Say(int packets, bool isFull = false)
    {
        _feed.Left += packets;
        _feed.IsFull = isFull;
        _output.RegisterStream(_feed);
        return Sent();
    }

    /// <summary>The packets of each train that leaves now; it goes to every destination.</summary>
    private int[] Sent()
    {
        List<int> trains = [];
        NodeAddress first = default;
        while (_data.TryPull(out NodeAddress to, out byte[] train))
        {
            first = first == default ? to : first;
            if (to == first)
            {
                trains.Add(_feed.IsFull ? (train.Length + _data.PacketBytes - 1) / _data.PacketBytes : CopySealer.Open(train)[0]);
            }
        }

        return [.. trains];
    }

    /// <summary>Messages of a byte each, those that wait in one packet, or each in a packet of its own that is full.</summary>
    private sealed class MessageFeed : IFrameFeed
    {
        public int Left { get; set; }

        public bool IsFull { get; set; }

        public bool MayGather { get; set; } = true;

        public int Pulls { get; private set; }

        public int PullFrames(Span<byte> frames)
        {
            Pulls++;
            if (Left == 0)
            {
                return 0;
            }

            int taken = IsFull ? 1 : Left;
            Left -= taken;
            frames[0] = (byte)taken;
            return IsFull ? frames.Length : 1;
        }
    }
}
