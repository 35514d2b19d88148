using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class StableHashTests
{
    [Fact]
    public void The_same_input_gives_the_same_number_in_every_process()
    {
        StableHash hash = StableHash.Create();
        hash.Add("ripple");
        hash.Add(42L);
        hash.Add([1, 2, 3]);
        Assert.Equal("552F9BB89B6B192E", hash.Value.ToString("X16", null));
        Assert.Equal(hash.Value, hash.Value);
    }

    [Fact]
    public void Order_and_boundaries_count()
    {
        Assert.NotEqual(Of("a", "b"), Of("b", "a"));
        Assert.NotEqual(Of("ab", "c"), Of("a", "bc"));
        Assert.NotEqual(Of(""), Of());
    }

    private static ulong Of(params string[] parts)
    {
        StableHash hash = StableHash.Create();
        foreach (string part in parts)
        {
            hash.Add(part);
        }

        return hash.Value;
    }
}
