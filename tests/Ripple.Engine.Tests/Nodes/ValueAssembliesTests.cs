using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>What the nodes of one core share of the values that come by the stream.</summary>
public sealed class ValueAssembliesTests
{
    private const uint Topic = 9;
    private readonly ValueAssemblies _assemblies = new();

    [Fact]
    public void Two_nodes_that_wait_for_one_value_have_the_same_array()
    {
        byte[] value = Bytes(1, 100_000);
        ContentManifest manifest = ContentDigest.Describe(value);
        ValueAssembly one = _assemblies.Join(Topic, new WantedValue(manifest.Digest, value.Length));
        ValueAssembly other = _assemblies.Join(Topic, new WantedValue(manifest.Digest, value.Length));
        Send(value, manifest);
        Assert.Equal(value, one.Value);
        Assert.Same(one.Value, other.Value);

        _assemblies.Leave(Topic, one);
        Assert.Equal(1, _assemblies.Count);
        _assemblies.Leave(Topic, other);
        Assert.Equal(0, _assemblies.Count);
    }

    [Fact]
    public void A_value_of_another_application_is_another()
    {
        byte[] value = Bytes(1, 10_000);
        ContentManifest manifest = ContentDigest.Describe(value);
        ValueAssembly other = _assemblies.Join(Topic + 1, new WantedValue(manifest.Digest, value.Length));
        Send(value, manifest);
        Assert.Null(other.Value);
    }

    [Fact]
    public void A_node_that_begins_to_wait_when_the_others_are_done_has_what_they_had()
    {
        byte[] value = Bytes(1, 100_000);
        _assemblies.Hold();
        _assemblies.Hold();
        ValueAssembly first = Wait(value);
        Send(value, ContentDigest.Describe(value));
        _assemblies.Leave(Topic, first);
        Assert.Same(first.Value, Wait(value).Value);
        _assemblies.Leave(Topic, first);
        Assert.Equal((1, 100_000L), (_assemblies.Count, _assemblies.WholeBytes));

        _assemblies.Release();
        Assert.Equal((0, 0L), (_assemblies.Count, _assemblies.WholeBytes));
    }

    [Fact]
    public void What_is_whole_and_done_has_bounded_room()
    {
        _assemblies.Hold();
        _assemblies.Hold();
        for (int seed = 0; seed < 12; seed++)
        {
            byte[] value = Bytes(seed, seed == 11 ? ValueAssemblies.WholeBytesMax + 1 : 1_000_000);
            ValueAssembly assembly = Wait(value);
            Send(value, ContentDigest.Describe(value));
            Assert.NotNull(assembly.Value);
            _assemblies.Leave(Topic, assembly);
            Assert.InRange(_assemblies.Count, 1, 4);
        }

        Assert.Equal(1, _assemblies.Count);
    }

    [Fact]
    public void What_nobody_waits_for_has_bounded_room_and_the_oldest_gives_way()
    {
        for (int seed = 0; seed < 300; seed++)
        {
            byte[] value = Bytes(seed, 10_000);
            Send(value, ContentDigest.Describe(value));
            Assert.InRange(_assemblies.EarlyBytes, 1, ValueAssemblies.EarlyBytesMax);
        }

        Assert.Null(Wait(Bytes(0, 10_000)).Value);
        Assert.NotNull(Wait(Bytes(299, 10_000)).Value);
    }

    [Fact]
    public void What_all_nodes_of_a_core_are_sent_is_kept_once()
    {
        byte[] value = Bytes(1, 20_000);
        ContentManifest manifest = ContentDigest.Describe(value);
        Send(value, manifest);
        int bytes = _assemblies.EarlyBytes;
        Send(value, manifest);
        Assert.Equal(bytes, _assemblies.EarlyBytes);
    }

    [Fact]
    public void What_was_kept_is_given_up_when_it_is_taken()
    {
        byte[] value = Bytes(1, 20_000);
        Send(value, ContentDigest.Describe(value));
        Assert.Equal(value, Wait(value).Value);
        Assert.Equal(0, _assemblies.EarlyBytes);
    }

    private static byte[] Bytes(int seed, int count)
    {
        byte[] bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private ValueAssembly Wait(byte[] value) =>
        _assemblies.Join(Topic, new WantedValue(ContentDigest.Compute(value), value.Length));

    private void Send(byte[] value, ContentManifest manifest)
    {
        Assert.True(_assemblies.Take(Topic, new ValuePart(manifest.Digest, ValuePart.Manifest, manifest.Encode())));
        for (int i = 0; i < manifest.Chunks.Length; i++)
        {
            ContentChunk chunk = manifest.Chunks[i];
            Assert.True(_assemblies.Take(Topic, new ValuePart(manifest.Digest, i, value.AsSpan(chunk.Offset, chunk.Length))));
        }
    }
}
