using Microsoft.Extensions.Logging;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests.Telemetry;

/// <summary>A log before there is one.</summary>
public sealed class EarlyLoggerFactoryTests
{
    [Fact]
    public void What_is_logged_early_is_written_in_order_once_there_is_a_log_and_only_the_newest_is_kept()
    {
        using var early = new EarlyLoggerFactory();
        ILogger logger = early.CreateLogger("a");
        for (int i = 0; i < 300; i++)
        {
            Write(logger, i);
        }

        using var target = new TestLoggers();
        early.Use(target);
        Write(logger, 300);

        string[] lines = [.. target.Text.Split('\n').Select(l => l.Trim())];
        Assert.Equal(Enumerable.Range(44, 257).Select(i => $"Warning: line {i}"), lines);
    }

    [Fact]
    public void The_first_log_is_kept()
    {
        using var early = new EarlyLoggerFactory();
        using var first = new TestLoggers();
        using var second = new TestLoggers();
        early.Use(first);
        early.Use(second);
        Write(early.CreateLogger("a"), 1);
        Assert.Contains("line 1", first.Text, StringComparison.Ordinal);
        Assert.Equal(string.Empty, second.Text);
    }

    private static void Write(ILogger logger, int i) => logger.Log(LogLevel.Warning, default, i, null, (n, _) => $"line {n}");
}
