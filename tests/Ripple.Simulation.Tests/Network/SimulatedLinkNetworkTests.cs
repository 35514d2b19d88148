using System.Buffers.Binary;
using Ripple.Engine.Links;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Network;

public class SimulatedLinkNetworkTests
{
    private readonly SimulatedWorld _world = new(5);
    private readonly SimulatedMachine _host;
    private readonly SimulatedMachine _node;
    private readonly Acceptor _acceptor = new();
    private readonly Client _client = new();
    private ILinkConnector _connector = null!;

    public SimulatedLinkNetworkTests()
    {
        _host = _world.AddHost("host");
        _node = _world.AddNode("node");
        _host.OnStart = m => _world.Control.Listen(m, _acceptor);
        _node.OnStart = m => _connector = _world.Control.CreateConnector(m);
        _node.Start();
    }

    [Fact]
    public void A_connection_tells_each_side_who_the_other_is()
    {
        Connect();
        Assert.Equal(_host.Peer, _client.Link!.Peer);
        Assert.Equal(_node.Peer, Assert.Single(_acceptor.Ends).Link.Peer);
    }

    [Fact]
    public void Frames_arrive_in_order_both_ways_under_loss()
    {
        Connect();
        Disturbance disturbance = _world.Paths.Disturb(new PathProfile { Loss = 0.1, JitterNs = 5 * Ms });
        End host = _acceptor.Ends[0];
        for (int i = 0; i < 200; i++)
        {
            Assert.True(Send(_client.Link!, i));
            Assert.True(Send(host.Link, i));
            _world.RunFor(100_000);
        }

        _world.RunFor(60 * Second);
        disturbance.End();
        Assert.Equal(Enumerable.Range(0, 200), host.Numbers);
        Assert.Equal(Enumerable.Range(0, 200), _client.End.Numbers);
        Assert.True(_world.Faults[FaultKind.FrameDelayed] > 10);
        Assert.Equal(0, _world.Faults[FaultKind.FrameLost]);
    }

    [Fact]
    public void A_host_that_is_down_refuses_and_one_without_power_lets_the_attempt_time_out()
    {
        _connector.Connect("host:7400", _client);
        _world.RunFor(100 * Ms);
        Assert.Equal(LinkConnectFailure.Unreachable, _client.Failure);
        Assert.Contains("host:7400", _client.FailureText, StringComparison.Ordinal);

        _host.Start();
        _host.Crash(isSilent: true);
        _client.Failure = null;
        _connector.Connect("host:7400", _client);
        _world.RunFor(4 * Second);
        Assert.Null(_client.Failure);
        _world.RunFor(2 * Second);
        Assert.NotNull(_client.Failure);
        Assert.Equal(2, _world.Faults[FaultKind.ConnectFailed]);
    }

    [Fact]
    public void A_refused_credential_is_said_to_be_one()
    {
        _host.OnStart = m =>
            _world.Control.Listen(m, _acceptor).Admission = peer => peer.Name == "node" ? LinkConnectFailure.Refused : null;
        _host.Start();
        _connector.Connect("host:7400", _client);
        _world.RunFor(Second);
        Assert.Equal(LinkConnectFailure.Refused, _client.Failure);
        Assert.Empty(_acceptor.Ends);
    }

    [Fact]
    public void A_cancelled_attempt_calls_nobody_and_the_host_sees_the_connection_end()
    {
        _host.Start();
        ILinkConnectAttempt attempt = _connector.Connect("host:7400", _client);
        while (_acceptor.Ends.Count == 0)
        {
            Assert.True(_world.Scheduler.Step());
        }

        attempt.Cancel();
        _world.RunFor(10 * Second);
        Assert.Null(_client.Link);
        Assert.Null(_client.Failure);
        Assert.NotNull(_acceptor.Ends[0].ClosedReason);
    }

    [Fact]
    public void A_full_send_buffer_refuses_and_says_once_that_half_is_free()
    {
        Connect();
        _host.Pause(Second);
        byte[] body = new byte[100_000];
        int sent = 0;
        while (_client.Link!.TrySend(16, body))
        {
            sent++;
            Assert.True(((SimulatedLink)_client.Link).OutstandingBytes <= _world.Control.Options.SendBufferBytes);
        }

        Assert.Equal(10, sent);
        Assert.True(_client.Link.SendRoomBytes < body.Length);
        _world.RunFor(500 * Ms);
        Assert.Equal(0, _client.End.WritableCount);
        _world.RunFor(2 * Second);
        Assert.Equal(1, _client.End.WritableCount);
        Assert.Equal(sent, _acceptor.Ends[0].Numbers.Count);
        Assert.True(_client.Link.SendRoomBytes > 1_000_000);
    }

