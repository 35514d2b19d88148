using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Tests.Caching;

public sealed class CacheOwnersTests
{
    private const int Owners = 5;
    private const int Blocks = 2_000;

    [Theory]
    [InlineData(10, 1)]
    [InlineData(23, 2)]
    [InlineData(32, 2)]
    [InlineData(50, 4)]
    [InlineData(60, 5)]
    [InlineData(333, 21)]
    [InlineData(2_400, 150)]
    public void Each_neighbourhood_has_one_owner_of_a_block_and_each_member_has_its_share(int members, int neighbourhoods)
    {
        CacheOwners[] all = Region(members);
        int[] owned = new int[members];
        for (ulong block = 0; block < Blocks; block++)
        {
            int count = 0;
            for (int i = 0; i < members; i++)
            {
                bool isOwner = all[i].IsOwner(block);
                owned[i] += isOwner ? 1 : 0;
                count += isOwner ? 1 : 0;
            }

            Assert.Equal(neighbourhoods, count);
        }

        // Neighbourhoods differ by one member, and six deviations of a binomial distribution.
        double most = Blocks / Math.Floor((double)members / neighbourhoods);
        double least = Blocks / Math.Ceiling((double)members / neighbourhoods);
        Assert.All(owned, o => Assert.InRange(o, least - (6 * Math.Sqrt(least)), most + (6 * Math.Sqrt(most))));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(50)]
    [InlineData(333)]
    [InlineData(2_400)]
    public void Who_asks_is_sent_to_the_owner_in_its_neighbourhood_and_speaks_to_few_others_in_all(int members)
    {
        CacheOwners[] all = Region(members);
        var spokenTo = new HashSet<NodeAddress>[members];
        for (ulong block = 0; block < 300; block++)
        {
            for (int i = 0; i < members; i++)
            {
                spokenTo[i] ??= [];
                if (all[i].TryChoose(block, out NodeAddress address))
                {
                    Assert.True(all[(int)address.Low - 1].IsOwner(block));
                    Assert.InRange((int)address.Low - 1, i - CacheOwners.NeighboursMax, i + CacheOwners.NeighboursMax);
                    spokenTo[i].Add(address);
                }
            }
        }

        Assert.All(spokenTo, s => Assert.InRange(s.Count, 1, CacheOwners.NeighboursMax - 1));
    }

    [Fact]
    public void An_owner_asks_the_sender()
    {
        CacheOwners[] all = Region(50);
        for (ulong block = 0; block < 200; block++)
        {
            Assert.All(all, o => Assert.NotEqual(o.IsOwner(block), o.TryChoose(block, out _)));
        }
    }

    [Fact]
    public void Who_comes_takes_over_its_share_of_blocks_and_most_stay_where_they_are()
    {
        CacheOwners[] before = Region(50);
        CacheOwners[] after = Region(51);
        int stayed = 0;
        for (ulong block = 0; block < Blocks; block++)
        {
            stayed += Enumerable.Range(0, 50).Count(i => before[i].IsOwner(block) && after[i].IsOwner(block));
        }

        Assert.InRange(stayed, Blocks * 4 * 3 / 4, Blocks * 4);
    }

    [Theory]
    [InlineData(9, 5)]
    [InlineData(1, 1)]
    [InlineData(50, 0)]
    public void Where_few_members_are_or_the_host_wants_none_nobody_keeps_anything(int members, int owners)
    {
        CacheOwners[] all = Region(members, owners);
        for (ulong block = 0; block < 200; block++)
        {
            Assert.All(all, o => Assert.False(o.IsOwner(block) || o.TryChoose(block, out _)));
        }
    }

    [Fact]
    public void Who_is_not_in_the_view_yet_keeps_nothing_and_asks_the_sender()
    {
        var joiner = new CacheOwners(1_000);
        joiner.OnView(View(20));
        joiner.SetCount(Owners);
        for (ulong block = 0; block < 200; block++)
        {
            Assert.False(joiner.IsOwner(block) || joiner.TryChoose(block, out _));
        }
    }

    private static CacheOwners[] Region(int members, int owners = Owners)
    {
        RegionView view = View(members);
        return [.. view.Members.Select(m =>
        {
            var own = new CacheOwners(m.Slot);
            own.SetCount(owners);
            own.OnView(view);
            return own;
        })];
    }

    private static RegionView View(int members) => new(
        1,
        new ViewNumber(1, 1),
        Enumerable.Range(1, members).Select(i => new RegionMember((uint)i, new NodeId(0, (ulong)i), (ulong)i, default, Control((uint)i))));

    private static NodeAddress Control(uint slot) => NodeAddress.FromIPv4(slot, 7);
}
