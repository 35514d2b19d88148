using Ripple.Engine.Links;
using Ripple.Simulator.Links;

namespace Ripple.Transports.Tests.Links;

public sealed class InMemoryLinkTests
{
    [Fact]
    public void Nothing_moves_until_it_is_pumped_and_then_in_order()
    {
        var pair = new InMemoryLinkPair(new() { Name = "right" }, new() { Name = "left" });
        Sink right = new(pair.Right);
        Sink left = new(pair.Left);
        Assert.Equal("right", pair.Left.Peer.Name);

        Assert.True(pair.Left.TrySend(16, [1]));
        Assert.True(pair.Left.TrySend(17, []));
        Assert.True(pair.Right.TrySend(18, [2]));
        Assert.Empty(right.Log);
        Assert.Equal(3, pair.Pump());

        Assert.Equal(["16:1", "17:0"], right.Log);
        Assert.Equal(["18:1"], left.Log);
        Assert.Equal(0, pair.Pump());
    }

    [Fact]
    public void Full_buffer_refuses_and_tells_when_half_is_free()
    {
        var pair = new InMemoryLinkPair(LinkPeer.Anonymous, LinkPeer.Anonymous, 140_000);
        Sink left = new(pair.Left);
        _ = new Sink(pair.Right);
        while (pair.Left.TrySend(16, new byte[19_994]))
        {
        }

        Assert.Equal(0, pair.Left.SendRoomBytes);
        pair.Pump(3);
        Assert.Empty(left.Log);
        pair.Pump(1);
        Assert.Equal(["writable"], left.Log);
    }

    [Fact]
    public void Close_reaches_the_other_side_behind_the_frames_and_a_break_loses_them()
    {
        var pair = new InMemoryLinkPair(LinkPeer.Anonymous, LinkPeer.Anonymous);
        Sink left = new(pair.Left);
        Sink right = new(pair.Right);
        pair.Left.TrySend(16, []);
        pair.Left.Close("bye");
        pair.PumpAll();
        Assert.Empty(left.Log);
        Assert.Equal(["16:0", "closed The other side ended the link: bye"], right.Log);
        Assert.False(pair.Right.TrySend(16, []));

        var broken = new InMemoryLinkPair(LinkPeer.Anonymous, LinkPeer.Anonymous);
        Sink a = new(broken.Left);
        Sink b = new(broken.Right);
        broken.Left.TrySend(16, []);
        broken.Break("cable");
        broken.PumpAll();
        Assert.Equal(["closed cable"], a.Log);
        Assert.Equal(["closed cable"], b.Log);
    }

    private sealed class Sink : ILinkHandler
    {
        public Sink(ILink link) => link.Handler = this;

        public List<string> Log { get; } = [];

        public void OnFrame(ushort type, ReadOnlySpan<byte> body) => Log.Add($"{type}:{body.Length}");

        public void OnWritable() => Log.Add("writable");

        public void OnClosed(string reason) => Log.Add($"closed {reason}");
    }
}
