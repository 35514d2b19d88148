using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>A node that holds a release which its host keeps no more.</summary>
public sealed class KeptHistoryTests
{
    private static readonly MessageType[] Snapshot =
    [
        MessageType.SnapshotBegin, MessageType.SnapshotKeys, MessageType.SnapshotEnd, MessageType.CatchUpEnd,
    ];

    [Theory]
    [InlineData(0, 1)]
    [InlineData(2, 1)]
    [InlineData(2, 64)]
    [InlineData(4, 64)]
    public void Is_brought_to_the_newest_state_at_once(int held, int near)
    {
        HostRig rig = Shortened(near, out PublishResult[] releases);
        NodeRig node = rig.Join(1, j => held == 0 ? j : j with { Held = [Held(releases[held - 1])] });
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinAccepted, .. Snapshot], node.Types);
        Assert.Equal(releases[^1].Id, HeaderOf(node.Only<SnapshotBegin>()).Id);
    }

    [Fact]
    public void The_oldest_that_is_kept_is_followed_release_by_release()
    {
        HostRig rig = Shortened(64, out PublishResult[] releases);
        NodeRig node = rig.Join(1, j => j with { Held = [Held(releases[4])] });
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Empty(node.All<SnapshotBegin>());
        Assert.Equal(releases[5..].Select(r => r.Release), ToldHistory.CaughtUp(node).Select(m => m.Header.Release));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    public void Nobody_knows_whether_it_was_another_one_and_it_is_brought_to_the_newest_state(int near)
    {
        HostRig rig = Shortened(near, out PublishResult[] releases);
        var other = Digest160.Hash("test"u8, [1]);
        NodeRig node = rig.Join(1, j => j with { Held = [Held(releases[1]) with { Id = other }] });
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinAccepted, .. Snapshot], node.Types);
        Assert.Equal(0, rig.Counters.Restores);
    }

    [Fact]
    public void A_proof_of_it_proves_nothing_and_is_no_fault()
    {
        HostRig rig = MakeRig(64);
        rig.Publish();
        NodeRig first = rig.Join(1, j => j with { Held = [new HeldState(HostRig.Shop, 1, 9, default)] });
        first.Send(new Proof(HostRig.ShopTopic, new byte[1], new byte[1]));
        rig.Run(20 * HostRig.MillisecondNs);
        SnapshotBegin old = first.Only<SnapshotBegin>();
        long refused = rig.Counters.ControlRefused;
        Publish(rig, 13);
        NodeRig node = rig.Join(2, j => j with { Held = [new HeldState(HostRig.Shop, 1, 99, default)] });
        node.Send(new Proof(HostRig.ShopTopic, old.Header, old.Signature));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinAccepted, MessageType.ProofRequest, .. Snapshot], node.Types);
        Assert.Equal((refused, 0), (rig.Counters.ControlRefused, rig.Counters.Restores));
    }

    private static HostRig MakeRig(int near) => new(new GmsOptions
    {
        HistoryReleasesMax = 8,
        CatchUpReleasesMax = near,
        RecentBytesMax = 1,
        Limits = HostLimits.Default with { CommitsKept = 4, PrunedReleasesMax = 4 },
    });

    /// <summary>A host that published fourteen releases, and keeps those from the fifth on.</summary>
    private static HostRig Shortened(int near, out PublishResult[] releases)
    {
        HostRig rig = MakeRig(near);
        releases = Publish(rig, 14);
        Assert.Equal(5ul, rig.HistoryFrom());
        return rig;
    }

    private static PublishResult[] Publish(HostRig rig, int count)
    {
        PublishResult[] releases = [.. Enumerable.Range(0, count).Select(_ => rig.Publish())];
        rig.Run(3 * HostRig.SecondNs);
        return releases;
    }

    private static HeldState Held(PublishResult release) => new(HostRig.Shop, release.Generation, release.Release, release.Id);

    private static ReleaseHeader HeaderOf(SnapshotBegin shown)
    {
        Assert.True(ReleaseHeader.TryDecode(shown.Header.Span, out ReleaseHeader? header));
        return header;
    }
}
