using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

/// <summary>The tag by which one member proves what it says.</summary>
public sealed class MemberKeyTests
{
    private static readonly byte[] Bytes = [.. Enumerable.Range(1, MemberKey.KeyBytes).Select(i => (byte)i)];

    [Fact]
    public void A_tag_is_of_one_text_region_slot_and_key()
    {
        byte[] tag = new byte[MemberKey.TagBytes];
        new MemberKey(7, 3, Bytes).Sign("text"u8, tag);

        Assert.True(new MemberKey(7, 3, Bytes).IsTagOf("text"u8, tag));
        Assert.False(new MemberKey(7, 3, Bytes).IsTagOf("texu"u8, tag));
        Assert.False(new MemberKey(8, 3, Bytes).IsTagOf("text"u8, tag));
        Assert.False(new MemberKey(7, 4, Bytes).IsTagOf("text"u8, tag));
        Assert.False(new MemberKey(7, 3, new byte[MemberKey.KeyBytes]).IsTagOf("text"u8, tag));
        for (int i = 0; i < tag.Length; i++)
        {
            tag[i] ^= 1;
            Assert.False(new MemberKey(7, 3, Bytes).IsTagOf("text"u8, tag));
            tag[i] ^= 1;
        }

        Assert.False(new MemberKey(7, 3, Bytes).IsTagOf("text"u8, tag.AsSpan(1)));
    }

    /// <summary>Computed once with Python's hmac: both ends of a cluster must agree, whatever build they run.</summary>
    [Fact]
    public void A_tag_is_HMAC_SHA256_over_label_region_slot_and_text()
    {
        byte[] tag = new byte[MemberKey.TagBytes];
        new MemberKey(7, 3, Bytes).Sign("text"u8, tag);
        Assert.Equal("a4a0f2d8cfabb407ac667f1de1a4316a", Convert.ToHexStringLower(tag));
    }

    [Fact]
    public void A_text_longer_than_a_packet_has_no_tag()
    {
        byte[] text = new byte[WireLimits.FramesBytesMax + 1];
        var key = new MemberKey(7, 3, Bytes);
        Assert.False(key.IsTagOf(text, new byte[MemberKey.TagBytes]));
        Assert.Throws<ArgumentOutOfRangeException>(() => key.Sign(text, new byte[MemberKey.TagBytes]));
        Assert.Throws<ArgumentException>(() => new MemberKey(7, 3, Bytes.AsSpan(1)));
    }

    [Fact]
    public void Signing_and_verifying_allocate_nothing()
    {
        byte[] text = new byte[1_000];
        byte[] tag = new byte[MemberKey.TagBytes];
        var key = new MemberKey(7, 3, Bytes);
        long bytes = Allocation.Of(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                key.Sign(text, tag);
                Assert.True(key.IsTagOf(text, tag));
            }
        });
        Assert.Equal(0, bytes);
    }
}
