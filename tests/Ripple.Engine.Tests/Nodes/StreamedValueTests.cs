using System.Text;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;
using static Ripple.Engine.Tests.Nodes.ValueMessages;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Values that follow their release in the stream: believed by their hashes alone, and asked for where they do not come.</summary>
public sealed partial class StreamedValueTests : IDisposable
{
    /// <summary>What a sender may be ahead of a member's floor with values, without the headers.</summary>
    private const int HalfWindowBytes = 1_400_000;

    private readonly NodeRig _rig = new NodeRig().Join();
    private readonly ReleaseChain _chain = new();
    private ulong _sequence = NodeRig.FirstSequence;

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void A_value_that_follows_is_whole_with_its_last_chunk_and_nothing_is_asked_for()
    {
        string value = Text(1, 300_000);
        Receive(_chain.Follow(("a", value)));
        List<byte[]> parts = Parts(value);
        foreach (byte[] part in parts)
        {
            Assert.Empty(_rig.Applied);
            Receive(part);
        }

        Assert.Equal(value, Applied("a"));
        Assert.Empty(_rig.Host.All<BodyRequest>());
        Assert.Empty(_rig.Host.All<ChunkRequest>());
        Assert.Equal((1, 0), (_rig.Node.Counters.ValuesStreamed, _rig.Node.Counters.ValuesAsked));
    }

    [Theory]
    [InlineData(1, 200_000)]
    [InlineData(2, 200_000)]
    [InlineData(3, 200_000)]
    [InlineData(4, HalfWindowBytes)]
    [InlineData(5, HalfWindowBytes)]
    public void Parts_come_in_any_order_and_before_their_release_is_verified(int seed, int length)
    {
        string value = Text(seed, length);
        _rig.Verifier.IsLate = true;
        Receive(_chain.Follow(("a", value)));
        byte[][] parts = [.. Parts(value)];
        new Random(seed).Shuffle(parts);
        Array.ForEach(parts, Receive);
        Assert.Empty(_rig.Applied);
        _rig.Verifier.Asked[0].Answer(true);
        _rig.Pump();

        Assert.Equal(value, Applied("a"));
        Assert.Empty(_rig.Host.All<BodyRequest>());
    }

    [Fact]
    public void Chunks_of_the_value_before_serve_again()
    {
        string before = Text(1, 200_000);
        Receive(_chain.Follow(("a", before)));
        Parts(before).ForEach(Receive);
        string after = before[..100_000] + "!" + before[100_001..];
        Receive(_chain.Follow(("a", after)));
        List<byte[]> parts = Parts(after, before);
        Assert.InRange(parts.Count, 2, 4);
        parts.ForEach(Receive);

        Assert.Equal(after, Applied("a"));
        Assert.Empty(_rig.Host.All<BodyRequest>());
    }

