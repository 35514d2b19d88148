using Ripple.Engine.Frontier;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A node that rejects the newest release, and has accepted none, looks for an earlier one to start from.</summary>
public sealed class PastStateTests : IDisposable
{
    private const ulong Newest = 20;
    private readonly NodeRig _rig = new NodeRig { Saves = true }.Join();
    private readonly SortedSet<ulong> _good = [];

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void The_one_that_most_members_have_is_asked_for_and_put_in_effect()
    {
        RejectNewest();
        CatchUpRequest asked = Asked();
        Assert.Equal((Newest, true), (asked.Before, asked.IsMostApplied));
        Assert.Equal((1u, Newest), (asked.Generation, asked.Release));

        _good.Add(17);
        Answer(17, Newest);

        Assert.Equal((17UL, Newest), (_rig.Replica.Applied.Keys.Release, _rig.Replica.Received.Keys.Release));
        Assert.Equal(Newest, _rig.Replica.Standing!.Release);
        Assert.False(_rig.Replica.IsSearching);
        LevelRow levels = _rig.Replica.Levels;
        Assert.Equal((Newest, 17UL), (levels.Received, levels.Applied));
    }

    [Fact]
    public void It_is_kept_on_disk_as_what_was_accepted()
    {
        RejectNewest();
        _good.Add(17);
        Answer(17, Newest);

        // Two at most wait: what changed while the first was written is written together.
        _rig.Saving[0].Done(true);
        ReplicaSnapshot saved = _rig.Saving[^1].Snapshot;
        Assert.Equal((17UL, Newest), (saved.Applied.Keys.Release, saved.Received.Keys.Release));
        Assert.Equal([Newest], saved.Rejections.Select(r => r.Release));
    }

    [Fact]
    public void Then_those_before_the_newest_are_asked_for_eight_at_most_and_none_twice()
    {
        RejectNewest();
        Answer(17, Newest);
        var before = new List<ulong>();
        while (_rig.Replica.IsSearching)
        {
            CatchUpRequest asked = Asked();
            Assert.False(asked.IsMostApplied);
            before.Add(asked.Before - 1);
            Answer(asked.Before - 1, asked.Before);
        }

        Assert.Equal([19, 18, 16, 15, 14, 13, 12], before);
        Assert.Equal(0UL, _rig.Replica.Applied.Keys.Release);
        Assert.Equal([12, 13, 14, 15, 16, 17, 18, 19, 20], _rig.Replica.Tried.Select(r => r.Release));
        Assert.Equal(1, _rig.SearchesEnded);
        Assert.Empty(_rig.Host.All<CatchUpRequest>());
    }

