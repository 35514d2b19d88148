using System.Security.Cryptography;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class Digest160Tests
{
    [Fact]
    public void Digest_is_a_truncated_sha256_of_domain_and_data()
    {
        byte[] expected = SHA256.HashData("abc"u8)[..20];
        Assert.Equal(expected, Digest160.Hash("a"u8, "bc"u8).ToArray());
        Assert.Equal("ba7816bf8f01cfea414140de5dae2223b00361a3", Digest160.Hash("abc"u8, default).ToString());
    }

    [Fact]
    public void Short_and_long_inputs_hash_alike()
    {
        byte[] data = new byte[1000];
        new Random(1).NextBytes(data);
        for (int length = 490; length < 530; length++)
        {
            Assert.Equal(
                SHA256.HashData(data.AsSpan(0, length))[..20], Digest160.Hash(data.AsSpan(0, 9), data.AsSpan(9, length - 9)).ToArray());
        }
    }

    [Fact]
    public void Text_is_read_back_and_nothing_else_is()
    {
        var digest = Digest160.Hash("x"u8, default);
        Assert.True(Digest160.TryParse(digest.ToString(), out Digest160 lower));
        Assert.True(Digest160.TryParse(digest.ToString().ToUpperInvariant(), out Digest160 upper));
        Assert.Equal(digest, lower);
        Assert.Equal(digest, upper);
        Assert.False(Digest160.TryParse(digest.ToString().AsSpan(1), out _));
        Assert.False(Digest160.TryParse(digest + "00", out _));
        Assert.False(Digest160.TryParse(string.Concat(digest.ToString().AsSpan(0, 39), "g"), out Digest160 none));
        Assert.True(none.IsZero);
    }

    [Fact]
    public void Order_is_the_order_of_bytes()
    {
        var random = new Random(2);
        for (int i = 0; i < 1000; i++)
        {
            byte[] a = new byte[20];
            random.NextBytes(a);
            byte[] b = [.. a];
            b[random.Next(20)] = (byte)random.Next(256);
            Assert.Equal(Math.Sign(a.AsSpan().SequenceCompareTo(b)), Math.Sign(Digest160.Read(a).CompareTo(Digest160.Read(b))));
            Assert.Equal(a.AsSpan().SequenceEqual(b), Digest160.Read(a) == Digest160.Read(b));
        }
    }
}
