using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Ripple.Client;

namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>A service as a user would write it, with one options type bound to the section <c>Shop</c>.</summary>
internal sealed class TestService : IAsyncDisposable
{
    private TestService(IHost host, LogLines log)
    {
        Host = host;
        Log = log;
    }

    public IHost Host { get; }

    public LogLines Log { get; }

    public IOptionsMonitor<ShopOptions> Monitor => Get<IOptionsMonitor<ShopOptions>>();

    public ShopOptions Shop => Monitor.CurrentValue;

    public IRippleClient Client => Get<IRippleClient>();

    public IConfiguration Configuration => Get<IConfiguration>();

    public T Get<T>()
        where T : notnull => Host.Services.GetRequiredService<T>();

    public static HostApplicationBuilder NewBuilder(TestCluster cluster, string name, LogLines log)
    {
        HostApplicationBuilder builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(log);
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["ConnectionStrings:ripple"] = cluster.Connection,
            ["Ripple:ripple:NodeName"] = name,
            ["Ripple:ripple:StartupTimeout"] = TestCluster.Patience.ToString(),
            ["Ripple:ripple:SnapshotPath"] = cluster.SnapshotPath(name),
        });
        return builder;
    }

    public static async Task<TestService> StartNewAsync(
        TestCluster cluster, string name = "service", Action<RippleOptions>? configure = null, Action<HostApplicationBuilder>? build = null)
    {
        var log = new LogLines();
        HostApplicationBuilder builder = NewBuilder(cluster, name, log);
        builder.AddRipple(configure: configure);
        builder.Services.AddOptions<ShopOptions>().BindConfiguration("Shop").ValidateDataAnnotations();
        build?.Invoke(builder);
        var service = new TestService(builder.Build(), log);
        await service.Host.StartAsync(TestContext.Current.CancellationToken);
        return service;
    }

    public async ValueTask DisposeAsync()
    {
        await Host.StopAsync();
        await ((IAsyncDisposable)Host).DisposeAsync();
    }

    internal sealed class LogLines : ILoggerProvider, ILogger
    {
        private readonly ConcurrentQueue<string> _lines = new();

        public string Text => string.Join('\n', _lines);

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            _lines.Enqueue($"{logLevel}: {formatter(state, exception)} {exception}");

        public void Dispose()
        {
            // Lines are kept for the test.
        }
    }
}
