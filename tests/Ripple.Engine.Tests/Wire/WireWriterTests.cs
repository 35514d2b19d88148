using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

public sealed class WireWriterTests
{
    [Theory]
    [InlineData(ushort.MaxValue, true)]
    [InlineData(ushort.MaxValue + 1, false)]
    public void Text_is_as_long_as_its_length_can_say(int length, bool isWritten)
    {
        var writer = new WireWriter(new byte[100_000]);
        writer.WriteText16(new string('x', length));

        Assert.Equal(!isWritten, writer.IsOverflow);
        Assert.Equal(isWritten ? length + 2 : 0, writer.Position);
    }

    [Theory]
    [InlineData(byte.MaxValue, true)]
    [InlineData(byte.MaxValue + 1, false)]
    public void Short_text_is_as_long_as_its_length_can_say(int length, bool isWritten)
    {
        var writer = new WireWriter(new byte[1_000]);
        writer.WriteText8(new string('x', length));

        Assert.Equal(!isWritten, writer.IsOverflow);
        Assert.Equal(isWritten ? length + 1 : 0, writer.Position);
    }
}
