using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Ripple.Client.Tests;

/// <summary>Keeps what is logged.</summary>
internal sealed class TestLogger : ILogger, ILoggerFactory
{
    private readonly ConcurrentQueue<string> _lines = new();

    public IReadOnlyCollection<string> Lines => _lines;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        _lines.Enqueue($"{logLevel}: {formatter(state, exception)}");

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider)
    {
        // There is one.
    }

    public void Dispose()
    {
        // Nothing is held.
    }
}
