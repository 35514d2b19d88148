using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using static Ripple.Engine.Tests.Nodes.ValueMessages;

namespace Ripple.Engine.Tests.Nodes;

/// <content>What somebody with the key of the region made up.</content>
public sealed partial class StreamedValueTests
{
    [Fact]
    public void A_false_chunk_is_dropped_and_blamed_and_the_true_one_makes_the_value()
    {
        string value = Text(1, 100_000);
        Receive(_chain.Follow(("a", value)));
        List<byte[]> parts = Parts(value);
        byte[] forged = [.. parts[2]];
        forged[^1] ^= 1;
        Receive(parts[0]);
        Receive(forged);
        Assert.Equal(1, _rig.Node.Counters.Forged);
        parts[1..].ForEach(Receive);

        Assert.Equal(value, Applied("a"));
        Assert.Contains("a part of a value", Assert.Single(_rig.Refusals).Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_manifest_of_another_value_is_dropped_and_blamed()
    {
        string value = Text(1, 100_000);
        Receive(_chain.Follow(("a", value)));
        byte[] forged = new byte[100_000];
        int length = StreamedValue.WriteManifest(forged, Manifest(value).Digest, Manifest(Text(2, 100_000)).Encode());
        Receive(forged[..length]);
        Assert.Equal(1, _rig.Node.Counters.Forged);
        Parts(value).ForEach(Receive);

        Assert.Equal(value, Applied("a"));
    }

    [Fact]
    public void A_manifest_with_the_right_digest_and_wrong_lengths_is_replaced_by_the_host_s()
    {
        string value = Text(1, 100_000);
        ContentManifest manifest = Manifest(value);
        Receive(_chain.Follow(("a", value)));
        Receive(FalseManifest(value));
        Parts(value)[1..].ForEach(Receive);
        Assert.Empty(_rig.Applied);

        _rig.Run(1_600 * NodeRig.MsNs);
        Assert.Empty(_rig.Host.All<ChunkRequest>());
        Assert.Equal(manifest.Digest, _rig.Host.Only<BodyRequest>().Digest);
        SendManifest(manifest);
        for (int i = 0; i < manifest.Chunks.Length; i++)
        {
            SendChunk(value, i);
        }

        Assert.Equal(value, Applied("a"));
    }

    [Fact]
    public void A_false_manifest_that_no_chunk_contradicted_is_found_by_what_the_host_sends()
    {
        string value = Text(1, 100_000);
        ContentManifest manifest = Manifest(value);
        Receive(_chain.Follow(("a", value)));
        Receive(FalseManifest(value));
        _rig.Run(1_600 * NodeRig.MsNs);
        Assert.Equal(0U, _rig.Host.Only<ChunkRequest>().First);
        SendChunk(value, 0);
        Assert.Single(_rig.Host.All<BodyRequest>());
        SendChunk(value, 1);
        SendManifest(manifest);
        for (int i = 0; i < manifest.Chunks.Length; i++)
        {
            SendChunk(value, i);
        }

        Assert.Equal(value, Applied("a"));
    }

    [Fact]
    public void Malformed_parts_are_refused()
    {
        byte[] whole = Parts(Text(1, 5_000))[1];
        for (int length = 1; length <= StreamedValue.OverheadBytes; length++)
        {
            Assert.False(StreamedValue.TryRead(whole.AsSpan(0, length), out _));
        }

        byte[] negative = [.. whole];
        negative[1 + Digest160.Size + 3] = 0x80;
        Assert.False(StreamedValue.TryRead(negative, out _));
        Receive(negative);
        Assert.Equal(1, _rig.Node.Counters.Forged);
    }

    [Fact]
    public void A_false_chunk_does_not_bring_what_the_host_confirmed_into_doubt()
    {
        string value = Text(1, 300_000);
        ContentManifest manifest = Manifest(value);
        Receive(_chain.Follow(("a", value)));
        _rig.Run(1_600 * NodeRig.MsNs);
        SendManifest(manifest);
        byte[] forged = Parts(value)[5];
        forged[^1] ^= 1;
        Receive(forged);
        for (int i = 0; i < manifest.Chunks.Length; i++)
        {
            SendChunk(value, i);
        }

        Assert.Equal(value, Applied("a"));
        Assert.Single(_rig.Host.All<BodyRequest>());
    }
}