    [Fact]
    public void A_closed_link_delivers_what_was_queued_and_then_ends()
    {
        Connect();
        for (int i = 0; i < 100; i++)
        {
            Send(_client.Link!, i);
        }

        _client.Link!.Close("done");
        Assert.False(Send(_client.Link, 100));
        _world.RunFor(Second);
        Assert.Equal(Enumerable.Range(0, 100), _acceptor.Ends[0].Numbers);
        Assert.Equal("done", _acceptor.Ends[0].ClosedReason);
        Assert.Null(_client.End.ClosedReason);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_crash_loses_a_suffix_and_the_other_side_sees_the_end(bool isSilent)
    {
        bool wasLost = false;
        for (ulong seed = 0; seed < 20; seed++)
        {
            var test = new SimulatedLinkNetworkTests();
            test.Connect();
            for (int i = 0; i < 50; i++)
            {
                Send(test._client.Link!, i, 10_000);
            }

            test._world.RunFor((long)(100_000 + (seed * 50_000)));
            test._node.Crash(isSilent);
            test._world.RunFor(5 * Second);
            End end = test._acceptor.Ends[0];
            Assert.Equal(isSilent, end.ClosedReason is null);
            test._world.RunFor(10 * Second);
            Assert.NotNull(end.ClosedReason);
            Assert.Equal(Enumerable.Range(0, end.Numbers.Count), end.Numbers);
            Assert.Equal(50 - end.Numbers.Count, test._world.Faults[FaultKind.FrameLost]);
            wasLost |= end.Numbers.Count is > 0 and < 50;
        }

        Assert.True(wasLost);
    }

    [Fact]
    public void A_short_partition_delays_frames_and_a_long_one_breaks_the_link_on_both_sides()
    {
        Connect();
        End host = _acceptor.Ends[0];
        Partition partition = _world.Connectivity.Cut([_node], [_host], isOneWay: true);
        Send(_client.Link!, 0);
        Send(host.Link, 0);
        _world.RunFor(8 * Second);
        Assert.Empty(host.Numbers);
        Assert.Empty(_client.End.Numbers);
        partition.Heal();
        _world.RunFor(Second);
        Assert.Equal([0], host.Numbers);
        Assert.Equal([0], _client.End.Numbers);
        _world.RunFor(30 * Second);
        Assert.Null(host.ClosedReason);

        _world.Connectivity.Cut([_node], [_host]);
        Send(_client.Link!, 1);
        _world.RunFor(13 * Second);
        Assert.NotNull(host.ClosedReason);
        Assert.NotNull(_client.End.ClosedReason);
        Assert.Equal([0], host.Numbers);
        Assert.Equal(1, _world.Faults[FaultKind.FrameLost]);
        Assert.Equal(2, _world.Faults[FaultKind.LinkBroken]);
    }

    [Fact]
    public void A_link_that_nobody_takes_is_closed()
    {
        _acceptor.TakesLinks = false;
        Connect();
        _world.RunFor(Second);
        Assert.NotNull(_client.End.ClosedReason);
    }

    [Fact]
    public void Frames_of_the_links_own_types_and_too_long_ones_are_refused_by_exception()
    {
        Connect();
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.Link!.TrySend(15, []));
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.Link!.TrySend(16, new byte[LinkFrame.BodyBytesMax + 1]));
        Assert.True(_client.Link!.TrySend(16, new byte[LinkFrame.BodyBytesMax]));
    }

    [Fact]
    public void An_attempt_to_reach_an_unknown_name_times_out()
    {
        _connector.Connect("nobody:7400", _client);
        _world.RunFor(6 * Second);
        Assert.Equal(LinkConnectFailure.Unreachable, _client.Failure);
    }

    [Fact]
    public void A_partition_lets_an_attempt_to_connect_time_out()
    {
        _host.Start();
        _world.Connectivity.Cut([_host], [_node], isOneWay: true);
        _connector.Connect("host:7400", _client);
        _world.RunFor(6 * Second);
        Assert.NotNull(_client.Failure);
        Assert.Empty(_acceptor.Ends);
    }

    private static bool Send(ILink link, int number, int length = 20)
    {
        byte[] body = new byte[length];
        BinaryPrimitives.WriteInt32LittleEndian(body, number);
        return link.TrySend(16, body);
    }

    private void Connect()
    {
        _host.Start();
        _connector.Connect("host:7400", _client);
        _world.RunFor(10 * Ms);
        Assert.NotNull(_client.Link);
    }

    private sealed class End(ILink link) : ILinkHandler
    {
        public ILink Link { get; } = link;

        public List<int> Numbers { get; } = [];

        public int WritableCount { get; private set; }

        public string? ClosedReason { get; private set; }

        public void OnFrame(ushort type, ReadOnlySpan<byte> body)
        {
            Assert.Null(ClosedReason);
            Numbers.Add(BinaryPrimitives.ReadInt32LittleEndian(body));
        }

        public void OnWritable() => WritableCount++;

        public void OnClosed(string reason)
        {
            Assert.Null(ClosedReason);
            ClosedReason = reason;
        }
    }

    private sealed class Acceptor : ILinkAcceptor
    {
        public List<End> Ends { get; } = [];

        public bool TakesLinks { get; set; } = true;

        public void OnLink(ILink link)
        {
            var end = new End(link);
            if (TakesLinks)
            {
                link.Handler = end;
            }

            Ends.Add(end);
        }
    }

    private sealed class Client : ILinkConnectResult
    {
        public ILink? Link { get; private set; }

        public End End { get; private set; } = null!;

        public LinkConnectFailure? Failure { get; set; }

        public string? FailureText { get; private set; }

        public void OnConnected(ILink link)
        {
            Link = link;
            link.Handler = End = new End(link);
        }

        public void OnConnectFailed(LinkConnectFailure failure, string text, string? leader)
        {
            Failure = failure;
            FailureText = text;
        }
    }
}
