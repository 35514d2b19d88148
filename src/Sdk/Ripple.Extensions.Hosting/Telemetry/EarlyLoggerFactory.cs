using Microsoft.Extensions.Logging;

namespace Ripple.Extensions.Hosting.Telemetry;

/// <summary>
/// A logger factory for use before the host's log exists: holds back the newest entries until <see cref="Use"/>, then forwards.
/// Thread-safe.
/// </summary>
internal sealed class EarlyLoggerFactory : ILoggerFactory
{
    private const int LinesMax = 256;
    private readonly Lock _lock = new();
    private readonly Queue<Action<ILoggerFactory>> _held = [];
    private ILoggerFactory? _target;

    private ILoggerFactory? Target => Volatile.Read(ref _target);

    /// <summary>Writes the entries held back, and all later ones, to this factory. Only the first factory given is used.</summary>
    public void Use(ILoggerFactory target)
    {
        lock (_lock)
        {
            if (_target is not null)
            {
                return;
            }

            Volatile.Write(ref _target, target);
            while (_held.TryDequeue(out Action<ILoggerFactory>? write))
            {
                write(target);
            }
        }
    }

    public ILogger CreateLogger(string categoryName) => new EarlyLogger(this, categoryName);

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("Add providers to the host's logging.");

    public void Dispose()
    {
        // The target belongs to its owner.
    }

    private void Hold(Action<ILoggerFactory> write)
    {
        lock (_lock)
        {
            if (_target is not null)
            {
                write(_target);
                return;
            }

            if (_held.Count == LinesMax)
            {
                _held.Dequeue();
            }

            _held.Enqueue(write);
        }
    }

    private sealed class EarlyLogger(EarlyLoggerFactory factory, string category) : ILogger
    {
        private ILogger? _inner;

        private ILogger? Inner => _inner ?? (factory.Target is { } target ? _inner = target.CreateLogger(category) : null);

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => Inner?.BeginScope(state);

        public bool IsEnabled(LogLevel logLevel) => Inner?.IsEnabled(logLevel) ?? logLevel >= LogLevel.Information;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (Inner is { } inner)
            {
                inner.Log(logLevel, eventId, state, exception, formatter);
            }
            else if (IsEnabled(logLevel))
            {
                factory.Hold(target => target.CreateLogger(category).Log(logLevel, eventId, state, exception, formatter));
            }
        }
    }
}
