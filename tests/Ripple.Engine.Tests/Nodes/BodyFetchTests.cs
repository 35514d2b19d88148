using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Values that are fetched by digest: whole or by chunks, some at a time, and nothing that is not what the digest says.</summary>
public sealed class BodyFetchTests : IDisposable
{
    private static readonly byte[] Long = Bytes(1, 400_000);
    private readonly NodeRig _rig = new NodeRig().Join();
    private readonly List<byte[]?> _done = [];

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void A_small_value_comes_whole()
    {
        Fetch("one"u8);
        Assert.Equal(new BodyRequest(NodeRig.Topic, ContentDigest.Compute("one"u8)), _rig.Host.Only<BodyRequest>());
        Assert.Empty(_done);

        Answer("one"u8);
        Assert.Equal(["one"u8.ToArray()], _done);
    }

    [Fact]
    public void Sixteen_values_are_fetched_at_a_time_and_come_in_any_order()
    {
        byte[][] values = [.. Enumerable.Range(0, 20).Select(i => new[] { (byte)i })];
        foreach (byte[] value in values)
        {
            Fetch(value);
        }

        Assert.Equal(BodyFetcher.FetchesMax, _rig.Host.All<BodyRequest>().Count);
        // Not its turn yet.
        Answer(values[19]);
        Assert.Empty(_done);

        Answer(values[5]);
        Assert.Equal(BodyFetcher.FetchesMax + 1, _rig.Host.All<BodyRequest>().Count);
        foreach (byte[] value in values)
        {
            Answer(value);
        }

        Assert.Equal(values[5], _done[0]);
        Assert.Equal(values.Select(v => v[0]), _done.Select(d => d![0]).Order());
    }

