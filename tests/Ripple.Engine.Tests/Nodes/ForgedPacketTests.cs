using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Packets of those who may not send them: refused, counted by name, without effect. And the region goes on.</summary>
public sealed class ForgedPacketTests
{
    [Fact]
    public void Garbage_is_no_packet()
    {
        var world = new ForgeryWorld();
        long before = world.Victim.Counters.DatagramsRefusedAs(OpenStatus.BadHeader);

        world.SendToVictim([1, 2, 3]);
        world.SendToVictim(new byte[600]);

        Assert.Equal(before + 2, world.Victim.Counters.DatagramsRefusedAs(OpenStatus.BadHeader));
        Goes_on(world);
    }

    [Fact]
    public void Packet_of_another_region_is_refused()
    {
        var world = new ForgeryWorld();
        byte[] packet = world.Seal(
            world.VictimAccepted.View.RegionId + 1, world.VictimAccepted.KeyEpoch, world.VictimAccepted.Key.Span, 0, world.ForgedRelease());

        world.SendToVictim(packet);
        world.SendToHost(packet);

        Assert.Equal(1, world.Victim.Counters.DatagramsRefusedAs(OpenStatus.WrongRegion));
        Assert.True(world.Host.Counters.DatagramsRefused > 0);
        Goes_on(world);
    }

    [Fact]
    public void Packet_sealed_with_another_key_is_forged()
    {
        var world = new ForgeryWorld();
        byte[] packet = world.Seal(
            world.VictimAccepted.View.RegionId, world.VictimAccepted.KeyEpoch, new byte[RegionKey.KeyBytes], 0, world.ForgedRelease());

        world.SendToVictim(packet);

        Assert.Equal(1, world.Victim.Counters.DatagramsRefusedAs(OpenStatus.Forged));
        Goes_on(world);
    }

    [Fact]
    public void Packet_under_an_old_key_is_refused_when_its_time_is_over()
    {
        // Keys change every ten seconds here; the members hear of each by their links.
        var world = new ForgeryWorld(new GmsOptions { KeyLifetimeNs = 10_000_000_000 });
        byte[] packet = world.Seal(
            world.VictimAccepted.View.RegionId, world.VictimAccepted.KeyEpoch, world.VictimAccepted.Key.Span, 0, world.ForgedRelease());
        byte[] late = [.. packet];
        for (int i = 0; i < 14; i++)
        {
            world.Run();
        }

        long Refused() => world.Victim.Counters.DatagramsRefusedAs(OpenStatus.ExpiredKey)
            + world.Victim.Counters.DatagramsRefusedAs(OpenStatus.UnknownKey);
        long before = Refused();
        world.SendToVictim(late);

        Assert.Equal(before + 1, Refused());
        Goes_on(world);
    }

    [Fact]
    public void Packet_of_a_slot_in_no_view_is_refused()
    {
        var world = new ForgeryWorld();
        byte[] packet = world.Seal(
            world.VictimAccepted.View.RegionId,
            world.VictimAccepted.KeyEpoch,
            world.VictimAccepted.Key.Span,
            4_000_000,
            world.ForgedRelease());

        world.SendToVictim(packet);

        Assert.Equal(1, world.Victim.Counters.DatagramsRefusedAs(OpenStatus.UnknownSlot));
        Goes_on(world);
    }

    [Fact]
    public void Member_that_sends_data_in_its_own_name_is_blamed()
    {
        var world = new ForgeryWorld();
        byte[] packet = world.Seal(
            world.TraitorAccepted.View.RegionId,
            world.TraitorAccepted.KeyEpoch,
            world.TraitorAccepted.Key.Span,
            world.TraitorAccepted.Slot,
            world.ForgedRelease());

        world.SendToVictim(packet);

        Assert.Equal(1, world.Victim.Counters.RefusedByMember[world.Traitor]);
        Goes_on(world);
    }

    [Fact]
    public void Release_forged_in_the_name_of_the_host_with_the_key_of_the_region_takes_no_effect()
    {
        var world = new ForgeryWorld();
        byte[] packet = world.Seal(
            world.VictimAccepted.View.RegionId, world.VictimAccepted.KeyEpoch, world.VictimAccepted.Key.Span, 0, world.ForgedRelease());

        world.SendToVictim(packet);

        Assert.Equal(1, world.Victim.Counters.Forged);
        Assert.Equal(0, world.Victim.Counters.DatagramsRefused);
        Goes_on(world);
    }

    /// <summary>What was in effect still is, and the next release of the host comes everywhere.</summary>
    private static void Goes_on(ForgeryWorld world)
    {
        ReleaseHeader before = world.Newest;
        Assert.Equal("honest", before.Note);
        Assert.Equal(8, world.Replica.Applied.Values["key"].Length);

        world.Publish();
        for (int i = 0; i < 5; i++)
        {
            world.Run();
        }

        Assert.Equal(before.Release + 1, world.Newest.Release);
        Assert.Equal("honest", world.Newest.Note);
        Assert.All(world.Members, m => Assert.Equal(world.Newest.Id, m.Node!.Find(ForgeryWorld.Application)!.Applied.Keys.Id));
        Assert.Equal(world.Newest.Id, world.Host.Applications.Single(a => a.Name == ForgeryWorld.Application).Committed.Id);
    }
}
