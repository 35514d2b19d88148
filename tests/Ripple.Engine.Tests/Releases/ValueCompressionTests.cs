using System.IO.Compression;
using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class ValueCompressionTests
{
    [Fact]
    public void Any_value_comes_back_and_is_shorter_on_the_way_or_not_compressed()
    {
        var random = new Random(1);
        int compressedCount = 0;
        for (int i = 0; i < 2_000; i++)
        {
            byte[] value = new byte[random.Next(1, i % 50 == 0 ? 200_000 : 3_000)];
            random.NextBytes(value);
            // From text of few letters to what no program makes shorter.
            int letters = 1 << random.Next(9);
            for (int at = 0; at < value.Length; at++)
            {
                value[at] = (byte)(value[at] % letters);
            }

            if (ValueCompression.TryCompress(value, int.MaxValue) is not { } compressed)
            {
                Assert.True(letters >= 128 || value.Length < 100);
                continue;
            }

            compressedCount++;
            Assert.InRange(compressed.Length, 1, value.Length - 1);
            byte[] made = new byte[value.Length];
            Assert.True(ValueCompression.TryDecompress(compressed, made));
            Assert.Equal(value, made);
            Assert.Null(ValueCompression.TryCompress(value, compressed.Length - 1));
        }

        Assert.InRange(compressedCount, 500, 2_000);
    }

    [Fact]
    public void The_longest_value_is_compressed_and_no_longer_one()
    {
        Assert.NotNull(ValueCompression.TryCompress(new byte[ValueCompression.ValueBytesMax], 1_000));
        Assert.Null(ValueCompression.TryCompress(new byte[ValueCompression.ValueBytesMax + 1], 1_000));
        Assert.Null(ValueCompression.TryCompress([], 1_000));
        Assert.Null(ValueCompression.TryCompress(new byte[100], 0));
    }

    [Fact]
    public void Room_that_is_not_of_the_value_s_length_is_refused_however_much_the_stream_makes()
    {
        // A megabyte of zeros is some ten bytes.
        byte[] bomb = ValueCompression.TryCompress(new byte[ValueCompression.ValueBytesMax], 1_000)!;
        Assert.InRange(bomb.Length, 1, 100);
        foreach (int length in new[] { 0, 1, 1_000, ValueCompression.ValueBytesMax - 1 })
        {
            Assert.False(ValueCompression.TryDecompress(bomb, new byte[length]));
        }

        byte[] value = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Range(0, 300).Select(i => $"line {i % 7}\n")));
        byte[] compressed = ValueCompression.TryCompress(value, int.MaxValue)!;
        Assert.False(ValueCompression.TryDecompress(compressed, new byte[value.Length + 1]));
        Assert.False(ValueCompression.TryDecompress([.. compressed, 0], new byte[value.Length]));
        for (int length = 0; length < compressed.Length; length++)
        {
            Assert.False(ValueCompression.TryDecompress(compressed.AsSpan(0, length), new byte[value.Length]));
        }
    }

    [Theory]
    [InlineData(10, true)]
    [InlineData(16, true)]
    [InlineData(17, true)]
    [InlineData(18, true)]
    [InlineData(19, false)]
    [InlineData(22, false)]
    [InlineData(24, false)]
    public void A_window_beyond_the_limit_is_refused_by_the_first_byte(int bits, bool isTaken)
    {
        byte[] value = new byte[600_000];
        new Random(2).NextBytes(value.AsSpan(0, 300_000));
        value.AsSpan(0, 300_000).CopyTo(value.AsSpan(300_000));
        byte[] compressed = new byte[BrotliEncoder.GetMaxCompressedLength(value.Length)];
        Assert.True(BrotliEncoder.TryCompress(value, compressed, out int written, 5, bits));
        Assert.Equal(isTaken, ValueCompression.TryDecompress(compressed.AsSpan(0, written), new byte[value.Length]));
    }

    [Fact]
    public void Any_bytes_are_taken_without_an_exception()
    {
        var random = new Random(3);
        byte[] genuine = ValueCompression.TryCompress(Encoding.UTF8.GetBytes(new string('a', 500) + new string('b', 500)), 500)!;
        byte[] room = new byte[1_000];
        for (int i = 0; i < 20_000; i++)
        {
            byte[] bytes = i % 2 == 0 ? [.. genuine] : new byte[random.Next(1, 60)];
            if (i % 2 == 0)
            {
                bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            }
            else
            {
                random.NextBytes(bytes);
            }

            ValueCompression.TryDecompress(bytes, room);
        }
    }
}
