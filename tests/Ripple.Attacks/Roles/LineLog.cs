using Microsoft.Extensions.Logging;

namespace Ripple.Attacks.Roles;

/// <summary>Writes warnings as lines that begin with "log".</summary>
internal sealed class LineLog : ILoggerFactory, ILoggerProvider, ILogger
{
    public void AddProvider(ILoggerProvider provider)
    {
    }

    public ILogger CreateLogger(string categoryName) => this;

    public void Dispose()
    {
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
        {
            Console.WriteLine($"log {formatter(state, exception).ReplaceLineEndings(" ")}");
        }
    }
}