    [Fact]
    public void One_value_of_two_keys_comes_once()
    {
        string value = Text(1, 50_000);
        Receive(_chain.Follow(("a", value), ("b", value)));
        Parts(value).ForEach(Receive);

        Assert.Equal((value, value), (Applied("a"), Applied("b")));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Values_of_one_release_come_in_any_order(int seed)
    {
        // Far more than is kept of what nobody waits for.
        (string Key, string Value)[] values = [.. Enumerable.Range(0, 8).Select(i => ($"{i}", Text((10 * seed) + i, 150_000)))];
        Receive(_chain.Follow(values));
        Array.ForEach(values, v => Receive(Parts(v.Value)[0]));
        byte[][] chunks = [.. values.SelectMany(v => Parts(v.Value)[1..])];
        new Random(seed).Shuffle(chunks);
        Array.ForEach(chunks, Receive);

        Assert.Equal(values.Select(v => v.Value), values.Select(v => Applied(v.Key)));
        Assert.Empty(_rig.Host.All<BodyRequest>());
        Assert.Equal((8, 0), (_rig.Node.Counters.ValuesStreamed, _rig.Node.Counters.ValuesAsked));
    }

    [Fact]
    public void Of_several_values_those_that_do_not_come_are_asked_for()
    {
        (string Key, string Value)[] values = [.. Enumerable.Range(0, 5).Select(i => ($"{i}", Text(i, 20_000)))];
        Receive(_chain.Follow(values));
        foreach ((_, string value) in values.Where((_, i) => i is not (1 or 3)))
        {
            Parts(value).ForEach(Receive);
        }

        _rig.Run(1_600 * NodeRig.MsNs);
        Assert.Equal(
            new[] { values[1], values[3] }.Select(v => Manifest(v.Value).Digest).Order(),
            _rig.Host.All<BodyRequest>().Select(r => r.Digest).Order());
        foreach ((_, string value) in new[] { values[3], values[1] })
        {
            _rig.Send(new Body(NodeRig.Topic, Manifest(value).Digest, Encoding.UTF8.GetBytes(value)));
        }

        _rig.Confirm();
        Assert.Equal(values.Select(v => v.Value), values.Select(v => Applied(v.Key)));
    }

    [Fact]
    public void What_does_not_come_is_asked_for_after_a_second_without_anything_new()
    {
        string value = Text(1, 300_000);
        ContentManifest manifest = Manifest(value);
        Receive(_chain.Follow(("a", value)));
        List<byte[]> parts = Parts(value);
        for (int i = 0; i < parts.Count; i++)
        {
            if (i - 1 is not (5 or 6))
            {
                Receive(parts[i]);
            }
        }

        _rig.Run(900 * NodeRig.MsNs);
        _rig.Refute();
        Assert.Empty(_rig.Host.All<ChunkRequest>());
        _rig.Run(700 * NodeRig.MsNs);
        ChunkRequest request = _rig.Host.Only<ChunkRequest>();
        Assert.Equal((manifest.Digest, 5U, 2U), (request.Digest, request.First, request.Count));
        SendChunk(value, 5);
        SendChunk(value, 6);

        Assert.Equal(value, Applied("a"));
        Assert.Empty(_rig.Host.All<BodyRequest>());
        Assert.Equal((0, 1), (_rig.Node.Counters.ValuesStreamed, _rig.Node.Counters.ValuesAsked));
    }

    [Fact]
    public void While_something_new_comes_nothing_is_asked_for()
    {
        string value = Text(1, 300_000);
        Receive(_chain.Follow(("a", value)));
        foreach (byte[] part in Parts(value))
        {
            _rig.Run(500 * NodeRig.MsNs);
            _rig.Refute();
            Receive(part);
        }

        Assert.Equal(value, Applied("a"));
        Assert.Empty(_rig.Host.All<BodyRequest>());
        Assert.Empty(_rig.Host.All<ChunkRequest>());
    }

    [Fact]
    public void What_had_no_room_before_the_release_was_verified_is_asked_for_soon_and_nothing_else()
    {
        string value = Text(1, 3_000_000);
        int chunkCount = Manifest(value).Chunks.Length;
        _rig.Verifier.IsLate = true;
        Receive(_chain.Follow(("a", value)));
        Parts(value).ForEach(Receive);
        _rig.Verifier.Asked[0].Answer(true);
        _rig.Pump();
        int asked = 0;
        for (int i = 0; i < 20 && _rig.Replica.Applied.Keys.Release == 0; i++)
        {
            _rig.Run(100 * NodeRig.MsNs);
            asked += _rig.Host.All<ChunkRequest>().Sum(r => (int)r.Count);
            Serve(value);
        }

        Assert.Equal(value, Applied("a"));
        Assert.InRange(asked, 1, chunkCount / 2);
    }

    [Fact]
    public void Where_nothing_follows_the_value_is_asked_for()
    {
        string value = Text(1, 20_000);
        Receive(_chain.Follow(("a", value)));
        _rig.Run(900 * NodeRig.MsNs);
        _rig.Refute();
        Assert.Empty(_rig.Host.All<BodyRequest>());
        _rig.Run(700 * NodeRig.MsNs);
        Assert.Equal(Manifest(value).Digest, _rig.Host.Only<BodyRequest>().Digest);
        _rig.Send(new Body(NodeRig.Topic, Manifest(value).Digest, Encoding.UTF8.GetBytes(value)));

        Assert.Equal(value, Applied("a"));
    }

    [Theory]
    [InlineData(20_000)]
    [InlineData(100_000)]
    public void What_the_stream_brings_after_the_host_was_asked_does_not_make_the_answer_be_passed_over(int length)
    {
        string value = Text(1, length);
        Receive(_chain.Follow(("a", value)));
        _rig.Run(1_600 * NodeRig.MsNs);
        Assert.Single(_rig.Host.All<BodyRequest>());
        Receive(Parts(value)[0]);
        for (int i = 0; i < 20 && _rig.Replica.Applied.Keys.Release == 0; i++)
        {
            Serve(value);
            _rig.Run(100 * NodeRig.MsNs);
        }

        Assert.Equal(value, Applied("a"));
        Assert.Equal(0, _rig.Node.Counters.Forged);
    }

    [Fact]
    public void Who_is_brought_the_release_by_catch_up_asks_at_once()
    {
        _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Follow(("a", Text(1, 20_000)))));
        Assert.Single(_rig.Host.All<BodyRequest>());
    }

    [Fact]
    public void Behind_another_connection_what_should_have_followed_is_asked_for_at_once()
    {
        string value = Text(1, 20_000);
        Receive(_chain.Follow(("a", value)));
        _rig.Break("cut");
        _rig.Run(NodeRig.SecondNs);
        _rig.Host.Forget();
        _rig.Join();
        Assert.Equal(Manifest(value).Digest, _rig.Host.Only<BodyRequest>().Digest);
    }

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    [InlineData(14)]
    [InlineData(15)]
    public void Whatever_is_lost_late_twice_or_false_the_value_is_the_signed_one(int seed)
    {
        var random = new Random(seed);
        string before = "";
        for (ulong release = 1; release <= 12; release++)
        {
            string value = random.Next(2) == 0 || before.Length < 10_000
                ? Text(random.Next(), random.Next(2_000, 150_000))
                : before[..5_000] + Text(random.Next(), random.Next(1, 50)) + before[random.Next(5_000, 6_000)..];
            Receive(_chain.Follow(("a", value)));
            List<byte[]> sent = [.. Parts(value, random.Next(2) == 0 ? before : null).Where(_ => random.Next(8) > 0)];
            sent.AddRange(sent.Where(_ => random.Next(6) == 0).ToArray());
            sent.AddRange(sent.Where(_ => random.Next(8) == 0).Select(p => Spoil([.. p], random)).ToArray());
            byte[][] mixed = [.. sent];
            random.Shuffle(mixed);
            Array.ForEach(mixed, Receive);
            for (int i = 0; i < 60 && _rig.Replica.Applied.Keys.Release < release; i++)
            {
                Serve(value);
                _rig.Run(100 * NodeRig.MsNs);
            }

            Assert.Equal(release, _rig.Replica.Applied.Keys.Release);
            Assert.Equal(value, Applied("a"));
            before = value;
        }
    }

    private static byte[] Spoil(byte[] part, Random random)
    {
        part[random.Next(1, part.Length)] ^= (byte)random.Next(1, 256);
        return part;
    }

    private string Applied(string key) => Encoding.UTF8.GetString(_rig.Replica.Applied.Values[key].Span);

    /// <summary>A message of the host's stream, in as many packets as it needs.</summary>
    private void Receive(byte[] message)
    {
        foreach (byte[] frames in RegionSeals.Messages(ref _sequence, NodeRig.Topic, message))
        {
            _rig.Receive(0, Ripple.Engine.Core.PacketClass.Data, frames);
        }
    }

    private void SendManifest(ContentManifest manifest)
    {
        byte[] encoded = manifest.Encode();
        _rig.Send(new BodyManifest(NodeRig.Topic, manifest.Digest, (uint)encoded.Length, 0, encoded));
    }

    private void SendChunk(string value, int index)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(value);
        ContentManifest manifest = ContentDigest.Describe(bytes);
        ContentChunk chunk = manifest.Chunks[index];
        _rig.Send(new Chunk(NodeRig.Topic, manifest.Digest, (uint)index, bytes.AsMemory(chunk.Offset, chunk.Length)));
    }

    /// <summary>The host answers what it was asked.</summary>
    private void Serve(string value)
    {
        ContentManifest manifest = Manifest(value);
        ChunkRequest[] chunks = [.. _rig.Host.All<ChunkRequest>()];
        BodyRequest[] bodies = [.. _rig.Host.All<BodyRequest>()];
        Heartbeat[] heartbeats = [.. _rig.Host.All<Heartbeat>()];
        _rig.Host.Forget();
        // Behind a host that says nothing for long, nothing is decided.
        Array.ForEach(heartbeats, h => _rig.Confirm(h.Sequence));
        foreach (BodyRequest request in bodies.Where(r => r.Digest == manifest.Digest))
        {
            if (value.Length <= 64 * 1_024)
            {
                _rig.Send(new Body(NodeRig.Topic, manifest.Digest, Encoding.UTF8.GetBytes(value)));
            }
            else
            {
                SendManifest(manifest);
            }
        }

        foreach (ChunkRequest request in chunks.Where(r => r.Digest == manifest.Digest))
        {
            for (uint i = request.First; i < Math.Min(request.First + request.Count, (uint)manifest.Chunks.Length); i++)
            {
                SendChunk(value, (int)i);
            }
        }
    }
}
