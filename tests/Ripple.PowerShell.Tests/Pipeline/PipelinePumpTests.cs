using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Tests.Pipeline;

/// <summary>Work elsewhere, writes here, in order, and nothing outlives it.</summary>
public sealed class PipelinePumpTests
{
    private readonly List<int> _written = [];

    [Fact]
    public void Writes_come_on_the_callers_thread_and_in_order()
    {
        var thread = Thread.CurrentThread;
        Thread? worker = null;

        PipelinePump.Run(
            async (pump, _) =>
            {
                worker = Thread.CurrentThread;
                await Task.Yield();
                for (int i = 0; i < 1_000; i++)
                {
                    int n = i;
                    pump.Post(() =>
                    {
                        Assert.Same(thread, Thread.CurrentThread);
                        _written.Add(n);
                    });
                }
            },
            CancellationToken.None);

        Assert.Equal(Enumerable.Range(0, 1_000), _written);
        Assert.NotSame(thread, worker);
    }

    [Fact]
    public void A_failure_of_the_work_comes_after_what_it_wrote()
    {
        Assert.Throws<TimeZoneNotFoundException>(() => PipelinePump.Run(
            (pump, _) =>
            {
                pump.Post(() => _written.Add(1));
                throw new TimeZoneNotFoundException();
            },
            CancellationToken.None));

        Assert.Equal([1], _written);
    }

    [Fact]
    public void A_pipeline_that_has_enough_ends_the_work_and_says_so()
    {
        bool isOver = false;

        Assert.Throws<InvalidTimeZoneException>(() => PipelinePump.Run(
            async (pump, cancellationToken) =>
            {
                try
                {
                    pump.Post(() => throw new InvalidTimeZoneException());
                    await Task.Delay(Timeout.Infinite, cancellationToken);
                }
                finally
                {
                    isOver = true;
                }
            },
            CancellationToken.None));

        Assert.True(isOver);
    }

    [Fact]
    public void Work_that_writes_faster_than_the_pipeline_takes_is_let_go_when_it_has_enough() =>
        Assert.Throws<InvalidTimeZoneException>(() => PipelinePump.Run(
            (pump, _) =>
            {
                while (true)
                {
                    pump.Post(() => throw new InvalidTimeZoneException());
                }
            },
            CancellationToken.None));

    [Fact]
    public void Stopping_cancels_the_work()
    {
        using var stop = new CancellationTokenSource();

        Assert.ThrowsAny<OperationCanceledException>(() => PipelinePump.Run(
            async (pump, cancellationToken) =>
            {
                await stop.CancelAsync();
                await Task.Delay(Timeout.Infinite, cancellationToken);
            },
            stop.Token));
    }
}
