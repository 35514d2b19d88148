using Ripple.Engine.Nodes;

namespace Ripple.Engine.Tests.Nodes;

public sealed class NodeLimitsTests
{
    [Fact]
    public void No_more_calls_than_the_limit_are_in_progress()
    {
        var calls = new CallTable(2);
        uint first = calls.Register(_ => { });
        Assert.NotEqual(0u, first);
        Assert.NotEqual(0u, calls.Register(_ => { }));
        Assert.Equal(0u, calls.Register(_ => { }));
        calls.Complete(first);
        Assert.NotEqual(0u, calls.Register(_ => { }));
        Assert.Equal(2, calls.Count);
    }
}
