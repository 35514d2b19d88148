using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class KeyOrderTests
{
    [Fact]
    public void Order_is_that_of_the_utf8_bytes()
    {
        string[] parts = ["a", "b", "/", "é", "\uD7FF", "\uE000", "\uFFFD", "\U00010000", "\U0001F600", "\U0010FFFF"];
        var random = new Random(3);
        for (int i = 0; i < 20_000; i++)
        {
            string a = Make(random, parts);
            string b = Make(random, parts);
            int expected = Math.Sign(Encoding.UTF8.GetBytes(a).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(b)));
            Assert.Equal(expected, Math.Sign(KeyOrder.Instance.Compare(a, b)));
        }
    }

    [Fact]
    public void Order_differs_from_that_of_utf16_beyond_the_basic_plane()
    {
        Assert.True(string.CompareOrdinal("\U00010000", "\uE000") < 0);
        Assert.True(KeyOrder.Instance.Compare("\U00010000", "\uE000") > 0);
    }

    private static string Make(Random random, string[] parts) =>
        string.Concat(Enumerable.Range(0, random.Next(5)).Select(_ => parts[random.Next(parts.Length)]));
}
