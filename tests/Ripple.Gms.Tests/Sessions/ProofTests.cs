using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Simulator.Disks;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>A node that says it is ahead of the host: it shows what was signed here, or it is brought to what is committed.</summary>
public sealed class ProofTests
{
    private static readonly Digest160 OtherId = Digest160.Hash("test"u8, [1]);

    [Theory]
    [InlineData(1u, 9ul)]
    [InlineData(1u, 2ul)]
    [InlineData(2u, 1ul)]
    public void Who_claims_a_later_state_or_another_of_the_same_number_is_asked_for_a_proof_once(uint generation, ulong release)
    {
        var rig = new HostRig();
        rig.Publish();
        rig.Publish();
        NodeRig node = rig.Join(1, j => j with { Held = [new HeldState(HostRig.Shop, generation, release, OtherId)] });
        Assert.Equal([MessageType.JoinAccepted, MessageType.ProofRequest], node.Types);
        Assert.Equal(HostRig.ShopTopic, node.Only<ProofRequest>().Topic);
        node.Send(new CatchUpRequest(HostRig.ShopTopic, generation, release, OtherId));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Single(node.All<ProofRequest>());
        Assert.Empty(node.All<SnapshotBegin>());
    }

    [Fact]
    public void A_proof_that_is_not_signed_here_is_refused_and_the_node_brought_to_what_is_committed()
    {
        (HostRig rig, NodeRig node, SnapshotBegin newest) = AskedForProof();
        byte[] forged = newest.Signature.ToArray();
        forged[^1] ^= 1;
        (byte[] Header, byte[] Signature)[] proofs =
        [
            (newest.Header.ToArray(), forged),
            (newest.Header.ToArray(), forged[..5]),
            ([1, 2, 3], newest.Signature.ToArray()),
        ];
        for (int i = 0; i < proofs.Length; i++)
        {
            node.Send(new Proof(HostRig.ShopTopic, proofs[i].Header, proofs[i].Signature));
            rig.Run(5 * HostRig.MillisecondNs);
            MessageType[] snapshot = [MessageType.SnapshotBegin, MessageType.SnapshotKeys, MessageType.SnapshotEnd, MessageType.CatchUpEnd];
            Assert.Equal(snapshot, node.Types);
            Assert.Equal(newest.Header.ToArray(), node.Only<SnapshotBegin>().Header.ToArray());
            Assert.Equal(i + 1, rig.Counters.ControlRefused);
            Assert.Null(node.ClosedReason);
            // Having been answered, a claim is asked about again.
            node.Forget();
            node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 9, OtherId));
            rig.Run(5 * HostRig.MillisecondNs);
            Assert.Equal([MessageType.ProofRequest], node.Types);
            node.Forget();
        }

        Assert.Equal(0, rig.Counters.Restores);
    }

    [Fact]
    public void A_signed_header_of_another_application_proves_nothing()
    {
        (HostRig rig, NodeRig node, SnapshotBegin newest) = AskedForProof();
        node.Send(new CatchUpRequest(HostRig.CartTopic, 1, 9, OtherId));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(HostRig.CartTopic, node.Only<ProofRequest>().Topic);
        node.Forget();
        node.Send(new Proof(HostRig.CartTopic, newest.Header, newest.Signature));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.DoesNotContain(node.All<SnapshotBegin>(), s => DecodeHeader(s).Application == HostRig.Shop);
        Assert.Equal(1, rig.Counters.ControlRefused);
        Assert.Equal(0, rig.Counters.Restores);
    }

    [Fact]
    public void A_proof_that_nobody_asked_for_is_counted_and_not_looked_at()
    {
        (HostRig rig, NodeRig node, SnapshotBegin newest) = AskedForProof();
        node.Send(new Proof(HostRig.ShopTopic, newest.Header, newest.Signature));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Single(node.All<SnapshotBegin>());
        Assert.Equal(0, rig.Counters.ControlRefused);
        node.Forget();
        for (int i = 0; i < 100; i++)
        {
            // As good as the one before: whoever looked at it would send what is committed.
            node.Send(new Proof(HostRig.ShopTopic, newest.Header, newest.Signature));
            node.Send(new Proof(99, newest.Header, newest.Signature));
        }

        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Empty(node.Types);
        Assert.Equal(200, rig.Counters.ControlRefused);
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void Proofs_that_are_asked_for_are_paid_for_by_who_brings_them()
    {
        var calls = new CallLimits { Connection = new SpendingLimits(50_000_000, 10_000_000) };
        (HostRig rig, NodeRig node, SnapshotBegin newest) = AskedForProof(
            new GmsOptions { Limits = HostLimits.Default with { Calls = calls } });
        byte[] forged = newest.Signature.ToArray();
        forged[^1] ^= 1;
        const int Asked = 200;
        for (int i = 0; i < Asked; i++)
        {
            node.Send(new Proof(HostRig.ShopTopic, newest.Header, forged));
            node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 9, OtherId));
            rig.Deliver();
        }

        // Ten milliseconds a second, and each takes a hundred and fifty microseconds besides the frames.
        Assert.InRange(rig.Counters.ControlRefused, 40, 75);
        Assert.True(rig.Counters.FramesHeld > 0);
        // The rest waits, and nothing is lost.
        rig.Run(5 * HostRig.SecondNs);
        Assert.Equal(Asked, rig.Counters.ControlRefused);
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void A_signed_header_that_is_not_ahead_brings_the_node_to_what_is_committed_and_is_no_fault()
    {
        (HostRig rig, NodeRig node, SnapshotBegin newest) = AskedForProof();
        node.Send(new Proof(HostRig.ShopTopic, newest.Header, newest.Signature));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(newest.Header.ToArray(), node.Only<SnapshotBegin>().Header.ToArray());
        Assert.Single(node.All<CatchUpEnd>());
        Assert.Equal((0, 0), (rig.Counters.ControlRefused, rig.Counters.Restores));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void A_good_proof_begins_a_generation_of_which_members_and_frontier_are_told(int publishesAfterRestore)
    {
        // Release 3 is lost with the disk; its number may be given again, to something else.
        var rig = new HostRig();
        rig.Join(1);
        rig.Publish();
        SimulatedDiskCopy copy = rig.CopyDisk();
        rig.Publish();
        SnapshotBegin lost = PublishAndShow(rig);
        rig.Run(2 * HostRig.SecondNs);
        rig.Restart(copy);
        uint epoch = rig.StoredEpoch;
        NodeRig member = rig.Join(1);
        for (int i = 0; i < publishesAfterRestore - 1; i++)
        {
            rig.Publish(HostRig.Shop, ("other.bin", [(byte)i]));
        }

        member.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 1, 1, 0));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(1ul, rig.RowOf(1).Received);
        member.Send(new Wait(5, HostRig.Shop, 0, (ulong)publishesAfterRestore, "MIN($ALL.applied)", 0, CountLeft: false));
        NodeRig ahead = rig.Join(2, j => j with { Held = [HeldOf(lost)] });
        Assert.Equal([MessageType.JoinAccepted, MessageType.ProofRequest], ahead.Types.Take(2));
        ahead.Send(new Proof(HostRig.ShopTopic, lost.Header, lost.Signature));
        rig.Run(10 * HostRig.MillisecondNs);

        (_, ReleaseHeader creation) = member.Streamed()[^1];
        ulong release = (ulong)publishesAfterRestore + 1;
        Assert.Equal((ReleaseKind.Creation, 2u, release), (creation.Kind, creation.Generation, creation.Release));
        Assert.Equal((epoch, "host", 0), (creation.SlotEpoch, creation.Actor, creation.Changes.Length));
        ulong committed = (ulong)publishesAfterRestore;
        string held = $"node {HostRig.NodeOf(2)} holds generation 1 release 3, signed here; ";
        Assert.Equal($"{held}this store has generation 1 release {committed}: it was restored from an older copy", creation.Note);
        Assert.Equal(1, rig.Counters.Restores);
        StatusResult status = Assert.Single(rig.StatusPages());
        Assert.Equal((2u, release), (status.Generation, status.Release));
        Assert.Equal(0ul, rig.RowOf(1).Received);
        WaitResult wait = member.All<WaitResult>().Single(w => w.Call == 5);
        Assert.Equal(1, wait.Outcome);
        const string text = "Generation 1 of shop ended; the application is in generation 2.";
        Assert.Equal(text, wait.Text);

        // What the one that was ahead holds is behind now, and of a chain that ended.
        ahead.Forget();
        ahead.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 3, HeldOf(lost).Id));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(creation.Id, DecodeHeader(ahead.Only<SnapshotBegin>()).Id);
        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, 2, release), ahead.Only<CatchUpEnd>());
    }

    [Fact]
    public void Several_that_prove_the_same_begin_one_generation()
    {
        (HostRig rig, SnapshotBegin lost) = Restored(isSameSecond: false);
        NodeRig[] ahead = [.. Enumerable.Range(1, 3).Select(i => rig.Join(i, j => j with { Held = [HeldOf(lost)] }))];
        Array.ForEach(ahead, n => n.Send(new Proof(HostRig.ShopTopic, lost.Header, lost.Signature)));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(1, rig.Counters.Restores);
        Assert.Equal(2u, Assert.Single(rig.StatusPages()).Generation);
    }

    [Fact]
    public void A_proof_from_an_epoch_as_high_as_the_hosts_raises_it_first()
    {
        (HostRig rig, SnapshotBegin lost) = Restored(isSameSecond: true);
        Assert.Equal(HostRig.FirstEpoch, rig.StoredEpoch);
        // It does not say in its join which epoch it saw: the header does.
        NodeRig ahead = rig.Join(1, j => j with { Held = [HeldOf(lost)] });
        ahead.Send(new Proof(HostRig.ShopTopic, lost.Header, lost.Signature));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(HostRig.FirstEpoch + 1, rig.StoredEpoch);
        (_, ReleaseHeader creation) = Assert.Single(ahead.Streamed());
        Assert.Equal((2u, HostRig.FirstEpoch + 1), (creation.Generation, creation.SlotEpoch));
    }

    [Fact]
    public void The_same_number_with_another_content_signed_here_begins_a_generation_too()
    {
        (HostRig rig, SnapshotBegin lost) = Restored(isSameSecond: false);
        rig.Publish(HostRig.Shop, ("other.bin", [1]));
        Assert.Equal(DecodeHeader(lost).Release, Assert.Single(rig.StatusPages()).Release);
        NodeRig ahead = rig.Join(1, j => j with { Held = [HeldOf(lost)] });
        ahead.Only<ProofRequest>();
        ahead.Send(new Proof(HostRig.ShopTopic, lost.Header, lost.Signature));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(1, rig.Counters.Restores);
        Assert.Equal(2u, Assert.Single(rig.StatusPages()).Generation);
    }

    [Theory]
    [InlineData(1L << 40, 64, false)]
    [InlineData(1L << 40, 1, false)]
    [InlineData(1L, 64, false)]
    [InlineData(1L, 1, false)]
    [InlineData(1L << 40, 64, true)]
    [InlineData(1L << 40, 1, true)]
    public void Who_is_below_the_head_with_another_release_of_that_number_begins_a_generation(long recentBytesMax, int near, bool restarts)
    {
        // The whole directory was put back: the mark beside the store says nothing, and those who know better are away.
        var rig = new HostRig(new GmsOptions { RecentBytesMax = recentBytesMax, CatchUpReleasesMax = near });
        rig.Publish();
        SimulatedDiskCopy copy = rig.CopyDisk();
        SnapshotBegin lost = PublishAndShow(rig);
        rig.Run(2 * HostRig.SecondNs);
        rig.Restart(copy);
        for (byte i = 0; i < 4; i++)
        {
            rig.Publish(HostRig.Shop, ("other.bin", [i]));
        }

        if (restarts)
        {
            rig.Restart(rig.CopyDisk(), MarkFate.Kept);
        }

        NodeRig forked = rig.Join(1, j => j with { Held = [HeldOf(lost)] });
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinAccepted, MessageType.ProofRequest], forked.Types);
        forked.Send(new Proof(HostRig.ShopTopic, lost.Header, lost.Signature));
        rig.Run(20 * HostRig.MillisecondNs);

        (_, ReleaseHeader creation) = Assert.Single(forked.Streamed());
        Assert.Equal((ReleaseKind.Creation, 2u, 6ul), (creation.Kind, creation.Generation, creation.Release));
        Assert.Equal(
            $"node {HostRig.NodeOf(1)} holds generation 1 release 2, signed here; this store has another release of that number, and "
                + "generation 1 release 5: it was restored from an older copy",
            creation.Note);
        // It is of a chain that ended now.
        forked.Forget();
        forked.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 2, HeldOf(lost).Id));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(creation.Id, DecodeHeader(forked.Only<SnapshotBegin>()).Id);
    }

    [Fact]
    public void Who_claims_another_release_below_the_head_and_proves_one_of_this_chain_is_brought_to_what_is_committed()
    {
        var rig = new HostRig();
        rig.Publish();
        SnapshotBegin own = PublishAndShow(rig);
        rig.Publish();
        NodeRig node = rig.Join(1, j => j with { Held = [new HeldState(HostRig.Shop, 1, 2, OtherId)] });
        node.Send(new Proof(HostRig.ShopTopic, own.Header, own.Signature));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(0, rig.Counters.Restores);
        Assert.Single(node.All<SnapshotBegin>());
    }

    [Theory]
    [InlineData(nameof(MarkFate.Kept))]
    [InlineData(nameof(MarkFate.Lost))]
    public void A_host_on_a_copy_of_its_store_goes_on_in_a_new_generation_before_anybody_proves_anything(string mark)
    {
        var rig = new HostRig();
        rig.Publish();
        SimulatedDiskCopy copy = rig.CopyDisk();
        rig.Publish();
        SnapshotBegin lost = PublishAndShow(rig);
        rig.Run(2 * HostRig.SecondNs);
        rig.Restart(copy, Enum.Parse<MarkFate>(mark));
        Assert.Equal(1, rig.Counters.Restores);
        // The release after the copy begins the generation, and nothing of the old one follows.
        StatusResult status = Assert.Single(rig.StatusPages());
        Assert.Equal((2u, 2ul), (status.Generation, status.Release));
        PublishResult next = rig.Publish();
        Assert.Equal((2u, 3ul), (next.Generation, next.Release));
        // An application without a release begins in it.
        Assert.Equal((2u, 1ul), (rig.Publish(HostRig.Cart, ("b", [1])).Generation, rig.StatusPages(HostRig.Cart)[0].Release));

        NodeRig ahead = rig.Join(1, j => j with { Held = [HeldOf(lost)] });
        Assert.Empty(ahead.All<ProofRequest>());
        Assert.Equal(next.Id, DecodeHeader(ahead.Only<SnapshotBegin>()).Id);

        // The start after that is an ordinary one.
        rig.Restart(rig.CopyDisk(), MarkFate.Kept);
        Assert.Equal(0, rig.Counters.Restores);
        Assert.Equal(2u, rig.Publish().Generation);
    }

    private static HeldState HeldOf(SnapshotBegin shown)
    {
        ReleaseHeader header = DecodeHeader(shown);
        return new HeldState(HostRig.Shop, header.Generation, header.Release, header.Id);
    }

    private static ReleaseHeader DecodeHeader(SnapshotBegin shown)
    {
        Assert.True(ReleaseHeader.TryDecode(shown.Header.Span, out ReleaseHeader? header));
        return header;
    }

    /// <summary>One more release, and its signed header as a node is shown it that is not on this chain.</summary>
    private static SnapshotBegin PublishAndShow(HostRig rig)
    {
        rig.Publish();
        NodeRig node = rig.Join(900, j => j with { Held = [new HeldState(HostRig.Shop, 0, 1, OtherId)] });
        SnapshotBegin shown = node.Only<SnapshotBegin>();
        node.Send(new Leave("enough"));
        rig.Run(15 * HostRig.MillisecondNs);
        return shown;
    }

    /// <summary>A host with two releases, and a node that claimed to hold a later one and was asked for a proof.</summary>
    private static (HostRig Rig, NodeRig Node, SnapshotBegin Newest) AskedForProof(GmsOptions? options = null)
    {
        var rig = new HostRig(options);
        rig.Publish();
        SnapshotBegin newest = PublishAndShow(rig);
        NodeRig node = rig.Join(
            1, j => j with { Interest = [HostRig.Cart, HostRig.Shop], Held = [new HeldState(HostRig.Shop, 1, 9, OtherId)] });
        node.Only<ProofRequest>();
        node.Forget();
        return (rig, node, newest);
    }

    /// <summary>A host that lost release 2 with its disk, and that release's signed header.</summary>
    private static (HostRig Rig, SnapshotBegin Lost) Restored(bool isSameSecond)
    {
        var rig = new HostRig();
        rig.Publish();
        SimulatedDiskCopy copy = isSameSecond ? rig.BeforeFirstStart : rig.CopyDisk();
        SnapshotBegin lost = PublishAndShow(rig);
        rig.Run(isSameSecond ? 0 : 2 * HostRig.SecondNs);
        rig.Restart(copy);
        return (rig, lost);
    }
}