    [Fact]
    public void Long_values_under_way_have_no_more_bytes_than_the_longest()
    {
        using var rig = new BodyFetcher(_rig.Core, new ValueAssemblies(), _rig.Node.Counters);
        var links = new Ripple.Simulator.Links.InMemoryLinkPair(
            new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" }, new LinkPeer { Kind = LinkPeerKind.Node, Name = "node" }, 262_144);
        var host = new HostEnd();
        links.Right.Handler = host;
        rig.SetLink(links.Left);
        for (byte i = 0; i < 5; i++)
        {
            rig.Fetch(1, new WantedValue(ContentDigest.Compute([i]), BodyFetcher.BytesMax / 2), _ => { });
        }

        links.PumpAll();
        Assert.Equal(2, host.All<BodyRequest>().Count);
        rig.OnMissing(new BodyMissing(1, ContentDigest.Compute([0])));
        links.PumpAll();
        Assert.Equal(3, host.All<BodyRequest>().Count);
    }

    [Fact]
    public void Who_asks_for_a_value_that_is_under_way_shares_it()
    {
        Fetch("one"u8);
        Fetch("one"u8);
        Assert.Single(_rig.Host.All<BodyRequest>());
        Answer("one"u8);

        Assert.Equal(["one"u8.ToArray(), "one"u8.ToArray()], _done);
    }

    [Fact]
    public void A_value_of_a_release_that_was_not_to_be_had_is_asked_for_again_on_the_same_connection()
    {
        _rig.Send(new CatchUpRelease(NodeRig.Topic, new ReleaseChain().Next(true, 0, ("a", "one"))));
        var at = new List<long>();
        long beganNs = _rig.Core.NowNs;
        while (_rig.Core.NowNs < beganNs + (30 * NodeRig.SecondNs))
        {
            foreach (BodyRequest request in _rig.Host.All<BodyRequest>())
            {
                at.Add((_rig.Core.NowNs - beganNs) / NodeRig.MsNs);
                _rig.Host.Forget();
                _rig.Send(new BodyMissing(NodeRig.Topic, request.Digest));
            }

            _rig.Run(100 * NodeRig.MsNs);
            _rig.Refute();
        }

        Assert.Equal([0, 100, 300, 700, 1_500, 3_100, 6_300, 12_700, 20_700, 28_700], at);
        Assert.Empty(_rig.Applied);
        // A store that is busy for a moment is not told; one that stays without the value is, by name.
        IntakeRefusal told = _rig.Refusals[0];
        Assert.Equal((1UL, "a", ContentDigest.Compute("one"u8)), (told.Release, told.Key, told.Digest));
        Assert.InRange(_rig.Refusals.Count, 4, 7);
        Assert.Equal(0, _rig.Node.Counters.Forged);

        for (int i = 0; i < 8; i++)
        {
            _rig.Run(NodeRig.SecondNs);
            _rig.Refute();
        }

        Answer("one"u8);
        Assert.Single(_rig.Applied);
    }

    [Fact]
    public void A_value_that_is_refused_is_told_by_name()
    {
        _rig.Send(new CatchUpRelease(NodeRig.Topic, new ReleaseChain().Next(true, 0, ("a", "one"))));
        _rig.Send(new Body(NodeRig.Topic, ContentDigest.Compute("one"u8), "onE"u8.ToArray()));

        IntakeRefusal told = Assert.Single(_rig.Refusals);
        Assert.Equal((1UL, "a", ContentDigest.Compute("one"u8)), (told.Release, told.Key, told.Digest));
        Assert.Contains("its bytes are not those of its digest", told.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_connection_that_is_gone_ends_the_asking_until_the_next()
    {
        _rig.Send(new CatchUpRelease(NodeRig.Topic, new ReleaseChain().Next(true, 0, ("a", "one"))));
        _rig.Break("cut");
        _rig.Run(NodeRig.SecondNs);
        _rig.Host.Forget();
        _rig.Join();
        Assert.Single(_rig.Host.All<BodyRequest>());
        Answer("one"u8);

        Assert.Single(_rig.Applied);
        Assert.Empty(_rig.Refusals);
    }

    [Fact]
    public void Bytes_that_are_not_those_of_the_digest_are_not_handed_on()
    {
        Fetch("one"u8);
        _rig.Send(new Body(NodeRig.Topic, ContentDigest.Compute("one"u8), "onE"u8.ToArray()));

        Assert.Equal([null], _done);
    }

    [Fact]
    public void Bytes_of_another_length_than_the_release_says_are_not_handed_on()
    {
        _rig.Node.FetchBody(NodeRig.Topic, ContentDigest.Compute("one"u8), 4, bytes => _done.Add(bytes?.ToArray()));
        Answer("one"u8);

        Assert.Equal([null], _done);
    }

    [Fact]
    public void A_value_that_the_host_does_not_have_is_given_up_and_the_others_come()
    {
        Fetch("one"u8);
        Fetch("two"u8);
        _rig.Send(new BodyMissing(NodeRig.Topic, ContentDigest.Compute("three"u8)));
        Assert.Empty(_done);

        _rig.Send(new BodyMissing(NodeRig.Topic, ContentDigest.Compute("one"u8)));
        Assert.Equal([null], _done);
        Answer("two"u8);
        Assert.Equal([null, "two"u8.ToArray()], _done);
    }

    [Fact]
    public void A_long_value_comes_by_its_manifest_in_parts_and_sixteen_chunks_a_request()
    {
        ContentManifest manifest = ContentDigest.Describe(Long);
        Assert.True(manifest.Chunks.Length > 32);
        Fetch(Long);
        SendManifest(manifest, partBytes: 500);

        int answered = 0;
        while (_done.Count == 0)
        {
            ChunkRequest request = _rig.Host.All<ChunkRequest>()[^1];
            Assert.Equal((NodeRig.Topic, manifest.Digest, (uint)answered), (request.Topic, request.Digest, request.First));
            Assert.Equal(Math.Min(16, manifest.Chunks.Length - answered), (int)request.Count);
            for (int i = 0; i < (int)request.Count; i++)
            {
                Assert.Empty(_done);
                SendChunk(manifest, answered++);
            }
        }

        Assert.Equal([Long], _done);
        Assert.Equal((manifest.Chunks.Length + 15) / 16, _rig.Host.All<ChunkRequest>().Count);
    }

    [Fact]
    public void Chunks_that_are_here_in_the_value_before_are_not_fetched()
    {
        byte[] before = Bytes(2, 60_000);
        byte[] after = [.. before];
        after[30_000] ^= 1;
        var chain = new ReleaseChain();
        _rig.Send(new CatchUpRelease(NodeRig.Topic, chain.Next(true, 1_000_000, ("a", Text(before)))));
        _rig.Send(new CatchUpRelease(NodeRig.Topic, chain.Next(true, 0, ("a", Text(after)))));
        byte[] value = System.Text.Encoding.UTF8.GetBytes(Text(after));
        ContentManifest manifest = ContentDigest.Describe(value);
        SendManifest(manifest, 100_000);

        ChunkRequest request = _rig.Host.Only<ChunkRequest>();
        Assert.InRange((int)request.Count, 1, 3);
        Assert.True(manifest.Chunks.Length > 4);
        for (uint i = 0; i < request.Count; i++)
        {
            ContentChunk chunk = manifest.Chunks[(int)(request.First + i)];
            _rig.Send(new Chunk(NodeRig.Topic, manifest.Digest, request.First + i, value.AsMemory(chunk.Offset, chunk.Length)));
        }

        Assert.Equal(2UL, _rig.Replica.Applied.Keys.Release);
        Assert.Equal(value, _rig.Replica.Applied.Values["a"].ToArray());
    }

    [Fact]
    public void A_manifest_that_is_not_of_the_digest_is_refused()
    {
        byte[] other = ContentDigest.Describe(Bytes(3, 400_000)).Encode();
        Fetch(Long);
        _rig.Send(new BodyManifest(NodeRig.Topic, ContentDigest.Compute(Long), (uint)other.Length, 0, other));

        Assert.Equal([null], _done);
        Assert.Empty(_rig.Host.All<ChunkRequest>());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Parts_of_a_manifest_that_do_not_fit_each_other_are_refused(int kind)
    {
        byte[] bytes = ContentDigest.Describe(Long).Encode();
        uint total = (uint)bytes.Length;
        Fetch(Long);
        Part(total, 0, bytes.AsMemory(0, 100));
        Assert.Empty(_done);
        switch (kind)
        {
            case 1:
                Part(total, 101, bytes.AsMemory(101));
                break;
            case 2:
                Part(total + 1, 100, bytes.AsMemory(100));
                break;
            default:
                Part(total, 100, new byte[total]);
                break;
        }

        Assert.Equal([null], _done);
    }

    [Fact]
    public void A_manifest_longer_than_any_value_has_is_passed_over()
    {
        Fetch(Long);
        Part(ContentManifest.EncodedBytesMax + 1, 0, new byte[10]);
        Assert.Empty(_done);

        SendManifest(ContentDigest.Describe(Long), 100_000);
        Assert.Single(_rig.Host.All<ChunkRequest>());
    }

    [Fact]
    public void A_chunk_that_is_not_the_manifest_s_gives_the_value_up()
    {
        ContentManifest manifest = ContentDigest.Describe(Long);
        Fetch(Long);
        Fetch("next"u8);
        SendManifest(manifest, 100_000);
        _rig.Send(new Chunk(NodeRig.Topic, manifest.Digest, 0, new byte[manifest.Chunks[0].Length]));

        Assert.Equal([null], _done);
        Answer("next"u8);
        Assert.Equal([null, "next"u8.ToArray()], _done);
    }

    [Fact]
    public void Chunks_that_nobody_asked_for_are_passed_over()
    {
        ContentManifest manifest = ContentDigest.Describe(Long);
        SendChunk(manifest, 0);
        Fetch(Long);
        SendChunk(manifest, 0);
        Assert.Empty(_done);
        SendManifest(manifest, 100_000);

        Assert.Equal(0U, _rig.Host.Only<ChunkRequest>().First);
        Assert.Equal(16U, _rig.Host.Only<ChunkRequest>().Count);
    }

    [Fact]
    public void A_connection_that_is_gone_fails_what_is_under_way_and_what_waits()
    {
        Fetch("one"u8);
        Fetch("two"u8);
        _rig.Break("cut");
        Assert.Equal([null, null], _done);

        Fetch("three"u8);
        Assert.Equal([null, null, null], _done);
    }

    [Fact]
    public void What_was_begun_on_one_connection_is_not_ended_on_the_next()
    {
        ContentManifest manifest = ContentDigest.Describe(Long);
        Fetch(Long);
        SendManifest(manifest, 100_000);
        _rig.Break("cut");
        _rig.Run(NodeRig.SecondNs);
        _rig.Host.Forget();
        _rig.Join();
        SendChunk(manifest, 0);
        Fetch(Long);

        // From the start: whole, or by a manifest.
        Assert.Equal(manifest.Digest, _rig.Host.Only<BodyRequest>().Digest);
        Assert.Empty(_rig.Host.All<ChunkRequest>());
    }

    [Fact]
    public void A_request_that_found_no_room_is_made_when_there_is_some()
    {
        int filling = 0;
        while (_rig.Node.Link!.TrySend(new CatchUpEnd(1, 1, 1)))
        {
            filling++;
        }

        Fetch("one"u8);

        Assert.Equal(filling, _rig.Host.All<CatchUpEnd>().Count);
        Assert.Single(_rig.Host.All<BodyRequest>());
        Answer("one"u8);
        Assert.Single(_done);
    }

    [Fact]
    public void A_release_whose_value_could_not_be_had_waits_and_is_asked_of_the_host()
    {
        var chain = new ReleaseChain();
        _rig.Send(new CatchUpRelease(NodeRig.Topic, chain.Next(true, 0, ("a", "value"))));
        _rig.Send(new BodyMissing(NodeRig.Topic, ContentDigest.Compute("value"u8)));
        Assert.Empty(_rig.Applied);

        _rig.Run(300 * NodeRig.MsNs);
        Assert.Equal(0UL, _rig.Host.Only<CatchUpRequest>().Release);
    }

    private static byte[] Bytes(int seed, int count)
    {
        byte[] bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>A text of one byte for each byte, so that an edit stays one.</summary>
    private static string Text(byte[] bytes) => string.Concat(bytes.Select(b => (char)('0' + (b % 64))));

    private void Fetch(ReadOnlySpan<byte> value)
    {
        _rig.Node.FetchBody(NodeRig.Topic, ContentDigest.Compute(value), value.Length, bytes => _done.Add(bytes?.ToArray()));
        _rig.Pump();
    }

    private void Answer(ReadOnlySpan<byte> value) => _rig.Send(new Body(NodeRig.Topic, ContentDigest.Compute(value), value.ToArray()));

    private void Part(uint total, uint offset, ReadOnlyMemory<byte> bytes) =>
        _rig.Send(new BodyManifest(NodeRig.Topic, ContentDigest.Compute(Long), total, offset, bytes));

    private void SendManifest(ContentManifest manifest, int partBytes)
    {
        byte[] bytes = manifest.Encode();
        for (int offset = 0; offset < bytes.Length; offset += partBytes)
        {
            int length = Math.Min(partBytes, bytes.Length - offset);
            _rig.Send(new BodyManifest(NodeRig.Topic, manifest.Digest, (uint)bytes.Length, (uint)offset, bytes.AsMemory(offset, length)));
        }
    }

    private void SendChunk(ContentManifest manifest, int index)
    {
        ContentChunk chunk = manifest.Chunks[index];
        _rig.Send(new Chunk(NodeRig.Topic, manifest.Digest, (uint)index, Long.AsMemory(chunk.Offset, chunk.Length)));
    }
}
