using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Ripple.Engine.Links;
using Ripple.Gms.Endpoint;
using Ripple.Transports.Links;

namespace Ripple.Gms.Tests.Endpoint;

public sealed class ControlLinkTests
{
    [Fact]
    public async Task Two_hundred_links_echo_every_frame_in_order()
    {
        const int Links = 200;
        const int FramesEach = 50;
        await using ControlHarness harness = await ControlHarness.StartAsync();
        TlsLinkConnector client = harness.Client();
        await harness.ConnectedAsync(client);
        TestHandler[] links = await Task.WhenAll(Enumerable.Range(0, Links).Select(_ => harness.ConnectedAsync(client)));

        for (int i = 0; i < FramesEach; i++)
        {
            byte[] body = new byte[i * 37];
            body.AsSpan().Fill((byte)i);
            int n = i;
            await harness.Core.CallAsync(() =>
            {
                foreach (TestHandler link in links)
                {
                    Assert.True(link.Link.TrySend((ushort)(LinkFrame.FirstProtocolType + n), body));
                }
            });
        }

        await ControlHarness.UntilAsync(() => Array.TrueForAll(links, link => link.FrameCount == FramesEach), "all is echoed");
        foreach (TestHandler link in links)
        {
            Assert.Equal(Enumerable.Range(0, FramesEach).Select(i => (i + 16, i * 37, i)), link.Frames.Select((frame, i) =>
                ((int)frame.Type, frame.Body.Length, frame.Body.Length == 0 ? i : (int)frame.Body[^1])));
        }

        Assert.Equal(Links + 1, harness.Endpoint.ConnectionCount);
        await harness.Core.CallAsync(() => Array.ForEach(links, link => link.Link.Close("enough")));
        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 1, "the closed links are gone");
        Assert.Equal(Links, harness.Accepted.Count(link => link.Closed.Task.IsCompleted));
    }

    [Fact]
    public async Task Longest_body_passes_and_echoes()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        TestHandler link = await harness.ConnectedAsync(harness.Client());
        byte[] body = new byte[LinkFrame.BodyBytesMax];
        BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(body.Length - 4), 4711);

        await harness.Core.CallAsync(() => Assert.True(link.Link.TrySend(16, body)));
        await ControlHarness.UntilAsync(() => link.FrameCount == 1, "it is back");

        Assert.Equal(body, link.Frames.Single().Body);
        await harness.Core.CallAsync(() =>
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => link.Link.TrySend(16, new byte[LinkFrame.BodyBytesMax + 1]));
            Assert.Throws<ArgumentOutOfRangeException>(() => link.Link.TrySend(15, []));
        });
    }

    [Fact]
    public async Task Reason_of_a_close_reaches_the_other_side_after_what_was_queued_and_no_callback_follows()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        harness.OnAccept = link => new TestHandler(link);
        TestHandler client = await harness.ConnectedAsync(harness.Client());
        await ControlHarness.UntilAsync(() => !harness.Accepted.IsEmpty, "the host has the link");
        TestHandler host = harness.Accepted.Single();

        await harness.Core.CallAsync(() =>
        {
            Assert.True(client.Link.TrySend(16, new byte[100_000]));
            client.Link.Close("moving to another host");
            Assert.False(client.Link.TrySend(16, []));
            Assert.Equal(0, client.Link.SendRoomBytes);
        });

        string reason = await host.Closed.Task.WaitAsync(TimeSpan.FromMinutes(2), ControlHarness.Cancel);
        Assert.Contains("moving to another host", reason, StringComparison.Ordinal);
        Assert.Equal(100_000, host.BodyBytes);
        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 0, "the connection is gone");
        Assert.False(client.Closed.Task.IsCompleted);
    }

    [Fact]
    public async Task Link_that_nobody_takes_is_closed()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        harness.OnAccept = _ => null;
        TestHandler client = await harness.ConnectedAsync(harness.Client());
        Assert.Contains(
            "Nobody took the link",
            await client.Closed.Task.WaitAsync(TimeSpan.FromMinutes(2), ControlHarness.Cancel),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stopping_host_says_goodbye()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        TestHandler client = await harness.ConnectedAsync(harness.Client());
        harness.Endpoint.Stop();
        Assert.Contains(
            "stopping", await client.Closed.Task.WaitAsync(TimeSpan.FromMinutes(2), ControlHarness.Cancel), StringComparison.Ordinal);
        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 0, "the connection is gone");
    }

    [Fact]
    public async Task Who_is_admitted_while_the_host_begins_to_stop_is_told_so()
    {
        LinkEndpoint? endpoint = null;
        await using ControlHarness harness = await ControlHarness.StartAsync(options => options with
        {
            Admission = (_, _) =>
            {
                endpoint!.Stop();
                return ValueTask.FromResult<string?>(null);
            },
        });
        endpoint = harness.Endpoint;
        TestHandler client = await harness.ConnectedAsync(harness.Client());
        Assert.Contains(
            "stopping", await client.Closed.Task.WaitAsync(TimeSpan.FromMinutes(2), ControlHarness.Cancel), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Held_core_stops_the_sender_by_back_pressure_and_loses_nothing()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        // The receiving host has a core of its own, which is held.
        using var held = new SteppedCore();
        ControlHarness receiver = await ControlHarness.StartAsync(options => options with { Requests = held.Requests });
        await using (receiver)
        {
            receiver.OnAccept = link => new TestHandler(link) { IsCounting = true };
            TestHandler sender = await ConnectToAsync(harness, receiver);
            await ControlHarness.UntilAsync(() => !receiver.Accepted.IsEmpty, "the host has the link");
            TestHandler sink = receiver.Accepted.Single();
            held.IsHeld = true;

            byte[] body = new byte[16_000];
            long sentBytes = 0;
            int writableBefore = 0;
            for (int quietTurns = 0; quietTurns < 50;)
            {
                (bool isSent, int roomBytes, writableBefore) = await harness.Core.CallAsync(
                    () => (sender.Link.TrySend(16, body), sender.Link.SendRoomBytes, sender.WritableCount));
                sentBytes += isSent ? body.Length : 0;
                // Refused, and still without room: on a slow machine some may have left meanwhile.
                bool isFull = !isSent && roomBytes < body.Length + LinkFrame.HeaderBytes;
                quietTurns = isFull ? quietTurns + 1 : 0;
                await Task.Delay(isSent ? 0 : 10, ControlHarness.Cancel);
                Assert.True(sentBytes < 200_000_000, "Nothing holds the sender back.");
            }

            // The last one was refused in the turn in which this was counted: that there is room again is yet to be told.
            held.IsHeld = false;

            await ControlHarness.UntilAsync(() => sink.BodyBytes == sentBytes, "all that was accepted has arrived");
            await ControlHarness.UntilAsync(() => sender.WritableCount > writableBefore, "the sender hears of the room");
            Assert.True(await harness.Core.CallAsync(() => sender.Link.TrySend(16, body)));
        }
    }

    [Fact]
    public async Task Full_door_of_the_core_delays_frames_and_loses_none()
    {
        using var small = new SteppedCore(requestsMax: 2);
        ControlHarness harness = await ControlHarness.StartAsync(options => options with { Requests = small.Requests });
        await using (harness)
        {
            harness.OnAccept = link => new TestHandler(link, isEcho: true);
            TlsLinkConnector client = harness.Client();
            TestHandler[] links = await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => harness.ConnectedAsync(client)));
            for (int i = 0; i < 20; i++)
            {
                await harness.Core.CallAsync(() => Array.ForEach(links, link => Assert.True(link.Link.TrySend(16, new byte[1_000]))));
            }

            await ControlHarness.UntilAsync(() => Array.TrueForAll(links, link => link.FrameCount == 20), "all is echoed");
        }
    }

    [Fact]
    public async Task Garbage_instead_of_tls_is_dropped_and_the_host_goes_on()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        for (int i = 0; i < 5; i++)
        {
            using Socket socket = await harness.RawAsync();
            await socket.SendAsync(
                Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n" + new string('x', 4_000)), ControlHarness.Cancel);
            byte[] answer = new byte[4_096];
            try
            {
                while (await socket.ReceiveAsync(answer, ControlHarness.Cancel) > 0)
                {
                }
            }
            catch (SocketException)
            {
                // Reset is as good an end as any.
            }
        }

        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 0, "the garbage is gone");
        await harness.ConnectedAsync(harness.Client());
    }

    [Fact]
    public async Task Silent_handshakes_end_in_time_and_their_number_is_bounded()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync(
            options => options with { UnadmittedMax = 3, HelloTimeout = TimeSpan.FromSeconds(10) });
        var sockets = new List<Socket>();
        for (int i = 0; i < 10; i++)
        {
            try
            {
                sockets.Add(await harness.RawAsync());
            }
            catch (SocketException)
            {
                // Turned away so fast that the connect itself saw the reset.
            }
        }

        await ControlHarness.UntilAsync(() => harness.Endpoint.Counters.OverLimit == 7, "seven are turned away");
        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 0, "three ran out of time");
        sockets.ForEach(socket => socket.Dispose());
        await harness.ConnectedAsync(harness.Client());
    }

    [Fact]
    public async Task Handshakes_of_a_crowd_take_turns_and_all_get_in()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync(options => options with { HandshakesMax = 2 });
        // Whoever says nothing has no turn, so that these hold up nobody.
        Socket[] silent = [await harness.RawAsync(), await harness.RawAsync(), await harness.RawAsync()];
        TlsLinkConnector[] crowd = [.. Enumerable.Range(0, 40).Select(_ => harness.Client())];
        TestHandler[] links = await Task.WhenAll(crowd.Select(harness.ConnectedAsync));
        Assert.Equal(40, links.Length);
        await ControlHarness.UntilAsync(() => harness.Endpoint.Counters.Admitted == 40, "all are admitted");
        Assert.InRange(harness.Endpoint.HandshakesAtOnceMax, 1, 2);
        Array.ForEach(silent, socket => socket.Dispose());
    }

    [Fact]
    public async Task Bytes_of_links_are_counted_on_the_host()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        TestHandler link = await harness.ConnectedAsync(harness.Client());
        LinkTraffic traffic = harness.Endpoint.Counters.Traffic;
        long sent = traffic.BytesSent;
        await harness.Core.CallAsync(() => link.Link.TrySend(LinkFrame.FirstProtocolType, new byte[10_000]));
        // It echoes.
        await ControlHarness.UntilAsync(() => traffic.BytesSent - sent >= 10_000, "the answer is counted");
        Assert.InRange(traffic.BytesReceived, 10_000, 12_000);
        Assert.InRange(traffic.BytesSent - sent, 10_000, 12_000);
    }

    [Fact]
    public async Task Something_else_than_a_host_is_told_from_nothing()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        Task serve = Task.Run(
            async () =>
            {
                using Socket socket = await listener.AcceptSocketAsync(ControlHarness.Cancel);
                await socket.SendAsync("SSH-2.0-OpenSSH_9.9 and much more\r\n"u8.ToArray(), ControlHarness.Cancel);
                await socket.ReceiveAsync(new byte[4_096], ControlHarness.Cancel);
                socket.Close();
            },
            ControlHarness.Cancel);

        ConnectOutcome other = await harness.ConnectAsync(harness.Client(), $"127.0.0.1:{port}");
        await serve;
        listener.Stop();
        ConnectOutcome nothing = await harness.ConnectAsync(harness.Client(), $"127.0.0.1:{port}");
        ConnectOutcome nonsense = await harness.ConnectAsync(harness.Client(), "no port here");

        Assert.Equal(LinkConnectFailure.Untrusted, other.Failure);
        Assert.Equal(LinkConnectFailure.Unreachable, nothing.Failure);
        Assert.Contains($"127.0.0.1:{port} cannot be reached", nothing.Text, StringComparison.Ordinal);
        Assert.Equal(LinkConnectFailure.Unreachable, nonsense.Failure);
    }

    [Fact]
    public async Task What_takes_a_connection_and_stays_silent_is_given_up_before_the_whole_connect_and_later_each_time()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        string silent = listener.LocalEndpoint.ToString()!;
        // Its whole connect has the patience of the tests.
        TlsLinkConnector connector = harness.Client(options => options with { TlsTimeout = TimeSpan.FromMilliseconds(50) });

        foreach (string within in (string[])["0.05 s", "0.1 s", "0.2 s"])
        {
            ConnectOutcome outcome = await harness.ConnectAsync(connector, silent);
            Assert.Equal(LinkConnectFailure.Unreachable, outcome.Failure);
            Assert.Contains($"took the connection, and did not show within {within}", outcome.Text, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Connect_to_a_silent_port_ends_in_time_and_a_cancelled_one_says_nothing()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        string address = $"127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}";
        TlsLinkConnector client = harness.Client(options => options with { ConnectTimeout = TimeSpan.FromMilliseconds(300) });

        var cancelled = new ConnectOutcome(link => new TestHandler(link));
        await harness.Core.CallAsync(() => client.Connect(address, cancelled).Cancel());
        ConnectOutcome outcome = await harness.ConnectAsync(client, address);

        Assert.Equal(LinkConnectFailure.Unreachable, outcome.Failure);
        Assert.Contains("within 0.3 s", outcome.Text, StringComparison.Ordinal);
        Assert.False(cancelled.Done.Task.IsCompleted);
    }

    private static async Task<TestHandler> ConnectToAsync(ControlHarness from, ControlHarness to)
    {
        Ripple.Trust.AccessTokenSecret token = to.Policy.NewToken();
        TlsLinkConnector client = from.Client(options => options with { Authority = to.Authority.Trust.Fingerprint, Token = () => token });
        ConnectOutcome outcome = await from.ConnectAsync(client, to.Address);
        Assert.True(outcome.Handler is not null, outcome.Text);
        return outcome.Handler;
    }
}
