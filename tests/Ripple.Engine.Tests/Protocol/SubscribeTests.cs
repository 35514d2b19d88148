using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Protocol;

public sealed class SubscribeTests
{
    private const int FlagsFromEnd = 3;

    [Theory]
    [InlineData(0, false, false)]
    [InlineData(1, true, false)]
    [InlineData(2, false, true)]
    [InlineData(3, true, true)]
    public void Nodes_of_before_wrote_whether_more_follow_where_the_flags_are(byte flags, bool hasMore, bool blocks)
    {
        byte[] bytes = Bytes(flags);
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(bytes, out Subscribe? read));
        Assert.Equal((true, hasMore, blocks), (read!.IsResumed, read.HasMore, read.Blocks));
        Assert.Equal(bytes, MessageCodec.Encode(read));
    }

    [Theory]
    [InlineData(4)]
    [InlineData(128)]
    [InlineData(255)]
    public void A_flag_that_nobody_knows_is_malformed(byte flags) =>
        Assert.Equal(DecodeStatus.Malformed, MessageCodec.TryRead(Bytes(flags), out Subscribe? _));

    /// <summary>Up to the ranges, which there are none of, it is what version 7 wrote.</summary>
    private static byte[] Bytes(byte flags)
    {
        byte[] bytes = MessageCodec.Encode(new Subscribe("shop", 7, 1, IsResumed: true, HasMore: false, Blocks: false, []));
        Assert.Equal(new byte[] { 1, 0, 0, 0 }, bytes[^(FlagsFromEnd + 1)..]);
        bytes[^FlagsFromEnd] = flags;
        return bytes;
    }
}
