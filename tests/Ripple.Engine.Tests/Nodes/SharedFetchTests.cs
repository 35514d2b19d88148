using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Simulator.Links;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Nodes of one core that get one value: what one has serves the other, and holds it up in nothing.</summary>
public sealed class SharedFetchTests : IDisposable
{
    private readonly NodeRig _rig = new();
    private readonly List<InMemoryLinkPair> _links = [];
    private readonly byte[] _value = new byte[400_000];

    public SharedFetchTests() => new Random(1).NextBytes(_value);

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void Of_two_nodes_of_a_core_that_ask_at_once_both_go_on_whoever_is_answered_first()
    {
        ContentManifest manifest = ContentDigest.Describe(_value);
        var assemblies = new ValueAssemblies();
        var got = new List<byte[]?>();
        using var one = new BodyFetcher(_rig.Core, assemblies, _rig.Node.Counters);
        using var other = new BodyFetcher(_rig.Core, assemblies, _rig.Node.Counters);
        HostEnd[] hosts = [Connect(one), Connect(other)];
        var wanted = new WantedValue(manifest.Digest, _value.Length, IsStreamed: true);
        one.Fetch(1, wanted, f => got.Add(f.Bytes?.ToArray()));
        other.Fetch(1, wanted, f => got.Add(f.Bytes?.ToArray()));
        _rig.Run(2 * NodeRig.SecondNs);
        _links.ForEach(l => l.PumpAll());
        Assert.All(hosts, h => Assert.Equal(manifest.Digest, h.Only<BodyRequest>().Digest));

        var answer = new BodyManifest(1, manifest.Digest, (uint)manifest.EncodedBytes, 0, manifest.Encode());
        one.OnManifest(answer);
        other.OnManifest(answer);
        for (int i = 0; i < manifest.Chunks.Length; i++)
        {
            ContentChunk chunk = manifest.Chunks[i];
            one.OnChunk(new Chunk(1, manifest.Digest, (uint)i, _value.AsMemory(chunk.Offset, chunk.Length)));
        }

        Assert.Equal([_value], got);
        ContentChunk first = manifest.Chunks[0];
        other.OnChunk(new Chunk(1, manifest.Digest, 0, _value.AsMemory(first.Offset, first.Length)));
        Assert.Equal([_value, _value], got);
    }

    private HostEnd Connect(BodyFetcher fetcher)
    {
        var links = new InMemoryLinkPair(
            new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" }, new LinkPeer { Kind = LinkPeerKind.Node, Name = "node" }, 262_144);
        var host = new HostEnd();
        links.Right.Handler = host;
        fetcher.SetLink(links.Left);
        _links.Add(links);
        return host;
    }
}
