using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Tests.Lists;

public sealed class FieldBlocksTests
{
    [Fact]
    public void Blocks_come_back_as_they_were_written()
    {
        FieldBlock block = new FieldBlock("here").Add("line", "if (a < b) // why: so").Add("seeds", "12");

        FieldBlock read = Assert.Single(FieldBlocks.Parse("# a comment\n\n" + FieldBlocks.Format([block]) + "\n", "list.txt"));

        Assert.Equal(block.Fields, read.Fields);
        Assert.Equal(12, read.Number("seeds"));
        Assert.Empty(read.List("none"));
    }

    [Fact]
    public void Blank_lines_part_blocks() => Assert.Equal(2, FieldBlocks.Parse("a: 1\nb: 2\n\n\na: 3\n", "list.txt").Count);

    [Theory]
    [InlineData("a: 1\nnothing\n", "list.txt:2")]
    [InlineData("a: 1\na: 2\n", "'a'")]
    public void What_is_no_block_is_refused_with_its_place(string text, string expected) =>
        Assert.Contains(
            expected, Assert.Throws<MutantException>(() => FieldBlocks.Parse(text, "list.txt")).Message, StringComparison.Ordinal);

    [Fact]
    public void A_missing_field_is_named()
    {
        FieldBlock block = FieldBlocks.Parse("a: x", "list.txt")[0];

        Assert.Contains("'b'", Assert.Throws<MutantException>(() => block["b"]).Message, StringComparison.Ordinal);
        Assert.Contains("'x'", Assert.Throws<MutantException>(() => block.Number("a")).Message, StringComparison.Ordinal);
    }
}
