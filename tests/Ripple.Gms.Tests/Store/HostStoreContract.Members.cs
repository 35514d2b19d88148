using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <content>Who was a member at which release.</content>
public abstract partial class HostStoreContract
{
    [Fact]
    public void Members_are_there_after_opening_again_with_the_releases_they_are_waited_for()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        using (IHostStore store = Open())
        {
            CreateShop(store);
            Must(store, new()
            {
                Releases = [Next(ref shop, 1, null, [("a", "1")])],
                Members = [new MembershipChange(1, [], [Member(2, 1), Member(1, 1)], 0)],
            });
            Must(store, new()
            {
                Releases = [Next(ref shop, 1, null, [("a", "2")])],
                // It comes back somewhere else: another range.
                Members = [new MembershipChange(1, [(Member(1, 1).Node, 1)], [Member(1, 2, "west"), Member(3, 2)], 0)],
            });
        }

        using IHostStore again = Open();
        StoredApplication application = again.Load().Applications[0];
        Assert.Equal(1UL, application.MembersFrom);
        StoredMember[] expected = [Member(1, 1) with { LastRelease = 1 }, Member(1, 2, "west"), Member(2, 1), Member(3, 2)];
        Assert.Equal(expected.Length, application.Members.Count);
        for (int i = 0; i < expected.Length; i++)
        {
            StoredMember member = application.Members[i];
            Assert.True(expected[i].IsSame(member), member.ToString());
            Assert.Equal((expected[i].FirstRelease, expected[i].LastRelease), (member.FirstRelease, member.LastRelease));
        }
    }

    [Fact]
    public void Members_of_forgotten_releases_are_gone_and_those_of_later_ones_stay()
    {
        using (IHostStore store = Open())
        {
            CreateShop(store);
            Must(store, new() { Members = [new MembershipChange(1, [], [Member(1, 1), Member(2, 1), Member(3, 1)], 0)] });
            Must(store, new() { Members = [new MembershipChange(1, [(Member(1, 1).Node, 4), (Member(2, 1).Node, 5)], [], 0)] });
            Must(store, new() { Members = [new MembershipChange(1, [], [], 5)] });
            // It does not go back.
            Must(store, new() { Members = [new MembershipChange(1, [], [], 3)] });
        }

        using IHostStore again = Open();
        StoredApplication application = again.Load().Applications[0];
        Assert.Equal(5UL, application.MembersFrom);
        Assert.Equal([2UL, 3UL], application.Members.Select(m => m.Node.High));
    }

    [Fact]
    public void A_change_of_members_is_all_or_none_with_its_release()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        using IHostStore store = Open();
        CreateShop(store);
        StoredRelease first = Next(ref shop, 1, null, [("a", "1")]);
        Refused(
            store,
            new() { Releases = [first], Members = [new MembershipChange(1, [(new NodeId(9, 9), 1)], [Member(1, 1)], 0)] },
            "is no member of the application with topic 1 at release 1");
        StoredApplication application = store.Load().Applications[0];
        Assert.Null(application.Newest);
        Assert.Empty(application.Members);
        Must(store, new() { Releases = [first], Members = [new MembershipChange(1, [], [Member(1, 1)], 0)] });
        StoredRelease wrong = Next(ref shop, 1, null, [("a", "2")]);
        Refused(
            store,
            new() { Releases = [wrong, wrong], Members = [new MembershipChange(1, [], [Member(2, 2)], 0)] },
            "Append releases in order");
        Assert.Single(store.Load().Applications[0].Members);
    }

    [Fact]
    public void Who_joins_and_leaves_between_two_releases_leaves_nothing()
    {
        using (IHostStore store = Open())
        {
            CreateShop(store);
            Must(store, new() { Members = [new MembershipChange(1, [], [Member(1, 1), Member(2, 1)], 0)] });
            Must(store, new() { Members = [new MembershipChange(1, [(Member(1, 1).Node, 0)], [], 0)] });
            Must(store, new() { Members = [new MembershipChange(1, [(Member(2, 1).Node, 0)], [Member(1, 1), Member(2, 1)], 0)] });
            Must(store, new() { Members = [new MembershipChange(1, [(Member(2, 1).Node, 1)], [Member(2, 2)], 0)] });
            Must(store, new() { Members = [new MembershipChange(1, [(Member(2, 2).Node, 1)], [], 0)] });
        }

        using IHostStore again = Open();
        Assert.Equal(
            [(1UL, 1UL, null), (2UL, 1UL, 1UL)],
            again.Load().Applications[0].Members.Select(m => (m.Node.High, m.FirstRelease, m.LastRelease)));
    }

    [Fact]
    public void Who_is_a_member_does_not_join_and_who_is_none_does_not_leave()
    {
        using IHostStore store = Open();
        CreateShop(store);
        Must(store, new() { Members = [new MembershipChange(1, [], [Member(1, 3)], 0)] });
        Refused(store, new() { Members = [new MembershipChange(1, [], [Member(1, 4)], 0)] }, "already at release 4");
        Refused(store, new() { Members = [new MembershipChange(1, [(Member(1, 3).Node, 1)], [], 0)] }, "no member");
        Refused(store, new() { Members = [new MembershipChange(2, [], [Member(1, 3)], 0)] }, "");
        Refused(store, new() { Members = [new MembershipChange(1, [], [Member(2, 0)], 0)] }, "Releases count from 1");
        Refused(store, new() { Members = [new MembershipChange(1, [], [Member(2, 1) with { LastRelease = 2 }], 0)] }, "Let it leave later");
        Must(store, new() { Members = [new MembershipChange(1, [(Member(1, 3).Node, 5)], [], 0)] });
        Refused(store, new() { Members = [new MembershipChange(1, [], [Member(1, 5)], 0)] }, "already at release 5");
        Must(store, new() { Members = [new MembershipChange(1, [], [Member(1, 6)], 0)] });
    }
}
