using Microsoft.Extensions.Options;

namespace Worker;

/// <summary>Says the greeting, and says it again whenever a release changed it. Other releases do not wake it.</summary>
public sealed class Greeter(IOptionsMonitor<GreetingOptions> greeting) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        Say(greeting.CurrentValue);
        using IDisposable? listening = greeting.OnChange(Say);
        await Task.Delay(Timeout.Infinite, stoppingToken);
    }

    private static void Say(GreetingOptions greeting) => Console.WriteLine($"{greeting.Text}, {greeting.To}!");
}
