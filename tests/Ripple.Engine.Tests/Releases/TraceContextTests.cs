using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class TraceContextTests
{
    private const string Text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    [Fact]
    public void A_context_comes_back_as_it_was_written()
    {
        TraceContext context = TraceContext.TryParse(Text)!;
        byte[] bytes = new byte[TraceContext.Bytes];
        context.Write(bytes);
        Assert.Equal(Text, TraceContext.TryRead(bytes)!.ToString());
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")]
    [InlineData("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01")]
    [InlineData("00-00000000000000000000000000000000-b7ad6b7169203331-01")]
    [InlineData("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01")]
    [InlineData("00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01")]
    [InlineData("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g")]
    [InlineData("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-00")]
    public void What_is_no_context_is_none(string? text) => Assert.Null(TraceContext.TryParse(text));

    [Fact]
    public void Bytes_of_another_length_or_of_zeros_are_none()
    {
        Assert.Null(TraceContext.TryRead(new byte[TraceContext.Bytes]));
        Assert.Null(TraceContext.TryRead([1]));
    }
}
