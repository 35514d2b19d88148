using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>Whom a release is waited for, after the host started again.</summary>
public sealed class ReleaseMembersTests
{
    private const string All = "MIN($ALL.applied)";
    private const byte Held = 0;
    private const byte CannotHold = 1;
    private HostRig _rig = new();

    [Fact]
    public void Those_who_did_not_come_back_are_waited_for_until_they_have_had_time_to()
    {
        NodeRig first = _rig.Join(1);
        _rig.Join(2);
        _rig.Publish();
        _rig.Restart();
        first = _rig.Join(1);
        Ask(first, 1, All);
        Applied(first, 1);
        _rig.RunAlive(28 * HostRig.SecondNs, first);
        Assert.Equal(new WaitProgress(1, 1, 2, 1), first.All<WaitProgress>().Last());
        Assert.Empty(first.All<WaitResult>());
        _rig.RunAlive(3 * HostRig.SecondNs, first);
        WaitResult result = first.Only<WaitResult>();
        Assert.Equal((ErrorCode.None, Held, 1u), (result.Code, result.Outcome, result.Total));
        Assert.Equal(new WaitMember(HostRig.NodeOf(2), "node-2", 0, "failed"), Assert.Single(result.Discounted));
    }

    [Fact]
    public void A_release_that_is_published_before_all_are_back_is_waited_for_with_all()
    {
        _rig.Join(1);
        _rig.Join(2);
        _rig.Publish();
        _rig.Restart();
        NodeRig first = _rig.Join(1);
        _rig.Publish();
        Applied(first, 2);
        Ask(first, 2, All);
        Assert.Equal(new WaitProgress(1, 1, 2, 1), first.Only<WaitProgress>());
        NodeRig second = _rig.Join(2);
        Applied(second, 2);
        Assert.Equal((Held, 2u), (first.Only<WaitResult>().Outcome, first.Only<WaitResult>().Total));
    }

    [Fact]
    public void Who_joined_after_the_newest_release_is_waited_for_with_the_next_over_a_restart()
    {
        _rig.Join(1);
        _rig.Publish();
        _rig.Join(2);
        _rig.Run(HostRig.SecondNs);
        _rig.Restart();
        _rig.Publish();
        NodeRig asker = _rig.Join(3);
        Ask(asker, 2, All);
        Assert.Equal(new WaitProgress(1, 0, 2, 1), asker.Only<WaitProgress>());
        Applied(_rig.Join(2), 2);
        Assert.Empty(asker.All<WaitResult>());
        Applied(_rig.Join(1), 2);
        Assert.Equal((Held, 2u), (asker.Only<WaitResult>().Outcome, asker.Only<WaitResult>().Total));
        // The release before was not for who came behind it.
        Ask(asker, 1, All, call: 2);
        Assert.Equal(1u, asker.All<WaitResult>().Single(r => r.Call == 2).Total);
    }

    [Fact]
    public void Who_left_after_the_newest_release_is_not_waited_for_with_the_next_over_a_restart()
    {
        _rig.Join(1);
        NodeRig second = _rig.Join(2);
        _rig.Publish();
        NodeRig third = _rig.Join(3);
        _rig.Run(HostRig.SecondNs);
        second.Send(new Leave("enough"));
        third.Send(new Leave("enough"));
        _rig.Run(HostRig.SecondNs);
        _rig.Restart();
        _rig.Publish();
        NodeRig first = _rig.Join(1);
        Applied(first, 2);
        Ask(first, 2, All);
        Assert.Equal((Held, 1u), (first.Only<WaitResult>().Outcome, first.Only<WaitResult>().Total));
        Assert.Empty(first.Only<WaitResult>().Discounted);
        // The one that came and went between two releases left no trace.
        Assert.DoesNotContain(_rig.StoredMembers, m => m.Node == HostRig.NodeOf(3));
    }

    [Fact]
    public void Members_that_did_not_change_are_not_stored_again()
    {
        NodeRig node = _rig.Join(1);
        _rig.RunAlive(HostRig.SecondNs, node);
        int commits = _rig.CommitCount;
        _rig.RunAlive(5 * HostRig.SecondNs, node);
        Assert.Equal(commits, _rig.CommitCount);
        _rig.Publish();
        Assert.Null(_rig.NewestChangeOfMembers);
    }

    [Fact]
    public void Each_release_has_its_own_members_after_a_restart_too()
    {
        NodeRig first = _rig.Join(1);
        _rig.Publish();
        NodeRig second = _rig.Join(2);
        _rig.Publish();
        first.Send(new Leave("enough"));
        _rig.Run(20 * HostRig.MillisecondNs);
        _rig.Publish();
        _rig.Restart();
        second = _rig.Join(2);
        Applied(second, 3);
        // The first release was for one who is gone; of the second both were members; the third is for the one who stays.
        Ask(second, 1, All, call: 1);
        Ask(second, 2, All, call: 2);
        Ask(second, 3, All, call: 3);
        WaitResult[] results = [.. second.All<WaitResult>().OrderBy(r => r.Call)];
        Assert.Equal([(CannotHold, 0u), (Held, 1u), (Held, 1u)], results.Select(r => (r.Outcome, r.Total)));
        Assert.Equal([1, 1, 0], results.Select(r => r.Discounted.Count));
        Assert.Equal(HostRig.NodeOf(1), results[1].Discounted[0].Node);
    }

