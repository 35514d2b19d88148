using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Tests.Caching;

public sealed class CacheOwnersTests
{
    private const int Owners = 5;
    private const int Blocks = 2_000;

    [Theory]
    [InlineData(10)]
    [InlineData(50)]
    [InlineData(333)]
    public void Each_block_has_as_many_owners_as_the_host_says_and_each_member_has_its_share(int members)
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

            Assert.Equal(Owners, count);
        }

        // Six deviations of a binomial distribution.
        double mean = Blocks * (double)Owners / members;
        double deviation = Math.Sqrt(mean * (1 - ((double)Owners / members)));
        Assert.All(owned, o => Assert.InRange(o, mean - (6 * deviation), mean + (6 * deviation)));
    }

    [Fact]
    public void Who_asks_is_sent_to_one_of_the_owners_and_askers_spread_over_all_of_them()
    {
        CacheOwners[] all = Region(50);
        for (ulong block = 0; block < 200; block++)
        {
            HashSet<NodeAddress> owners = [.. Enumerable.Range(0, 50).Where(i => all[i].IsOwner(block)).Select(i => Control((uint)i + 1))];
            int[] asked = [.. all.Where(o => !o.IsOwner(block)).Select(o =>
            {
                Assert.True(o.TryChoose(block, out NodeAddress address));
                return Assert.Single(owners, a => a == address).Low;
            }).GroupBy(a => a).Select(g => g.Count())];
            Assert.Equal(Owners, asked.Length);
            Assert.InRange(asked.Max(), 9, 25);
        }
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
    public void Who_comes_takes_over_its_share_of_blocks_and_no_other_changes_owners()
    {
        CacheOwners[] before = Region(50);
        CacheOwners[] after = Region(51);
        int changed = 0;
        for (ulong block = 0; block < Blocks; block++)
        {
            int[] lost = [.. Enumerable.Range(0, 50).Where(i => before[i].IsOwner(block) && !after[i].IsOwner(block))];
            int[] gained = [.. Enumerable.Range(0, 50).Where(i => !before[i].IsOwner(block) && after[i].IsOwner(block))];
            Assert.Empty(gained);
            Assert.Equal(after[50].IsOwner(block) ? 1 : 0, lost.Length);
            changed += lost.Length;
        }

        Assert.InRange(changed, Blocks * Owners / 51 / 2, Blocks * Owners / 51 * 2);
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
    public void Who_is_not_in_the_view_yet_keeps_nothing_and_may_ask()
    {
        var joiner = new CacheOwners(1_000);
        joiner.OnView(View(20));
        joiner.SetCount(Owners);
        for (ulong block = 0; block < 200; block++)
        {
            Assert.False(joiner.IsOwner(block));
            Assert.True(joiner.TryChoose(block, out _));
        }
    }

    [Fact]
    public void More_owners_than_are_possible_are_as_many_as_are_possible()
    {
        CacheOwners[] all = Region(64, ushort.MaxValue);
        Assert.Equal(CacheOwners.OwnersMax, all.Count(o => o.IsOwner(7)));
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
