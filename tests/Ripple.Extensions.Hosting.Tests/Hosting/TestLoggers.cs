using Microsoft.Extensions.Logging;

namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>A log that is there before any container.</summary>
internal sealed class TestLoggers : ILoggerFactory
{
    private readonly TestService.LogLines _lines = new();

    public string Text => _lines.Text;

    public ILogger CreateLogger(string categoryName) => _lines;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public void Dispose() => _lines.Dispose();
}
