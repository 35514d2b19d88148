using Microsoft.Extensions.Logging;

namespace Quickstart.Hosting;

/// <summary>Keeps the host's last warnings, to be shown if something fails. Any thread.</summary>
internal sealed class HostWarnings : ILoggerFactory, ILogger
{
    private const int LinesMax = 20;

    private readonly Lock _lock = new();
    private readonly Queue<string> _lines = [];

    public void Print()
    {
        lock (_lock)
        {
            foreach (string line in _lines)
            {
                Console.WriteLine($"  host: {line}");
            }
        }
    }

    public ILogger CreateLogger(string categoryName) => this;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
        {
            return;
        }

        lock (_lock)
        {
            _lines.Enqueue($"{formatter(state, exception)} {exception?.Message}");
            if (_lines.Count > LinesMax)
            {
                _lines.Dequeue();
            }
        }
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public void Dispose()
    {
    }
}
