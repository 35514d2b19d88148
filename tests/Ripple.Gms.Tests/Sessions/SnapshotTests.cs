using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>Who is far behind, or not on this chain, is sent the newest state at once.</summary>
public sealed class SnapshotTests
{
    private static readonly MessageType[] Snapshot =
    [
        MessageType.SnapshotBegin, MessageType.SnapshotKeys, MessageType.SnapshotEnd, MessageType.CatchUpEnd,
    ];

    [Fact]
    public void Who_is_behind_by_as_many_releases_as_may_be_is_sent_releases_and_by_one_more_a_snapshot()
    {
        var rig = new HostRig(new GmsOptions { CatchUpReleasesMax = 3 });
        PublishResult[] releases = [.. Enumerable.Range(0, 5).Select(_ => rig.Publish())];
        NodeRig near = rig.Join(1, j => j with { Held = [Held(releases[1])] });
        Assert.Equal(3, near.All<CatchUpRelease>().Count());
        NodeRig far = rig.Join(2, j => j with { Held = [Held(releases[0])] });
        Assert.Equal([MessageType.JoinAccepted, .. Snapshot], far.Types);
        ExpectSnapshotOf(releases[4], far);
        Assert.Equal((1, 1), (rig.Counters.CatchUps, rig.Counters.Snapshots));
    }

    [Fact]
    public void A_snapshot_is_the_signed_header_of_the_newest_release_and_every_key_in_pages_of_100()
    {
        var rig = new HostRig(new GmsOptions { CatchUpReleasesMax = 1 });
        (string Key, byte[] Value)[] values =
        [
            .. Enumerable.Range(0, 250).Select(i => (i.ToString("'key-'000", CultureInfo.InvariantCulture), BitConverter.GetBytes(i))),
        ];
        rig.Publish(HostRig.Shop, values);
        PublishResult newest = rig.Publish(HostRig.Shop, ("last.json", "{}"u8.ToArray()));
        NodeRig node = rig.Join(1);
        ExpectSnapshotOf(newest, node);
        Assert.Equal([100, 100, 51], node.All<SnapshotKeys>().Select(p => p.Keys.Count));
        Assert.Equal(new SnapshotEnd(HostRig.ShopTopic, 251), node.Only<SnapshotEnd>());
        SnapshotKey[] keys = [.. node.All<SnapshotKeys>().SelectMany(p => p.Keys)];
        SnapshotKey[] expected =
        [
            .. values.Select(v => new SnapshotKey(v.Key, ContentDigest.Compute(v.Value), 4, (byte)KeyForm.Bytes)),
            new SnapshotKey("last.json", ContentDigest.Compute("{}"u8), 2, (byte)KeyForm.Json),
        ];
        Assert.Equal(expected, keys);
    }

    [Theory]
    [InlineData(1L << 40)]
    [InlineData(1L)]
    public void Who_is_on_a_chain_of_an_earlier_generation_is_sent_a_snapshot_wherever_the_releases_are_read(long recentBytesMax)
    {
        var rig = new HostRig(new GmsOptions { RecentBytesMax = recentBytesMax });
        PublishResult[] releases = [.. Enumerable.Range(0, 5).Select(_ => rig.Publish())];
        NodeRig node = rig.Join(1, j => j with { Held = [Held(releases[1]) with { Generation = 0, Id = releases[0].Id }] });
        Assert.Equal([MessageType.JoinAccepted, .. Snapshot], node.Types);
        ExpectSnapshotOf(releases[4], node);
        Assert.Equal(1, rig.Counters.Snapshots);
    }

    [Fact]
    public void Who_is_one_behind_on_a_chain_of_an_earlier_generation_is_sent_a_snapshot()
    {
        var rig = new HostRig();
        PublishResult[] releases = [rig.Publish(), rig.Publish()];
        NodeRig node = rig.Join(1, j => j with { Held = [Held(releases[0])] });
        node.Forget();
        rig.Publish();
        node.Send(new CatchUpRequest(HostRig.ShopTopic, 0, 2, releases[0].Id));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(Snapshot, node.Types);
    }

    [Fact]
    public void Who_names_a_later_generation_and_holds_no_release_of_it_is_sent_releases()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig node = rig.Join(1, j => j with { Held = [new HeldState(HostRig.Shop, 7, 0, default)] });
        // A generation alone proves nothing: whoever holds no release is not ahead.
        Assert.Equal([MessageType.JoinAccepted, MessageType.CatchUpRelease, MessageType.CatchUpEnd], node.Types);
    }

    private static HeldState Held(PublishResult release) => new(HostRig.Shop, release.Generation, release.Release, release.Id);

    private static void ExpectSnapshotOf(PublishResult release, NodeRig node)
    {
        SnapshotBegin begin = node.Only<SnapshotBegin>();
        Assert.Equal(HostRig.ShopTopic, begin.Topic);
        Assert.True(ReleaseHeader.TryDecode(begin.Header.Span, out ReleaseHeader? header));
        Assert.Equal(release.Id, header.Id);
        Assert.Equal(ReleaseSignature.EncodedBytes, begin.Signature.Length);
        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, release.Generation, release.Release), node.Only<CatchUpEnd>());
        Assert.True(node.Types.ToList().IndexOf(MessageType.SnapshotEnd) < node.Types.ToList().IndexOf(MessageType.CatchUpEnd));
    }
}
