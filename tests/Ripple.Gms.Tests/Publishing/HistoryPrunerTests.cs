using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Calls;

namespace Ripple.Gms.Tests.Publishing;

/// <summary>How much of a history a host keeps, and what is said of the rest.</summary>
public sealed class HistoryPrunerTests
{
    private const long SecondNs = 1_000_000_000;

    /// <summary>What is looked at too early, or failed, is looked at again after a minute.</summary>
    private const long LookNs = 60 * SecondNs;

    private static readonly HostLimits Small = new() { CommitsKept = 4, PrunedReleasesMax = 4 };

    [Fact]
    public void Of_more_releases_than_are_kept_the_oldest_go_in_steps()
    {
        CallRig host = Published(30, new GmsOptions { HistoryReleasesMax = 10, Limits = Small });
        host.Run(10 * SecondNs);
        Assert.Equal([5UL, 9UL, 13UL, 17UL, 21UL], Steps(host));
        ControlCaller caller = host.Connect(CallRig.Publisher);
        Assert.Equal(ErrorCode.None, Read(caller, 21).Code);
        Refusals.Is(
            ErrorCode.NotFound,
            "Release 20 of 'shop' is kept no more; the oldest one is 21. The host's options say how many.",
            Read(caller, 20));
        Assert.Equal(20L, host.PrunedCount);
        // Fewer than a step more are kept.
        Assert.Equal(33UL, PublishMany(host, 3));
        host.Run(2 * LookNs);
        Assert.Equal(21UL, Steps(host)[^1]);
        PublishMany(host, 1);
        host.Run(2 * LookNs);
        Assert.Equal(25UL, Steps(host)[^1]);
    }

    [Fact]
    public void What_waits_and_nodes_need_is_kept_whatever_the_options_say()
    {
        HostLimits limits = Small with { CommitsKept = 12, PrunedReleasesMax = 6 };
        CallRig host = Published(30, new GmsOptions { HistoryReleasesMax = 2, HistoryAgeNsMax = 1, Limits = limits });
        host.Run(10 * LookNs);
        Assert.Equal(19UL, Steps(host)[^1]);
        // Not one by one, as they come free.
        Assert.InRange(Steps(host).Count, 3, 6);
    }

    [Fact]
    public void Without_a_bound_all_is_kept()
    {
        CallRig host = Published(30, new GmsOptions { HistoryReleasesMax = null, Limits = Small });
        host.Run(10 * LookNs);
        Assert.Empty(Steps(host));
    }

    [Fact]
    public void A_release_goes_so_long_after_another_took_its_place()
    {
        CallRig host = Published(5, new GmsOptions { HistoryReleasesMax = null, HistoryAgeNsMax = 100 * SecondNs, Limits = Small });
        host.Run(60 * SecondNs);
        PublishMany(host, 7);
        host.Run(30 * SecondNs);
        Assert.Empty(Steps(host));
        // All of the first five are older than that by now; the fifth was in effect until the sixth came.
        host.Run(80 * SecondNs);
        Assert.Equal(5UL, Steps(host)[^1]);
        host.Run(2 * LookNs);
        Assert.Equal(9UL, Steps(host)[^1]);
    }

    [Fact]
    public void A_step_has_no_more_changes_than_may_hold_up_the_disk()
    {
        var host = new CallRig(new GmsOptions { HistoryReleasesMax = 4, Limits = Small with { PrunedChangesMax = 7 } });
        ControlCaller caller = host.Connect(CallRig.Publisher);
        for (int i = 0; i < 12; i++)
        {
            // The fourth alone has more than a step may, and goes alone.
            caller.BeginPublish(Enumerable.Range(0, i == 3 ? 9 : 3).Select(k => ($"k{k}", (string?)$"v{i}")));
            Assert.Equal(ErrorCode.None, caller.Answer<PublishResult>().Code);
        }

        host.Run(10 * SecondNs);
        Assert.Equal([3UL, 4UL, 6UL], Steps(host));
    }

    [Fact]
    public void A_store_that_does_not_take_it_is_asked_again_after_a_minute()
    {
        var host = new CallRig(new GmsOptions { HistoryReleasesMax = 4, Limits = Small });
        PublishMany(host, 7);
        host.Store.AnswerNextRead(StoreStatus.Busy, "it is locked");
        PublishMany(host, 1);
        host.Run(LookNs / 2);
        Assert.Empty(Steps(host));
        host.Store.AnswerNextCommit(StoreStatus.Busy, "it is locked");
        host.Run(LookNs);
        Assert.Empty(Steps(host));
        host.Store.TakeNotNextCommit();
        host.Run(LookNs);
        Assert.Empty(Steps(host));
        host.Run(LookNs);
        Assert.Equal([5UL], Steps(host));
        Assert.Equal(0, host.TransientBytes);
    }

