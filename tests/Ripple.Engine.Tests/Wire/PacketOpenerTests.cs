using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

public sealed class PacketOpenerTests
{
    [Fact]
    public void Strangers_are_refused_by_name()
    {
        using RegionKey key = Sealing.Key(1);
        using RegionKey otherRegions = Sealing.Key(1);
        using RegionKey newer = Sealing.Key(2);
        using var guessed = new RegionKey(1, new byte[16]);
        using PacketOpener opener = Sealing.Opener(1, 7);

        Assert.Equal(OpenStatus.BadHeader, Sealing.Open(opener, []));
        Assert.Equal(
            OpenStatus.WrongRegion, Sealing.Open(opener, Sealing.Seal(new PacketSealer(99, otherRegions, 7), PacketClass.Data, 1)));
        Assert.Equal(
            OpenStatus.UnknownKey, Sealing.Open(opener, Sealing.Seal(new PacketSealer(Sealing.RegionId, newer, 7), PacketClass.Data, 1)));
        Assert.Equal(
            OpenStatus.UnknownSlot, Sealing.Open(opener, Sealing.Seal(new PacketSealer(Sealing.RegionId, key, 8), PacketClass.Data, 1)));
        Assert.Equal(
            OpenStatus.Forged, Sealing.Open(opener, Sealing.Seal(new PacketSealer(Sealing.RegionId, guessed, 7), PacketClass.Data, 1)));
        foreach (OpenStatus status in Enum.GetValues<OpenStatus>())
        {
            bool expected = status is not (OpenStatus.Ok or OpenStatus.Replay or OpenStatus.ExpiredKey);
            Assert.Equal(expected ? 1 : 0, opener.CountOf(status));
        }
    }

    [Fact]
    public void An_old_key_is_taken_for_two_seconds()
    {
        using RegionKey oldKey = Sealing.Key(1);
        using RegionKey newKey = Sealing.Key(2);
        using PacketOpener opener = Sealing.Opener(1, 7);
        var oldSealer = new PacketSealer(Sealing.RegionId, oldKey, 7);
        var newSealer = new PacketSealer(Sealing.RegionId, newKey, 7);
        byte[] heard = Sealing.Seal(oldSealer, PacketClass.Data, 1);
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, heard));

        const long changedNs = 10_000_000_000;
        Assert.True(opener.TryAddKey(Sealing.Key(2), changedNs));
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, Sealing.Seal(newSealer, PacketClass.Data, 1), changedNs));
        Assert.Equal(
            OpenStatus.Ok, Sealing.Open(opener, Sealing.Seal(oldSealer, PacketClass.Data, 2), changedNs + PacketOpener.OldKeyNs - 1));
        Assert.Equal(OpenStatus.Replay, Sealing.Open(opener, heard, changedNs + 1));
        Assert.Equal(
            OpenStatus.ExpiredKey, Sealing.Open(opener, Sealing.Seal(oldSealer, PacketClass.Data, 3), changedNs + PacketOpener.OldKeyNs));
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, Sealing.Seal(newSealer, PacketClass.Data, 2), changedNs + PacketOpener.OldKeyNs));
    }

    [Fact]
    public void Only_two_keys_are_good_at_a_time()
    {
        using RegionKey first = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7);
        var sealer = new PacketSealer(Sealing.RegionId, first, 7);
        Assert.True(opener.TryAddKey(Sealing.Key(2), 1));
        Assert.True(opener.TryAddKey(Sealing.Key(3), 2));

        Assert.Equal(OpenStatus.UnknownKey, Sealing.Open(opener, Sealing.Seal(sealer, PacketClass.Data, 1), 3));
    }

    [Fact]
    public void A_key_that_is_not_newer_is_not_taken()
    {
        using PacketOpener opener = Sealing.Opener(5, 7);
        using RegionKey key = Sealing.Key(5);
        byte[] packet = Sealing.Seal(new PacketSealer(Sealing.RegionId, key, 7), PacketClass.Data, 1);
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, packet));
        Assert.False(opener.TryAddKey(Sealing.Key(5), 0));
        Assert.False(opener.TryAddKey(Sealing.Key(4), 0));
        Assert.Equal(OpenStatus.Replay, Sealing.Open(opener, packet));
    }

    [Fact]
    public void Windows_survive_many_key_changes_apart()
    {
        using PacketOpener opener = Sealing.Opener(1, 7);
        using RegionKey firstKey = Sealing.Key(1);
        var sealers = new List<PacketSealer> { new(Sealing.RegionId, firstKey, 7) };
        var keys = new List<RegionKey>();
        for (uint epoch = 2; epoch < 12; epoch++)
        {
            Assert.True(opener.TryAddKey(Sealing.Key(epoch), 0));
            keys.Add(Sealing.Key(epoch));
            sealers.Add(new PacketSealer(Sealing.RegionId, keys[^1], 7));
            foreach (PacketSealer sealer in sealers.TakeLast(2))
            {
                byte[] packet = Sealing.Seal(sealer, PacketClass.Data, 1);
                Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, packet));
                Assert.Equal(OpenStatus.Replay, Sealing.Open(opener, packet));
            }
        }

        keys.ForEach(key => key.Dispose());
    }

    [Fact]
    public void A_removed_slot_is_refused_under_any_key_even_when_its_number_is_given_anew()
    {
        using RegionKey oldKey = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7, 8);
        var removed = new PacketSealer(Sealing.RegionId, oldKey, 7);
        Assert.True(opener.TryAddKey(Sealing.Key(2), 0));
        opener.RemoveSlot(7);
        Assert.Equal(OpenStatus.UnknownSlot, Sealing.Open(opener, Sealing.Seal(removed, PacketClass.Data, 1), 1));

        opener.AllowSlot(7);
        Assert.Equal(OpenStatus.UnknownSlot, Sealing.Open(opener, Sealing.Seal(removed, PacketClass.Data, 1), 1));
        using RegionKey newKey = Sealing.Key(2);
        Assert.Equal(
            OpenStatus.Ok, Sealing.Open(opener, Sealing.Seal(new PacketSealer(Sealing.RegionId, newKey, 7), PacketClass.Data, 1), 1));
    }

    [Fact]
    public void A_removed_slot_is_refused_even_when_it_was_the_last_one_heard()
    {
        using RegionKey key = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7, 8);
        var last = new PacketSealer(Sealing.RegionId, key, 7);
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, Sealing.Seal(last, PacketClass.Data, 1)));

        opener.RemoveSlot(7);

        Assert.Equal(OpenStatus.UnknownSlot, Sealing.Open(opener, Sealing.Seal(last, PacketClass.Data, 2)));
    }

    [Fact]
    public void Another_slot_that_is_removed_leaves_the_last_one_heard_alone()
    {
        using RegionKey key = Sealing.Key(1);
        using PacketOpener opener = Sealing.Opener(1, 7, 8);
        var last = new PacketSealer(Sealing.RegionId, key, 7);
        byte[] heard = Sealing.Seal(last, PacketClass.Data, 1);
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, heard));

        opener.RemoveSlot(8);

        Assert.Equal(OpenStatus.Replay, Sealing.Open(opener, heard));
        Assert.Equal(OpenStatus.Ok, Sealing.Open(opener, Sealing.Seal(last, PacketClass.Data, 2)));
    }
}
