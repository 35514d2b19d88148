using Ripple.Gms.Sessions;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>One budget for what passes to connections.</summary>
public sealed class TransientBudgetTests
{
    [Fact]
    public void Who_waits_is_let_in_in_order_as_others_give_back()
    {
        var memory = new TransientBudget(100);
        var taken = new List<string>();
        memory.Take(60, () => taken.Add("first"));
        memory.Take(50, () => taken.Add("second"));
        // It would fit, and waits all the same: else large ones would wait for ever.
        memory.Take(10, () => taken.Add("third"));
        Assert.Equal(["first"], taken);

        memory.Return(60);

        Assert.Equal(["first", "second", "third"], taken);
        Assert.Equal(60, memory.Bytes);
    }

    [Fact]
    public void What_nobody_needs_is_given_up_before_anybody_waits()
    {
        var spare = new Queue<long>([30, 40]);
        var memory = new TransientBudget(100);
        Assert.True(memory.TryTake(70));
        memory.Spare = () => spare.TryDequeue(out long bytes) ? bytes : 0;

        Assert.True(memory.TryTake(90));

        Assert.Equal(90, memory.Bytes);
        Assert.Empty(spare);
        Assert.False(memory.TryTake(20));
        Assert.Equal(90, memory.Bytes);
    }

    [Fact]
    public void A_message_that_cannot_wait_goes_before_those_who_do()
    {
        var memory = new TransientBudget(100);
        Assert.True(memory.TryTake(50));
        bool isTaken = false;
        memory.Take(60, () => isTaken = true);

        Assert.True(memory.TryTake(40));
        memory.Return(50);

        Assert.True(isTaken);
        Assert.Equal(100, memory.Bytes);
    }

    [Fact]
    public void One_that_gives_back_at_once_lets_in_the_next()
    {
        var memory = new TransientBudget(100);
        Assert.True(memory.TryTake(100));
        int count = 0;
        for (int i = 0; i < 1_000; i++)
        {
            memory.Take(100, () =>
            {
                count++;
                memory.Return(100);
            });
        }

        memory.Return(100);

        Assert.Equal(1_000, count);
        Assert.Equal(0, memory.Bytes);
    }
}
