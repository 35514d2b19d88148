using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>Values that nodes fetch: small ones whole, large ones by their manifest and in chunks.</summary>
public sealed class BodyTests
{
    private const int WholeBytesMax = 64 * 1_024;

    [Theory]
    [InlineData(1)]
    [InlineData(WholeBytesMax)]
    public void A_small_value_is_sent_whole(int length)
    {
        byte[] value = Bytes(length);
        (HostRig rig, NodeRig node) = With(value);
        Digest160 digest = ContentDigest.Compute(value);
        node.Send(new BodyRequest(HostRig.ShopTopic, digest));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.Body], node.Types);
        Body body = node.Only<Body>();
        Assert.Equal((HostRig.ShopTopic, digest), (body.Topic, body.Digest));
        Assert.Equal(value, body.Bytes.ToArray());
    }

    [Theory]
    [InlineData(WholeBytesMax + 1)]
    [InlineData(300_000)]
    public void A_large_value_is_sent_as_its_manifest_and_then_in_the_chunks_that_are_asked_for(int length)
    {
        byte[] value = Bytes(length);
        (HostRig rig, NodeRig node) = With(value);
        ContentManifest manifest = ContentDigest.Describe(value);
        node.Send(new BodyRequest(HostRig.ShopTopic, manifest.Digest));
        rig.Run(5 * HostRig.MillisecondNs);
        BodyManifest sent = node.Only<BodyManifest>();
        Assert.Equal((HostRig.ShopTopic, manifest.Digest), (sent.Topic, sent.Digest));
        Assert.Equal(((uint)manifest.EncodedBytes, 0u), (sent.TotalBytes, sent.Offset));
        Assert.Equal(manifest.Encode(), sent.Bytes.ToArray());
        node.Forget();
        uint count = (uint)manifest.Chunks.Length;
        node.Send(new ChunkRequest(HostRig.ShopTopic, manifest.Digest, 1, count - 1));
        node.Send(new ChunkRequest(HostRig.ShopTopic, manifest.Digest, 0, 1));
        rig.Run(10 * HostRig.MillisecondNs);
        Assert.Equal([.. Enumerable.Range(1, (int)count - 1).Select(i => (uint)i), 0u], node.All<Chunk>().Select(c => c.Index));
        byte[] fetched = [.. node.All<Chunk>().OrderBy(c => c.Index).SelectMany(c => c.Bytes.ToArray())];
        Assert.Equal(value, fetched);
        Assert.All(node.All<Chunk>(), c => Assert.True(manifest.Verify((int)c.Index, c.Bytes.Span)));
    }

    [Fact]
    public void Chunks_of_a_small_value_can_be_asked_for_and_chunks_behind_the_last_are_not_answered()
    {
        byte[] value = Bytes(1_000);
        (HostRig rig, NodeRig node) = With(value);
        Digest160 digest = ContentDigest.Compute(value);
        node.Send(new ChunkRequest(HostRig.ShopTopic, digest, 0, 64));
        node.Send(new ChunkRequest(HostRig.ShopTopic, digest, 1, 1));
        node.Send(new ChunkRequest(HostRig.ShopTopic, digest, uint.MaxValue, 64));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.Chunk], node.Types);
        Assert.Equal(value, node.Only<Chunk>().Bytes.ToArray());
    }

    [Fact]
    public void More_than_64_chunks_at_once_are_refused_as_missing()
    {
        byte[] value = Bytes(1_000);
        (HostRig rig, NodeRig node) = With(value);
        Digest160 digest = ContentDigest.Compute(value);
        node.Send(new ChunkRequest(HostRig.ShopTopic, digest, 0, 65));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.BodyMissing], node.Types);
        Assert.Equal(new BodyMissing(HostRig.ShopTopic, digest), node.Only<BodyMissing>());
        Assert.Equal(0, rig.Counters.ControlRefused);
    }

    [Fact]
    public void A_value_that_is_not_there_is_missing_and_what_was_asked_after_it_comes_all_the_same()
    {
        byte[] value = Bytes(1_000);
        (HostRig rig, NodeRig node) = With(value);
        var unknown = Digest160.Hash("test"u8, [1]);
        node.Send(new BodyRequest(HostRig.ShopTopic, unknown));
        node.Send(new ChunkRequest(HostRig.ShopTopic, unknown, 0, 1));
        node.Send(new BodyRequest(HostRig.ShopTopic, ContentDigest.Compute(value)));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.BodyMissing, MessageType.BodyMissing, MessageType.Body], node.Types);
        Assert.All(node.All<BodyMissing>(), m => Assert.Equal(new BodyMissing(HostRig.ShopTopic, unknown), m));
        Assert.Equal(0, rig.Counters.ControlRefused);
    }

    [Theory]
    [InlineData(HostRig.CartTopic)]
    [InlineData(99u)]
    public void What_is_not_of_the_nodes_interest_is_missing_and_counted(uint topic)
    {
        byte[] value = Bytes(1_000);
        (HostRig rig, NodeRig node) = With(value);
        Digest160 digest = ContentDigest.Compute(value);
        node.Send(new BodyRequest(topic, digest));
        node.Send(new ChunkRequest(topic, digest, 0, 1));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.BodyMissing, MessageType.BodyMissing], node.Types);
        Assert.All(node.All<BodyMissing>(), m => Assert.Equal(new BodyMissing(topic, digest), m));
        Assert.Equal(2, rig.Counters.ControlRefused);
        Assert.Null(node.ClosedReason);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_value_of_another_application_is_missing_under_ones_own_also_while_it_is_in_memory(bool isCached)
    {
        byte[] value = Bytes(1_000);
        Digest160 digest = ContentDigest.Compute(value);
        (HostRig rig, NodeRig node) = With(Bytes(10));
        rig.Publish(HostRig.Cart, ("secret", value));
        NodeRig both = rig.Join(2, j => j with { Interest = [HostRig.Shop, HostRig.Cart] });
        both.Forget();
        if (isCached)
        {
            both.Send(new BodyRequest(HostRig.CartTopic, digest));
            rig.Run(5 * HostRig.MillisecondNs);
            Assert.Equal(value, both.Only<Body>().Bytes.ToArray());
            both.Forget();
        }

        node.Forget();
        node.Send(new BodyRequest(HostRig.ShopTopic, digest));
        node.Send(new ChunkRequest(HostRig.ShopTopic, digest, 0, 1));
        // Missing in one application, it is not taken as missing in the next.
        both.Send(new BodyRequest(HostRig.ShopTopic, digest));
        both.Send(new BodyRequest(HostRig.CartTopic, digest));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.BodyMissing, MessageType.BodyMissing], node.Types);
        Assert.Equal([MessageType.BodyMissing, MessageType.Body], both.Types);
        Assert.Equal(value, both.Only<Body>().Bytes.ToArray());
    }

    [Fact]
    public void Of_128_requests_that_wait_none_more_is_taken_until_some_are_answered()
    {
        byte[] value = Bytes(10);
        (HostRig rig, NodeRig node) = With(value);
        var request = new BodyRequest(HostRig.ShopTopic, ContentDigest.Compute(value));
        for (int i = 0; i < 130; i++)
        {
            node.Send(request);
        }

        rig.Run(5 * HostRig.MillisecondNs);
        // The refusals are said at once, the values when they are read.
        MessageType[] expected = [.. Enumerable.Repeat(MessageType.BodyMissing, 2), .. Enumerable.Repeat(MessageType.Body, 128)];
        Assert.Equal(expected, node.Types);
        node.Forget();
        node.Send(request);
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.Body], node.Types);
    }

    [Fact]
    public void A_node_that_takes_little_at_a_time_gets_all_chunks_once_and_in_order()
    {
        byte[] value = Bytes(900_000);
        (HostRig rig, NodeRig node) = With(value);
        ContentManifest manifest = ContentDigest.Describe(value);
        for (int first = 0; first < manifest.Chunks.Length; first += 64)
        {
            node.Send(new ChunkRequest(HostRig.ShopTopic, manifest.Digest, (uint)first, 64));
        }

        node.Send(new BodyRequest(HostRig.ShopTopic, manifest.Digest));
        for (int i = 0; i < 20; i++)
        {
            rig.Deliver();
            node.IsHeldUp = true;
            rig.Run(2 * HostRig.MillisecondNs);
            node.IsHeldUp = false;
        }

        Assert.Equal(Enumerable.Range(0, manifest.Chunks.Length).Select(i => (uint)i), node.All<Chunk>().Select(c => c.Index));
        Assert.Equal(value, node.All<Chunk>().SelectMany(c => c.Bytes.ToArray()));
        Assert.Equal(MessageType.BodyManifest, node.Types[^1]);
    }

    /// <summary>A host with this value, and a member that was told of everything.</summary>
    private static (HostRig Rig, NodeRig Node) With(byte[] value)
    {
        var rig = new HostRig();
        rig.Publish(HostRig.Shop, ("a.bin", value));
        NodeRig node = rig.Join(1);
        node.Forget();
        return (rig, node);
    }

    private static byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        new Random(count).NextBytes(bytes);
        return bytes;
    }
}