    [Fact]
    public void A_host_that_knows_of_none_is_asked_for_those_before_the_newest()
    {
        RejectNewest();
        _rig.Host.Forget();
        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 0, Newest, ErrorCode.NotFound));
        CatchUpRequest asked = Asked();
        Assert.Equal((Newest, false), (asked.Before, asked.IsMostApplied));

        _rig.Host.Forget();
        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 0, Newest, ErrorCode.NotFound));

        // Where one is not there, those before it are not either.
        Assert.Empty(_rig.Host.All<CatchUpRequest>());
        Assert.False(_rig.Replica.IsSearching);
        Assert.Equal(1, _rig.SearchesEnded);
    }

    [Fact]
    public void A_host_that_is_busy_is_asked_the_same_again_after_a_while()
    {
        RejectNewest();
        for (int i = 0; i < 3; i++)
        {
            CatchUpRequest asked = Asked();
            Assert.True(asked.IsMostApplied);
            _rig.Host.Forget();
            _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 0, Newest, ErrorCode.Busy));
            Assert.Empty(_rig.Host.All<CatchUpRequest>());
            _rig.Run((FetchRetry.DelayNsMin << i) + NodeRig.MsNs);
        }

        Assert.True(Asked().IsMostApplied);
        Assert.True(_rig.Replica.IsSearching);
    }

    [Fact]
    public void A_node_that_has_accepted_one_asks_for_none()
    {
        _good.Add(10);
        Take(10);
        _rig.Host.Forget();
        RejectNewest();

        Assert.Empty(_rig.Host.All<CatchUpRequest>());
        Assert.False(_rig.Replica.IsSearching);
        Assert.Equal(10UL, _rig.Replica.Applied.Keys.Release);
    }

    [Fact]
    public void A_newer_release_ends_the_search_and_what_was_asked_for_is_passed_over()
    {
        RejectNewest();
        _good.UnionWith([17, 21]);
        Take(21);
        Assert.Equal(21UL, _rig.Replica.Applied.Keys.Release);

        Answer(17, Newest);

        Assert.Equal([21UL], _rig.Applied.Select(a => a.Keys.Release));
        Assert.False(_rig.Replica.IsSearching);
    }

    /// <summary>There is one question at a time, also where a second search begins.</summary>
    [Fact]
    public void A_newer_release_that_is_rejected_too_is_searched_before_when_the_host_has_answered()
    {
        RejectNewest();
        _rig.Host.Forget();
        Take(21);
        Assert.Empty(_rig.Host.All<CatchUpRequest>());

        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 0, Newest, ErrorCode.NotFound));

        CatchUpRequest asked = Asked();
        Assert.Equal((21UL, true), (asked.Before, asked.IsMostApplied));
        Answer(17, 21);
        // What was rejected once in this process is not asked for again.
        Assert.Equal(20UL, Asked().Before);
    }

    [Fact]
    public void Nothing_newer_than_what_is_being_judged_gives_way_to_it()
    {
        RejectNewest();
        _rig.HoldsDecisions = true;
        Answer(17, Newest);
        (ApplicationState state, Action<string?> decide) = Assert.Single(_rig.Candidates);
        Assert.Equal(17UL, state.Keys.Release);
        _rig.Candidates.Clear();

        Take(21);
        decide(null);

        // The process has it in effect by now: the newer one is decided next.
        (state, decide) = Assert.Single(_rig.Candidates);
        Assert.Equal(21UL, state.Keys.Release);
        decide(null);
        Assert.Equal([17UL, 21UL], _rig.Applied.Select(a => a.Keys.Release));
    }

    [Fact]
    public void Nothing_is_asked_for_while_a_newer_release_is_on_its_way()
    {
        _rig.HoldsDecisions = true;
        Take(Newest);
        _rig.Send(new StateVector([new(NodeRig.Application, NodeRig.Topic, 1, 1, 21, Headers.RandomDigest(new Random(1)))]));
        _rig.Host.Forget();
        _rig.Candidates[0].Decide("no");
        Assert.DoesNotContain(_rig.Host.All<CatchUpRequest>(), r => r.Before != 0);

        // It does not come for 8 s: what does not come must not hold up the start.
        RunWithHost(9);

        Assert.Contains(_rig.Host.All<CatchUpRequest>(), r => r.Before == Newest);
    }

    [Theory]
    [InlineData("another release")]
    [InlineData("another generation")]
    [InlineData("other keys")]
    [InlineData("no chain")]
    [InlineData("signature")]
    public void What_is_not_as_asked_for_and_signed_is_refused(string wrong)
    {
        RejectNewest();
        _rig.Host.Forget();
        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 0, Newest, ErrorCode.NotFound));
        _good.UnionWith([17, 19]);
        var parts = new SnapshotParts(wrong == "another generation" ? 2u : 1u, wrong == "another release" ? 17UL : 19UL, ("a", ""));
        _rig.Verifier.IsBelieving = wrong != "signature";
        _rig.Send(parts.Begin with { Before = Newest });
        if (wrong == "no chain")
        {
            ReleaseHeader other = Headers.Make(release: 20, previousId: Headers.RandomDigest(new Random(20)));
            _rig.Send(new SnapshotHeader(NodeRig.Topic, other.Encode()));
        }

        if (wrong == "other keys")
        {
            _rig.Send(new SnapshotKeys(NodeRig.Topic, [new SnapshotKey("b", default, 0, 0)]));
        }
        else
        {
            _rig.Send(parts.Keys);
        }

        _rig.Send(parts.End);
        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 19, Newest));

        Assert.Single(_rig.Refusals);
        Assert.Empty(_rig.Applied);
        Assert.Equal(19UL, _rig.Host.All<CatchUpRequest>()[^1].Before);
    }

    /// <summary>Of releases that were committed together only the last is signed.</summary>
    [Fact]
    public void A_state_that_a_later_release_was_signed_for_is_proved_by_the_headers_between()
    {
        RejectNewest();
        _rig.Rejection = null;
        var parts = new SnapshotParts(1, 17, ("a", ""));
        ReleaseHeader next = Headers.Make(release: 18, previousId: parts.Header.Id);
        _rig.Verifier.IsLate = true;
        _rig.Send(parts.Begin with { Before = Newest });
        _rig.Send(new SnapshotHeader(NodeRig.Topic, next.Encode()));
        _rig.Send(parts.Keys);
        _rig.Send(parts.End);
        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 17, Newest));
        (Digest160 id, Action<bool> answer) = Assert.Single(_rig.Verifier.Asked);
        Assert.Equal(next.Id, id);
        Assert.Empty(_rig.Applied);

        answer(true);

        Assert.Equal(17UL, Assert.Single(_rig.Applied).Keys.Release);
        Assert.Equal(next.Id, _rig.Replica.Applied.Proof!.Signed.Id);
    }

    [Fact]
    public void A_value_that_the_host_does_not_have_costs_that_state_and_not_the_search()
    {
        RejectNewest();
        _good.UnionWith([17, 19]);
        var parts = new SnapshotParts(1, 17, ("a", "lost"));
        Send(parts, Newest);
        for (int i = 0; i < 8 && _rig.Host.All<BodyRequest>() is [var request]; i++)
        {
            _rig.Host.Forget();
            _rig.Send(new BodyMissing(NodeRig.Topic, request.Digest));
            RunWithHost(4);
        }

        CatchUpRequest asked = _rig.Host.All<CatchUpRequest>().Single(r => r.Before != 0);
        Assert.Equal((Newest, false), (asked.Before, asked.IsMostApplied));
        Answer(19, Newest);
        Assert.Equal(19UL, _rig.Replica.Applied.Keys.Release);
    }

    [Fact]
    public void A_lost_connection_begins_the_search_again_after_the_next_join()
    {
        RejectNewest();
        _rig.Break("gone");
        Assert.True(_rig.Replica.IsSearching);
        _rig.Answer = _rig.Answer with { Topics = [new(NodeRig.Application, NodeRig.Topic, 1, 1, Newest, _rig.Replica.Received.Keys.Id)] };
        _rig.Host.Forget();
        _rig.Run(10 * NodeRig.SecondNs);
        _rig.Join();

        Assert.True(Asked().IsMostApplied);
        _good.Add(17);
        Answer(17, Newest);
        Assert.Equal(17UL, _rig.Replica.Applied.Keys.Release);
    }

    /// <summary>A program with other validators rejects what the one before it accepted, which is the newest.</summary>
    [Fact]
    public void A_program_that_rejects_what_is_on_its_disk_looks_for_an_earlier_one()
    {
        _good.Add(Newest);
        Take(Newest);
        ReplicaSnapshot saved = _rig.Saving[^1].Snapshot;
        using var next = new NodeRig(saved, new NodeOptions { Application = NodeRig.Application, HoldsDecisions = true });
        next.Answer = next.Answer with { Topics = [new(NodeRig.Application, NodeRig.Topic, 1, 1, Newest, saved.Received.Keys.Id)] };
        next.Join();
        next.Replica.JudgeRestored("the validators are other ones");
        Assert.Empty(next.Host.All<CatchUpRequest>());

        next.Replica.BeginDeciding();
        next.Pump();

        Assert.True(next.Host.Only<CatchUpRequest>().IsMostApplied);
    }

    private void RejectNewest()
    {
        Take(Newest);
        Assert.DoesNotContain(_rig.Applied, a => a.Keys.Release == Newest);
    }

    /// <summary>A host that does not answer heartbeats would be left.</summary>
    private void RunWithHost(int seconds)
    {
        for (int i = 0; i < seconds; i++)
        {
            _rig.Run(NodeRig.SecondNs);
            _rig.Refute();
        }
    }

    /// <summary>The newest release comes as a snapshot.</summary>
    private void Take(ulong release)
    {
        _rig.Rejection = _good.Contains(release) ? null : "a rule says no";
        new SnapshotParts(1, release, ("a", "")).SendTo(_rig);
    }

    /// <summary>The host sends the state it was asked for.</summary>
    private void Answer(ulong release, ulong before) => Send(new SnapshotParts(1, release, ("a", "")), before);

    private void Send(SnapshotParts parts, ulong before)
    {
        _rig.Rejection = _good.Contains(parts.Header.Release) ? null : "a rule says no";
        _rig.Host.Forget();
        _rig.Send(parts.Begin with { Before = before });
        _rig.Send(parts.Keys);
        _rig.Send(parts.End);
        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, parts.Header.Release, before));
    }

    /// <summary>The one question that came.</summary>
    private CatchUpRequest Asked() => Assert.Single(_rig.Host.All<CatchUpRequest>(), r => r.Before != 0);
}