    [Fact]
    public void A_rollback_on_its_way_to_a_release_that_goes_is_refused_with_the_reason()
    {
        CallRig host = Waiting(out ControlCaller caller, caller => caller.Send(
            new Rollback(100, CallRig.Shop, Guid.NewGuid(), 2, PublishBegin.AnyRelease, "")));
        // The state it goes back to was read; now the second goes, before the rollback is ordered on top of the thirteenth.
        host.Store.LetGo();
        host.Run(SecondNs);
        Assert.Equal([5UL], Steps(host));
        PublishResult[] results = [.. caller.Take<PublishResult>()];
        Assert.Equal([ErrorCode.None, ErrorCode.None, ErrorCode.NotFound], results.Select(r => r.Code));
        Refusals.Is(
            ErrorCode.NotFound, "Release 2 of 'shop' is kept no more; the oldest one is 5. The host's options say how many.", results[2]);
    }

    [Fact]
    public void What_waits_behind_a_commit_that_fails_is_done_after_it()
    {
        CallRig host = Waiting(out ControlCaller caller, _ => { }, rig => rig.Store.AnswerNextCommit(StoreStatus.Busy, "it is locked"));
        host.Store.LetGo();
        host.Run(SecondNs);
        Assert.Equal([ErrorCode.None, ErrorCode.Busy], caller.Take<PublishResult>().Select(r => r.Code));
        Assert.Equal([5UL], Steps(host));
        Assert.Equal(0, host.TransientBytes);
    }

    [Fact]
    public void A_rollback_that_was_done_is_known_after_what_it_went_back_to_is_gone()
    {
        var host = new CallRig(new GmsOptions { HistoryReleasesMax = 8, Limits = Small });
        PublishMany(host, 10);
        ControlCaller caller = host.Connect(CallRig.Publisher);
        var id = Guid.NewGuid();
        Assert.Equal((ErrorCode.None, 11UL), (caller.Rollback(2, id) is var done ? done.Code : default, done.Release));
        PublishMany(host, 5);
        host.Run(10 * SecondNs);
        Assert.Equal(9UL, Steps(host)[^1]);
        caller = host.Connect(CallRig.Publisher);
        Assert.Equal((ErrorCode.None, 11UL), (caller.Rollback(2, id) is var again ? again.Code : default, again.Release));
        Refusals.Is(
            ErrorCode.PublishIdReused,
            $"The publish id {id} was used before for other content. Use a new id for new content.",
            caller.Rollback(3, id));
        Assert.Equal(ErrorCode.NotFound, caller.Rollback(2).Code);
    }

    [Fact]
    public void After_a_restart_the_host_knows_from_where_on_it_has_releases()
    {
        CallRig host = Published(30, new GmsOptions { HistoryReleasesMax = 10, Limits = Small });
        host.Run(10 * SecondNs);
        host.Restart();
        ControlCaller caller = host.Connect(CallRig.Publisher);
        Assert.Equal(ErrorCode.None, Read(caller, 21).Code);
        Assert.Contains("the oldest one is 21", Read(caller, 1).Text, StringComparison.Ordinal);
        Assert.Equal(31UL, PublishMany(host, 1));
    }

    /// <summary>A host whose thirteenth release is held up on its way to the disk, and a step of the history waits behind it.</summary>
    private static CallRig Waiting(out ControlCaller caller, Action<ControlCaller> then, Action<CallRig>? before = null)
    {
        var host = new CallRig(new GmsOptions { HistoryReleasesMax = 8, Limits = Small });
        PublishMany(host, 11);
        caller = host.Connect(CallRig.Publisher);
        // It is due with the twelfth, and looked at some time later.
        caller.BeginPublish([("a", "12")]);
        host.Run(SecondNs / 50);
        before?.Invoke(host);
        host.Store.Hold();
        caller.BeginPublish([("a", "13")]);
        host.Run(SecondNs / 100);
        then(caller);
        host.Run(SecondNs);
        Assert.Empty(Steps(host));
        Assert.True(host.TransientBytes > 0);
        return host;
    }

    private static CallRig Published(int count, GmsOptions options)
    {
        var host = new CallRig(options);
        PublishMany(host, count);
        return host;
    }

    /// <summary>Publishes so many more; the newest release.</summary>
    private static ulong PublishMany(CallRig host, int count)
    {
        ControlCaller caller = host.Connect(CallRig.Publisher);
        ulong newest = 0;
        for (int i = 0; i < count; i++)
        {
            PublishResult result = caller.Publish("a", Guid.NewGuid().ToString());
            Assert.Equal(ErrorCode.None, result.Code);
            newest = result.Release;
        }

        return newest;
    }

    private static ReadKeyResult Read(ControlCaller caller, ulong release)
    {
        caller.Send(new ReadKey(caller.NextCall(), CallRig.Shop, release, "a"));
        return caller.Answer<ReadKeyResult>();
    }

    /// <summary>The oldest release after each step that the store was given.</summary>
    private static List<ulong> Steps(CallRig host) => [.. host.Store.Passed.SelectMany(b => b.Prunings).Select(p => p.KeptFrom)];
}
