namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>Waits for what comes by itself.</summary>
internal static class Poll
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    public static Task UntilAsync(Func<bool> condition, string what) => UntilAsync(() => Task.FromResult(condition()), what);

    public static async Task UntilAsync(Func<Task<bool>> condition, string what)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(Limit);
        while (!await condition())
        {
            Assert.False(limit.IsCancellationRequested, $"It did not come within {Limit.TotalSeconds} s: {what}");
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }
    }
}