    [Fact]
    public void Predicates_select_by_what_a_member_was_when_the_release_was_ordered()
    {
        static Join Till(Join join) => join with { Zone = "west", Name = "till-7", Labels = [KeyValuePair.Create("ring", "canary")] };
        _rig.Join(1, Till);
        _rig.Join(2);
        _rig.Publish();
        _rig.Restart();
        NodeRig first = _rig.Join(1, Till);
        string[] predicates =
            ["MIN($NODE(\"till-7\").applied)", "MIN($ZONE_west.applied)", "MIN($LABEL(\"ring\", \"canary\").applied)"];
        foreach (string predicate in predicates)
        {
            first.Forget();
            Ask(first, 1, predicate);
            Assert.Equal(new WaitProgress(1, 0, 1, 1), first.Only<WaitProgress>());
            first.Send(new WaitCancel(1));
        }

        Applied(first, 1);
        Ask(first, 1, "MIN($ZONE_west.applied)");
        Assert.Equal((Held, 1u), (first.Only<WaitResult>().Outcome, first.Only<WaitResult>().Total));
    }

    [Fact]
    public void Who_comes_back_as_something_else_is_another_member_as_without_a_restart()
    {
        _rig.Join(1);
        _rig.Publish();
        _rig.Restart();
        NodeRig renamed = _rig.Join(1, j => j with { Name = "renamed" });
        Ask(renamed, 1, All);
        WaitResult result = renamed.Only<WaitResult>();
        Assert.Equal((CannotHold, "Every member left or failed."), (result.Outcome, result.Text));
        _rig.Publish();
        Applied(renamed, 2);
        renamed.Forget();
        Ask(renamed, 2, "MIN($NODE_renamed.applied)");
        Assert.Equal((Held, 1u), (renamed.Only<WaitResult>().Outcome, renamed.Only<WaitResult>().Total));
    }

    [Fact]
    public void The_host_is_a_replica_of_what_it_committed_before_it_started()
    {
        NodeRig node = _rig.Join(1);
        _rig.Publish();
        _rig.Restart();
        node = _rig.Join(1);
        Ask(node, 1, "MIN($REPLICAS.persisted.direct)");
        WaitResult result = node.Only<WaitResult>();
        Assert.Equal((ErrorCode.None, Held, 1u), (result.Code, result.Outcome, result.Total));
    }

    [Fact]
    public void Members_of_the_newest_releases_are_kept_and_a_wait_for_an_older_one_is_refused_before_and_after_a_restart()
    {
        _rig = new HostRig(new GmsOptions { Limits = new HostLimits { CommitsKept = 2 } });
        NodeRig node = _rig.Join(1);
        for (int i = 0; i < 4; i++)
        {
            _rig.Publish();
        }

        for (int life = 0; life < 2; life++)
        {
            Applied(node, 4);
            Ask(node, 2, All, call: 1);
            Ask(node, 3, All, call: 2);
            WaitResult[] results = [.. node.All<WaitResult>().OrderBy(r => r.Call)];
            Assert.Equal(
                (ErrorCode.NotFound,
                "Who was to have release 2 of 'shop' is kept no more: it is of releases from 3 on. "
                    + "Wait for a newer release, or ask for the status."),
                (results[0].Code, results[0].Text));
            Assert.Equal((ErrorCode.None, Held, 1u), (results[1].Code, results[1].Outcome, results[1].Total));
            _rig.Restart();
            node = _rig.Join(1);
        }
    }

    [Fact]
    public void A_commit_stores_members_only_when_they_changed()
    {
        NodeRig first = _rig.Join(1);
        _rig.Join(2);
        _rig.Publish();
        Assert.Equal([1ul, 2ul], _rig.NewestChangeOfMembers!.Joined.Select(m => m.Node.Low));
        _rig.Publish();
        Assert.Null(_rig.NewestChangeOfMembers);
        // Gone and back between two releases: nothing that a release refers to changed.
        first.Break("its cable was pulled");
        _rig.Join(1);
        _rig.Publish();
        Assert.Null(_rig.NewestChangeOfMembers);
        _rig.Join(1, j => j with { Name = "renamed" }).Break("gone for good");
        _rig.Run(20 * HostRig.MillisecondNs);
        _rig.Publish();
        Assert.Equal((HostRig.NodeOf(1), 3ul), Assert.Single(_rig.NewestChangeOfMembers!.Left));
        Assert.Empty(_rig.NewestChangeOfMembers!.Joined);
        // A restart changes nobody either.
        _rig.Restart();
        _rig.Join(2);
        _rig.Publish();
        Assert.Null(_rig.NewestChangeOfMembers);
    }

    private void Ask(NodeRig node, ulong release, string predicate, uint call = 1)
    {
        node.Send(new Wait(call, HostRig.Shop, 0, release, predicate, 0, CountLeft: false));
        _rig.Run(5 * HostRig.MillisecondNs);
    }

    private void Applied(NodeRig node, ulong release)
    {
        node.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, release, release, release));
        _rig.Run(20 * HostRig.MillisecondNs);
    }
}
