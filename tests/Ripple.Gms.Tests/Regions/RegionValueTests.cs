using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>Long values go to a region by its stream, behind its releases, and only to who knows them.</summary>
public sealed class RegionValueTests
{
    private readonly HostRig _rig = new();

    [Fact]
    public void Members_are_sent_a_long_value_by_chunks()
    {
        NodeRig node = _rig.Join(1);
        byte[] value = Bytes(1, 150_000);
        Publish(value);
        (ContentManifest manifest, SortedDictionary<int, byte[]> chunks) = node.StreamedValues()[ContentDigest.Compute(value)];
        Assert.Equal(manifest.Chunks.Length, chunks.Count);
        Assert.Equal(value, chunks.Values.SelectMany(c => c).ToArray());
        Assert.True(Assert.Single(node.StreamedMessages()).Message.Streamed![0]);
    }

    [Fact]
    public void Releases_do_not_wait_behind_it()
    {
        NodeRig node = _rig.Join(1);
        byte[] value = Bytes(1, 3_000_000);
        _rig.Publish(HostRig.Shop, ("a.bin", value));
        _rig.Publish(HostRig.Shop, ("b.txt", "small"u8.ToArray()));
        _rig.Run(2_000 * HostRig.MillisecondNs);
        // The window has room for half of it, and nobody says that it was taken; the release that came later is there.
        Assert.Equal(2, node.StreamedMessages().Count);
        Assert.InRange(node.StreamedValues()[ContentDigest.Compute(value)].Chunks.Count, 1, 400);
    }

    [Fact]
    public void While_a_member_does_not_know_them_nothing_follows()
    {
        NodeRig node = _rig.Join(1);
        NodeRig old = _rig.Join(2, j => j with { ProtocolVersion = Join.ShortFormsVersion - 1 });
        Publish(Bytes(1, 150_000));
        Assert.Empty(node.StreamedValues());
        Assert.All([node, old], n => Assert.Null(Assert.Single(n.StreamedMessages()).Message.Streamed));

        old.Send(new Leave("upgraded"));
        _rig.Run(2_000 * HostRig.MillisecondNs);
        Publish(Bytes(2, 150_000));
        Assert.Single(node.StreamedValues());
    }

    [Theory]
    [InlineData(Join.CurrentVersion)]
    [InlineData(Join.ShortFormsVersion - 1)]
    public void What_still_is_to_follow_is_forgotten_when_one_joins_that_does_not_know_it(int version)
    {
        NodeRig node = _rig.Join(1);
        byte[] value = Bytes(1, 3_000_000);
        Publish(value);
        int before = node.StreamedValues()[ContentDigest.Compute(value)].Chunks.Count;
        NodeRig other = _rig.Join(2, j => j with { ProtocolVersion = (ushort)version });
        ulong highest = (ulong)_rig.StreamCounters.Packets;
        node.SendAggregate(new RingRound(other.Accepted!.View).Stream(node.Accepted!.HostIncarnation, highest, 0, highest));
        _rig.Run(200 * HostRig.MillisecondNs);

        int after = node.StreamedValues()[ContentDigest.Compute(value)].Chunks.Count;
        Assert.Equal(version >= Join.ShortFormsVersion, after > before);
    }

    [Fact]
    public void Who_joins_later_is_sent_none_of_what_went_before()
    {
        _rig.Join(1);
        Publish(Bytes(1, 150_000));
        NodeRig late = _rig.Join(3);
        _rig.Run(100 * HostRig.MillisecondNs);
        Publish(Bytes(2, 150_000));
        Assert.Equal(ContentDigest.Compute(Bytes(2, 150_000)), Assert.Single(late.StreamedValues()).Key);
    }

    private static byte[] Bytes(int seed, int count)
    {
        byte[] bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private void Publish(byte[] value)
    {
        _rig.Publish(HostRig.Shop, ("a.bin", value));
        _rig.Run(200 * HostRig.MillisecondNs);
    }
}
