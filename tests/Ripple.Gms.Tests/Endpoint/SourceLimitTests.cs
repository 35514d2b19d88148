using System.Buffers;
using System.Net;
using System.Net.Sockets;
using Ripple.Gms.Endpoint;

namespace Ripple.Gms.Tests.Endpoint;

/// <summary>Limits of those of whom nothing is known but where they come from.</summary>
public sealed class SourceLimitTests
{
    private static readonly SourceAddress One = new(1, IsIPv6: false);
    private static readonly SourceAddress Two = new(2, IsIPv6: false);

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.1", true)]
    [InlineData("10.0.0.1", "::ffff:10.0.0.1", true)]
    [InlineData("10.0.0.1", "10.0.0.2", false)]
    [InlineData("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true)]
    [InlineData("2001:db8:1:2::1", "2001:db8:1:3::1", false)]
    [InlineData("0.0.0.7", "::7", false)]
    public void A_source_is_an_address_or_what_one_customer_is_given(string one, string two, bool isSame) => Assert.Equal(
        isSame,
        SourceAddress.Of(new IPEndPoint(IPAddress.Parse(one), 1)) == SourceAddress.Of(new IPEndPoint(IPAddress.Parse(two), 2)));

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.1")]
    [InlineData("::ffff:10.0.0.1", "10.0.0.1")]
    [InlineData("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64")]
    public void A_source_is_written_as_people_know_it(string address, string written) =>
        Assert.Equal(written, SourceAddress.Of(new IPEndPoint(IPAddress.Parse(address), 1)).ToString());

    [Fact]
    public async Task Sources_take_turns_and_one_leaves_room_for_others()
    {
        var turns = new SourceTurns(4, 3);
        Task[] crowd = [.. Enumerable.Range(0, 6).Select(_ => turns.EnterAsync(One, Cancel))];
        Assert.Equal([true, true, true, false, false, false], crowd.Select(t => t.IsCompleted));
        Task other = turns.EnterAsync(Two, Cancel);
        await other;
        // Full: who comes next waits, but not behind the crowd.
        Task next = turns.EnterAsync(Two, Cancel);
        Assert.False(next.IsCompleted);
        turns.Leave(One);
        await crowd[3];
        turns.Leave(One);
        await next;
        Assert.False(crowd[4].IsCompleted);
        Assert.Equal(4, turns.RunningMax);
    }

    [Fact]
    public async Task Who_gives_up_waiting_is_forgotten_and_holds_up_nobody()
    {
        var turns = new SourceTurns(1, 1);
        await turns.EnterAsync(One, Cancel);
        using var givesUp = new CancellationTokenSource();
        Task waiting = turns.EnterAsync(Two, givesUp.Token);
        await givesUp.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(1, turns.SourceCount);
        turns.Leave(One);
        Assert.Equal(0, turns.SourceCount);
        await turns.EnterAsync(Two, Cancel);
    }

    [Fact]
    public void The_oldest_silent_one_of_the_source_with_the_most_gives_way()
    {
        var places = new SourcePlaces(4, 10);
        var gone = new List<string>();
        SourcePlaces.Place greeted = places.Take(One, () => gone.Add("one-1"));
        greeted.Greet();
        places.Take(One, () => gone.Add("one-2"));
        places.Take(Two, () => gone.Add("two-1"));
        places.Take(Two, () => gone.Add("two-2"));
        places.Take(One, () => gone.Add("one-3"));
        Assert.Equal(["two-1"], gone);
        places.Take(One, () => gone.Add("one-4"));
        Assert.Equal(["two-1", "one-2"], gone);
        Assert.Equal(4, places.Count);
        greeted.Dispose();
        greeted.Dispose();
        Assert.Equal(3, places.Count);
    }

    [Fact]
    public void A_network_with_many_addresses_pushes_out_its_own()
    {
        var places = new SourcePlaces(6, 10);
        var gone = new List<string>();
        // Two connections of an address elsewhere, and one of each of four addresses of one /48.
        SourceAddress other = Of("2001:db8:9::1");
        places.Take(other, () => gone.Add("other-1"));
        places.Take(other, () => gone.Add("other-2"));
        for (int i = 1; i <= 4; i++)
        {
            string name = $"site-{i}";
            places.Take(Of($"2001:db8:1:{i}::1"), () => gone.Add(name));
        }

        places.Take(Of("2001:db8:1:5::1"), () => gone.Add("site-5"));
        Assert.StartsWith("site-", Assert.Single(gone), StringComparison.Ordinal);
        Assert.NotEqual(Of("2001:db8:1:5::1"), Of("2001:db8:1:4::1"));

        static SourceAddress Of(string address) => SourceAddress.Of(new IPEndPoint(IPAddress.Parse(address), 1));
    }

    [Fact]
    public void Who_said_something_gives_way_when_nobody_is_silent()
    {
        var places = new SourcePlaces(2, 10);
        var gone = new List<string>();
        places.Take(One, () => gone.Add("1")).Greet();
        places.Take(One, () => gone.Add("2")).Greet();
        places.Take(Two, () => gone.Add("3"));
        Assert.Equal(["1"], gone);
    }

    [Fact]
    public void One_source_has_so_many_silent_ones()
    {
        var places = new SourcePlaces(100, 2);
        var gone = new List<int>();
        for (int i = 0; i < 5; i++)
        {
            int number = i;
            places.Take(One, () => gone.Add(number));
        }

        Assert.Equal([0, 1, 2], gone);
        Assert.Equal(2, places.Count);
    }

    [Theory]
    [InlineData("", null)]
    [InlineData("16", null)]
    [InlineData("1603010005", null)]
    [InlineData("160301000501000001", null)]
    [InlineData("16030100050100000163", true)]
    [InlineData("1603010005010000016316", true)]
    [InlineData("160301000401000001160301000163", true)]
    [InlineData("1603010002010016030100030000017f", true)]
    [InlineData("16030100020100160301000200011603010001", null)]
    [InlineData("160301000201001603010002000116030100017f", true)]
    [InlineData("17", false)]
    [InlineData("474554", false)]
    [InlineData("1602010005", false)]
    [InlineData("16030100050200000163", false)]
    [InlineData("1603010000", false)]
    [InlineData("160301ffff", false)]
    [InlineData("16030100050100ffff63", false)]
    public void A_hello_is_whole_when_its_length_is_there(string hex, bool? expected)
    {
        byte[] bytes = Convert.FromHexString(hex);
        Assert.Equal(expected, ClientHello.IsWhole(new ReadOnlySequence<byte>(bytes)));
    }

    [Fact]
    public async Task Who_stops_within_its_hello_takes_no_turn()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync();
        var stopped = new List<Socket>();
        for (int i = 0; i < 30; i++)
        {
            Socket socket = await harness.RawAsync();
            await socket.SendAsync(new byte[] { 0x16 }, ControlHarness.Cancel);
            stopped.Add(socket);
        }

        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 30, "all are there");
        await harness.ConnectedAsync(harness.Client());
        // There is room for all of them at once, and a turn lasts a second: nobody but the client had one.
        Assert.Equal(1, harness.Endpoint.HandshakesAtOnceMax);
        stopped.ForEach(s => s.Dispose());
    }

    [Fact]
    public async Task Silent_connections_give_way_to_who_comes()
    {
        await using ControlHarness harness = await ControlHarness.StartAsync(
            options => options with { UnadmittedMax = 8 });
        var silent = new List<Socket>();
        for (int i = 0; i < 8; i++)
        {
            silent.Add(await harness.RawAsync());
        }

        await ControlHarness.UntilAsync(() => harness.Endpoint.ConnectionCount == 8, "all places are taken");
        TestHandler[] links = await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => harness.ConnectedAsync(harness.Client())));
        Assert.Equal(3, links.Length);
        Assert.InRange(harness.Endpoint.Counters.OverLimit, 1, 8);
        silent.ForEach(s => s.Dispose());
    }
}
