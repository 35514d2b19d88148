using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Publishing;

/// <summary>What the ledger takes for the same publish: the id within a token, and what was there before actors named tokens.</summary>
public sealed class PublishLedgerTests
{
    private static readonly Guid Id = new(7, 0, 0, new byte[8]);
    private static readonly Digest160 Content = Digest160.Hash("test"u8, "a"u8);
    private static readonly Digest160 Other = Digest160.Hash("test"u8, "b"u8);

    [Theory]
    [InlineData("token:a", "token:a", true)]
    [InlineData("token:a/ann", "token:a", true)]
    [InlineData("token:a/ann node:01", "token:a/bob", true)]
    [InlineData("token:a node:01", "token:a node:02", true)]
    [InlineData("token:a node:01", "token:ab node:01", false)]
    [InlineData("token:a", "publisher:token:a", false)]
    public void A_publish_is_its_tokens(string actor, string again, bool isSame)
    {
        var ledger = new PublishLedger([Stored(actor)]);
        Assert.Equal(isSame, ledger.TryGet(again, Id, Content, out _));
        Assert.Equal(isSame, ledger.TryGet(again, Id, Other, out _));
    }

    [Fact]
    public void A_publish_from_before_actors_named_tokens_is_known_by_its_id_and_content()
    {
        var ledger = new PublishLedger([Stored("publisher:ann")]);
        Assert.True(ledger.TryGet("token:a node:01", Id, Content, out PublishLedger.Entry? known));
        Assert.Equal(3UL, known!.Release);
        Assert.False(ledger.TryGet("token:a node:01", Id, Other, out _));
        Assert.False(ledger.TryGet("token:a node:01", Guid.NewGuid(), Content, out _));
    }

    [Fact]
    public void An_actor_names_the_token_its_name_and_the_node()
    {
        var token = new AccessToken("t1", new byte[32], [], 1, null, null);
        var node = new NodeId(1, 0xab);
        Assert.Equal("token:t1", ActorText.Of(token));
        Assert.Equal("token:t1/ann", ActorText.Of(token with { Name = "ann" }));
        Assert.Equal("token:t1/ann node:000000000000000100000000000000ab", ActorText.Of("t1", token with { Name = "ann" }, node));
        Assert.Equal("token:t1 node:000000000000000100000000000000ab", ActorText.Of("t1", null, node));
    }

    private static StoredPublish Stored(string actor) => new(Id, Content, 3, 1, Content, actor, 1);
}
