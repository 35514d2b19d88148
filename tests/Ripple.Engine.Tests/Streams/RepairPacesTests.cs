using Ripple.Engine.Core;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

/// <summary>The rate of repairs to members that lose them.</summary>
public sealed class RepairPacesTests
{
    private const int RepairBytes = 1_000;
    private const long Rate = 80_000_000;
    private const long MillisecondNs = 1_000_000;

    /// <summary>Two of them are the longest round: 50 ms.</summary>
    private const long DelayNs = 25 * MillisecondNs;
    private static readonly NodeAddress Lossy = NodeAddress.FromIPv4(0x0A000001, 1);
    private static readonly NodeAddress Other = NodeAddress.FromIPv4(0x0A000002, 1);
    private readonly RepairPaces _paces = new(StreamOptions.Default);
    private long _nowNs = MillisecondNs;

    [Fact]
    public void Who_loses_no_repairs_waits_for_nobody()
    {
        Send(Lossy, 1_000);
        Send(Other, 1_000);
        Lose(Lossy, 1, 1_000);
        Assert.Equal(1_000, SentIn(Other, 1_000, 0));
        Assert.InRange(SentIn(Lossy, 1_000, 0), 1, 300);
    }

    [Theory]
    [InlineData(7, 20, false)]
    [InlineData(60, 1_000, false)]
    [InlineData(63, 1_000, true)]
    [InlineData(8, 20, true)]
    public void A_request_that_tells_of_much_loss_lowers_the_rate(int lost, int of, bool isLower)
    {
        Send(Lossy, of);
        Lose(Lossy, 1, lost - 1, of);
        Assert.Equal(isLower, SentIn(Lossy, 2_000, 0) < 2_000);
    }

    [Fact]
    public void The_rate_falls_to_what_arrived_and_no_further_than_a_quarter_or_the_lowest()
    {
        Send(Lossy, 1_000);
        Lose(Lossy, 1, 499, 1_000);
        Assert.InRange(BytesPerSecond(), Rate * 7 / 16 * 95 / 100, Rate * 7 / 16 * 105 / 100);
        for (int i = 0; i < 5; i++)
        {
            ulong sent = Send(Lossy, 100);
            Lose(Lossy, sent - 99, 100);
        }

        Assert.InRange(BytesPerSecond(), 4_700_000, 5_300_000);
    }

    [Fact]
    public void What_left_before_the_rate_fell_does_not_lower_it_again()
    {
        Send(Lossy, 1_000);
        Lose(Lossy, 1, 249, 500);
        Lose(Lossy, 501, 500);
        Assert.InRange(BytesPerSecond(), Rate * 7 / 16 * 95 / 100, Rate * 7 / 16 * 105 / 100);
    }

    [Fact]
    public void It_rises_while_it_holds_repairs_up_and_none_is_lost()
    {
        Send(Lossy, 1_000);
        Lose(Lossy, 1, 1_000);
        long before = BytesPerSecond();
        SentIn(Lossy, int.MaxValue, 300 * MillisecondNs);
        // Six rounds of 50 ms: (9/8)^6.
        Assert.InRange(BytesPerSecond(), before * 3 / 2, before * 5 / 2);
    }

    [Fact]
    public void A_second_without_repairs_forgets_it()
    {
        Send(Lossy, 1_000);
        Lose(Lossy, 1, 1_000);
        _nowNs += 1_100 * MillisecondNs;
        Assert.Equal(1_000, SentIn(Lossy, 1_000, 0));
        Assert.Equal(1_001UL, Send(Lossy, 1));
    }

    [Fact]
    public void Members_beyond_the_room_are_not_paced_until_there_is_some()
    {
        for (ushort port = 1; port <= RepairPaces.MembersMax; port++)
        {
            Assert.Equal(1UL, _paces.OnSent(NodeAddress.FromIPv4(9, port), RepairBytes, _nowNs));
        }

        Assert.Equal(0UL, _paces.OnSent(Lossy, RepairBytes, _nowNs));
        _nowNs += 1_100 * MillisecondNs;
        Assert.Equal(1UL, _paces.OnSent(Lossy, RepairBytes, _nowNs));
    }

    [Fact]
    public void Who_is_closed_says_when_it_opens()
    {
        Send(Lossy, 1_000);
        Lose(Lossy, 1, 1_000);
        SentIn(Lossy, int.MaxValue, 0);
        long opensAtNs = long.MaxValue;
        Assert.False(_paces.IsOpen(Lossy, _nowNs, ref opensAtNs));
        Assert.InRange(opensAtNs, _nowNs + 1, _nowNs + (10 * MillisecondNs));
        _nowNs = opensAtNs;
        Assert.True(_paces.IsOpen(Lossy, _nowNs, ref opensAtNs));
    }

    /// <summary>The number of the last.</summary>
    private ulong Send(NodeAddress member, int count)
    {
        ulong number = 0;
        for (int i = 0; i < count; i++)
        {
            number = _paces.OnSent(member, RepairBytes, _nowNs);
        }

        return number;
    }

    private void Lose(NodeAddress member, ulong first, int count, int last = 0)
    {
        LostRepairs lost = default;
        long sentNs = _nowNs;
        for (int i = 0; i < count; i++)
        {
            lost.Add(first + (ulong)i, sentNs);
        }

        if (last > 0)
        {
            lost.Add((ulong)last, sentNs);
        }

        _nowNs += DelayNs;
        _paces.OnLost(member, lost, Rate, _nowNs);
    }

    /// <summary>How many repairs leave in a time, each as soon as it may.</summary>
    private int SentIn(NodeAddress member, int most, long durationNs)
    {
        int sent = 0;
        long endNs = _nowNs + durationNs;
        while (sent < most)
        {
            long opensAtNs = long.MaxValue;
            if (_paces.IsOpen(member, _nowNs, ref opensAtNs))
            {
                _paces.OnSent(member, RepairBytes, _nowNs);
                sent++;
            }
            else if (opensAtNs > endNs)
            {
                break;
            }
            else
            {
                _nowNs = opensAtNs;
            }
        }

        _nowNs = Math.Max(_nowNs, endNs);
        return sent;
    }

    /// <summary>The rate, measured in 20 ms behind what may leave at once.</summary>
    private long BytesPerSecond()
    {
        SentIn(Lossy, int.MaxValue, 0);
        return SentIn(Lossy, int.MaxValue, 20 * MillisecondNs) * RepairBytes * 50L;
    }
}
