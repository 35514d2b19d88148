using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Ripple.Gms.Tests.Server;

/// <summary>Keeps every line of a log, whatever its level.</summary>
internal sealed class LineLogs : ILoggerFactory, ILogger
{
    public ConcurrentQueue<(int Id, LogLevel Level, string Text)> Lines { get; } = new();

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        Lines.Enqueue((eventId.Id, logLevel, $"{formatter(state, exception)} {exception}"));

    public void Dispose()
    {
    }
}
