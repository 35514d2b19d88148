using Ripple.Engine.Regions;

namespace Ripple.Engine.Tests.Regions;

public sealed class NodeIdTests
{
    [Fact]
    public void Only_the_default_names_no_node()
    {
        Assert.True(default(NodeId).IsNone);
        Assert.False(new NodeId(0, 1).IsNone);
        Assert.False(new NodeId(1, 0).IsNone);
    }

    [Theory]
    [InlineData(0, 0, "00000000000000000000000000000000")]
    [InlineData(1, 2, "00000000000000010000000000000002")]
    [InlineData(0xFEDC_BA98_7654_3210, 0xFFFF_FFFF_FFFF_FFFF, "fedcba9876543210ffffffffffffffff")]
    public void A_text_and_its_id_are_each_others(ulong high, ulong low, string text)
    {
        var id = new NodeId(high, low);

        Assert.Equal(text, id.ToString());
        Assert.True(NodeId.TryParse(text, out NodeId read));
        Assert.Equal(id, read);
        Assert.True(NodeId.TryParse(text.ToUpperInvariant(), out read));
        Assert.Equal(id, read);
    }

    [Theory]
    [InlineData("")]
    [InlineData("0000000000000001000000000000000")]
    [InlineData("000000000000000100000000000000020")]
    [InlineData("g0000000000000010000000000000002")]
    [InlineData("0000000000000001000000000000000g")]
    [InlineData(" 000000000000001000000000000000 ")]
    public void Other_texts_are_no_ids(string text)
    {
        Assert.False(NodeId.TryParse(text, out NodeId id));
        Assert.True(id.IsNone);
    }

    [Fact]
    public void Ids_are_ordered_as_their_texts_are()
    {
        NodeId[] ids = [new(1, 0), new(0, ulong.MaxValue), new(0, 0), new(ulong.MaxValue, 0), new(1, 1), new(0, 1)];

        Assert.Equal(ids.Select(i => i.ToString()).Order(StringComparer.Ordinal), ids.Order().Select(i => i.ToString()));
        Assert.Equal(0, new NodeId(1, 2).CompareTo(new NodeId(1, 2)));
    }
}
