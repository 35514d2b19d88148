using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

/// <summary>Somebody with the key counts ahead in another's name: what is genuine is refused, which has to be noticed.</summary>
public sealed class RefusedRunTests
{
    private const long SecondNs = 1_000_000_000;
    private readonly PacketOpener _opener = Sealing.Opener(1, 7, 8);
    private readonly PacketSealer _honest = new(Sealing.RegionId, Sealing.Key(1), 7);
    private readonly List<uint> _deaf = [];

    public RefusedRunTests() => _opener.OnDeaf = _deaf.Add;

    [Fact]
    public void A_number_too_far_ahead_is_refused_and_the_first_of_a_window_may_be_any()
    {
        var window = new ReplayWindow();
        Assert.True(window.IsFresh(1UL << 50));
        window.Mark(10);
        Assert.True(window.IsFresh(10 + ReplayWindow.LeapMax));
        Assert.False(window.IsFresh(11 + ReplayWindow.LeapMax));
        window.Clear();
        Assert.True(window.IsFresh(1UL << 50));
    }

    [Fact]
    public void A_sealer_that_is_refused_for_two_seconds_is_noticed_by_its_slot()
    {
        Poison(1UL << 19);
        Assert.Equal(OpenStatus.Replay, Send(SecondNs));
        Assert.Equal(OpenStatus.Replay, Send(1_500_000_000));
        Assert.Equal(OpenStatus.Replay, Send(1_600_000_000));
        Assert.Equal(OpenStatus.Replay, Send(2 * SecondNs));
        Assert.Equal(OpenStatus.Replay, Send(2_500_000_000));
        Assert.Empty(_deaf);

        Assert.Equal(OpenStatus.Replay, Send(3 * SecondNs));
        Assert.Equal([7u], _deaf);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(200)]
    public void Whoever_goes_on_sending_in_anothers_name_does_not_hide_that_it_is_refused(int forgedPerGenuine)
    {
        ulong number = 1UL << 19;
        Poison(number);
        for (int i = 0; i < 8; i++)
        {
            Assert.Equal(OpenStatus.Replay, Send(i * SecondNs / 2));
            for (int k = 0; k < forgedPerGenuine; k++)
            {
                Assert.Equal(OpenStatus.Ok, Sealing.Open(_opener, Forged(++number), i * SecondNs / 2));
            }
        }

        Assert.Equal([7u], _deaf);
    }

    [Fact]
    public void Whoever_shows_packets_that_are_refused_does_not_hide_that_others_are()
    {
        Poison(1UL << 19);
        for (int i = 0; i < 5; i++)
        {
            long nowNs = i * SecondNs / 2;
            Assert.Equal(OpenStatus.Replay, Sealing.Open(_opener, Forged((1UL << 18) - (ulong)i), nowNs));
            Assert.Equal(OpenStatus.Replay, Send(nowNs));
        }

        Assert.Equal([7u], _deaf);
    }

    [Fact]
    public void A_sealer_that_sends_four_packets_a_minute_is_noticed()
    {
        Poison(1UL << 19);
        for (int i = 0; i < 4; i++)
        {
            Assert.Empty(_deaf);
            Assert.Equal(OpenStatus.Replay, Send(i * 19 * SecondNs));
        }

        Assert.Equal([7u], _deaf);
    }

    [Fact]
    public void What_one_delay_has_made_late_says_nothing()
    {
        byte[][] late = [.. Enumerable.Range(0, 100).Select(_ => Sealing.Seal(_honest, PacketClass.Data, 1))];
        for (int i = 0; i < 2 * ReplayWindow.Size; i++)
        {
            Assert.Equal(OpenStatus.Ok, Send(0));
        }

        foreach (byte[] packet in late)
        {
            Assert.Equal(OpenStatus.Replay, Sealing.Open(_opener, packet, SecondNs));
        }

        Assert.Equal(OpenStatus.Ok, Send(4 * SecondNs));
        Assert.Empty(_deaf);
    }

    [Fact]
    public void A_new_key_is_heard_again()
    {
        Poison(1UL << 19);
        Assert.Equal(OpenStatus.Replay, Send(SecondNs));
        Assert.True(_opener.TryAddKey(Sealing.Key(2), SecondNs));
        var again = new PacketSealer(Sealing.RegionId, Sealing.Key(2), 7);
        Assert.Equal(OpenStatus.Ok, Sealing.Open(_opener, Sealing.Seal(again, PacketClass.Data, 1), SecondNs));
    }

    [Fact]
    public void What_is_not_genuine_says_nothing()
    {
        Poison(1UL << 19);
        using var guessed = new RegionKey(1, new byte[16]);
        var stranger = new PacketSealer(Sealing.RegionId, guessed, 7);
        for (long nowNs = 0; nowNs < 10 * SecondNs; nowNs += SecondNs / 10)
        {
            Sealing.Open(_opener, Sealing.Seal(stranger, PacketClass.Data, 1), nowNs);
        }

        Assert.Empty(_deaf);
    }

    [Fact]
    public void Repetitions_say_nothing()
    {
        byte[] late = Sealing.Seal(_honest, PacketClass.Data, 1);
        byte[] once = Sealing.Seal(_honest, PacketClass.Data, 1);
        for (int i = 0; i < 3_000; i++)
        {
            long nowNs = i * 10_000_000L;
            Assert.Equal(OpenStatus.Ok, Sealing.Open(_opener, once, nowNs));
            Assert.Equal(OpenStatus.Replay, Sealing.Open(_opener, once, nowNs));
            if (i > ReplayWindow.Size && i % 20 == 0)
            {
                Assert.Equal(OpenStatus.Replay, Sealing.Open(_opener, late, nowNs));
            }

            once = Sealing.Seal(_honest, PacketClass.Data, 1);
        }

        Assert.Empty(_deaf);
    }

    [Fact]
    public void Refusals_with_long_pauses_between_them_are_no_run()
    {
        Poison(1UL << 19);
        for (int i = 1; i < 20; i++)
        {
            Send(i * 21 * SecondNs);
        }

        Assert.Empty(_deaf);
    }

    private void Poison(ulong number)
    {
        Assert.Equal(OpenStatus.Ok, Send(0));
        Assert.Equal(OpenStatus.Ok, Sealing.Open(_opener, Forged(number)));
    }

    private static byte[] Forged(ulong number)
    {
        byte[] packet = new byte[PacketHeader.Size + 1 + PacketHeader.TagSize];
        ulong counter = number | ((ulong)PacketClass.Data << PacketHeader.ClassShift);
        var header = new PacketHeader(PacketClass.Data, packet.Length, 1, Sealing.RegionId, 7, counter);
        header.Write(packet);
        using RegionKey key = Sealing.Key(1);
        key.Seal(header, packet);
        return packet;
    }

    private OpenStatus Send(long nowNs) => Sealing.Open(_opener, Sealing.Seal(_honest, PacketClass.Data, 1), nowNs);
}
