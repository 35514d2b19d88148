using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class BufferPoolTests
{
    private readonly BufferPool _pool = new(64, 2, isChecked: true);

    [Fact]
    public void An_empty_pool_refuses_until_a_lease_comes_back()
    {
        Assert.True(_pool.TryRent("a", out BufferLease a));
        Assert.True(_pool.TryRent("b", out BufferLease b));
        Assert.NotSame(a.Array, b.Array);
        Assert.False(_pool.TryRent("c", out BufferLease none));
        Assert.True(none.IsNone);
        Assert.Equal(2, _pool.OutstandingCount);
        a.Return();
        Assert.True(_pool.TryRent("c", out _));
    }

    [Fact]
    public void A_leak_is_named_by_its_owner()
    {
        _pool.TryRent("the stream of region 7", out _);
        _pool.TryRent("somebody tidy", out BufferLease tidy);
        tidy.Return();
        string message = Assert.Throws<InvalidOperationException>(_pool.AssertAllReturned).Message;
        Assert.Contains("the stream of region 7", message, StringComparison.Ordinal);
        Assert.DoesNotContain("somebody tidy", message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_pool_with_everything_back_is_content()
    {
        _pool.TryRent("a", out BufferLease a);
        a.Return();
        _pool.AssertAllReturned();
    }

    [Fact]
    public void A_lease_is_returned_once_whoever_holds_copies()
    {
        _pool.TryRent("a", out BufferLease lease);
        BufferLease copy = lease;
        lease.Return();
        Assert.Throws<InvalidOperationException>(copy.Return);
        Assert.Throws<InvalidOperationException>(() => copy.Array);
        default(BufferLease).Return();
        Assert.Throws<InvalidOperationException>(() => default(BufferLease).Array);
    }

    [Fact]
    public void A_late_use_names_who_has_the_buffer_now()
    {
        _pool.TryRent("a", out BufferLease late);
        late.Return();
        _pool.TryRent("the next one", out BufferLease _);
        Assert.Contains("the next one", Assert.Throws<InvalidOperationException>(late.Return).Message, StringComparison.Ordinal);
        Assert.Contains("the next one", Assert.Throws<InvalidOperationException>(() => late.Span.Length).Message, StringComparison.Ordinal);
        Assert.Equal(1, _pool.OutstandingCount);
    }

    [Fact]
    public void A_checked_pool_spoils_what_is_returned()
    {
        _pool.TryRent("a", out BufferLease lease);
        byte[] kept = lease.Array;
        Array.Fill(kept, (byte)1);
        lease.Return();
        Assert.All(kept, b => Assert.Equal(0xDB, b));
    }

    [Fact]
    public void Renting_and_returning_allocate_nothing()
    {
        var pool = new BufferPool(64, 8);
        Assert.Equal(0, Allocation.Of(() =>
        {
            for (int i = 0; i < 5_000; i++)
            {
                pool.TryRent("a", out BufferLease a);
                pool.TryRent("b", out BufferLease b);
                a.Span[0] = 1;
                a.Return();
                b.Return();
            }
        }));
    }
}
