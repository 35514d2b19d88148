using Microsoft.Extensions.Hosting.Systemd;
using Microsoft.Extensions.Logging.Console;
using Ripple.Gms.Server;
using Ripple.Gms.Store;

namespace Ripple.Gms.Host.Commands;

/// <summary>
/// The host as a service of .NET's generic host, which hears who asks it to stop: a signal, or the service manager of Windows. It has
/// started when it leads or stands by, for it does its work either way.
/// </summary>
internal sealed class HostService(GmsServerOptions options, ILoggerFactory loggers) : BackgroundService
{
    private static readonly TimeSpan TakeoverPauseMin = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan TakeoverPauseMax = TimeSpan.FromSeconds(30);
    private readonly TaskCompletionSource _atWork = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Runs a host until it is asked to stop. Throws what it failed by.</summary>
    public static async Task RunAsync(GmsServerOptions options)
    {
        // Empty: the command line has said all, and neither files nor variables have a word in it.
        HostApplicationBuilder builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddSimpleConsole(console =>
        {
            console.SingleLine = true;
            console.UseUtcTimestamp = true;
            console.TimestampFormat = "yyyy-MM-ddTHH:mm:ss.fffZ ";
        });
        // What a host failed by is printed once, by the command.
        builder.Logging.AddFilter<ConsoleLoggerProvider>("Microsoft.Extensions.Hosting", LogLevel.None);
        builder.Services.Configure<ConsoleLifetimeOptions>(console => console.SuppressStatusMessages = true);
        // It stops in its own time; who started it has a bound of its own.
        builder.Services.Configure<HostOptions>(stopping => stopping.ShutdownTimeout = Timeout.InfiniteTimeSpan);
        builder.Services.AddWindowsService(service => service.ServiceName = "Ripple host");
        builder.Services.AddSingleton(options);
        builder.Services.AddSingleton<HostService>();
        builder.Services.AddHostedService(services => services.GetRequiredService<HostService>());
        using IHost host = builder.Build();
        HostService service = host.Services.GetRequiredService<HostService>();
        IHostApplicationLifetime lifetime = host.Services.GetRequiredService<IHostApplicationLifetime>();
        // By the socket that systemd names (Type=notify), also where a script of its unit stands between.
        var manager = new SystemdNotifier();
        using CancellationTokenRegistration ready = lifetime.ApplicationStarted.Register(() => manager.Notify(ServiceState.Ready));
        using CancellationTokenRegistration stopping = lifetime.ApplicationStopping.Register(() => manager.Notify(ServiceState.Stopping));
        try
        {
            await host.RunAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (lifetime.ApplicationStopping.IsCancellationRequested)
        {
            // Asked to stop before it had started.
        }

        if (service.ExecuteTask is { IsFaulted: true } failed)
        {
            await failed.ConfigureAwait(false);
        }
    }

    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        await base.StartAsync(cancellationToken).ConfigureAwait(false);
        await (await Task.WhenAny(_atWork.Task, ExecuteTask!).ConfigureAwait(false)).ConfigureAwait(false);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        bool hasStoodBy = false;
        GmsServerOptions current = options with
        {
            OwnsProcess = true,
            OnStandingBy = () =>
            {
                hasStoodBy = true;
                _atWork.TrySetResult();
            },
        };
        TimeSpan pause = TakeoverPauseMin;
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await LeadAsync(current, stoppingToken).ConfigureAwait(false);
                // Who has lost the lead to another host stands by, as a new start.
                pause = TakeoverPauseMin;
            }
            catch (StoreException e) when (hasStoodBy)
            {
                // The database broke while it took over: another may lead, or this host when it is back.
                HostLog.TakeoverFailed(loggers.CreateLogger("Ripple.Gms"), e.Message, (long)pause.TotalMilliseconds);
                await Task.Delay(pause, stoppingToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                pause = pause * 2 > TakeoverPauseMax ? TakeoverPauseMax : pause * 2;
            }

            current = current with { HasLed = true };
        }
    }

    /// <summary>Runs a host until it is asked to stop, or until another leads. Throws if it fails.</summary>
    private async Task LeadAsync(GmsServerOptions current, CancellationToken stoppingToken)
    {
        GmsServer server;
        try
        {
            server = await GmsServer.StartAsync(current, loggers, stoppingToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            return;
        }

        await using (server.ConfigureAwait(false))
        {
            Console.WriteLine($"control endpoint   {server.Endpoint}");
            Console.WriteLine($"health endpoint    {(server.HealthAddress is { } health ? $"http://{health}/health/ready" : "off")}");
            Console.WriteLine($"data directory     {server.Directory.Path}");
            Console.WriteLine($"client connection  {server.Directory.ClientConnection}");
            Console.WriteLine($"admin connection   {server.Directory.AdminConnection}");
            Console.WriteLine($"cluster            {server.ClusterId}");
            Console.WriteLine("ready");
            _atWork.TrySetResult();
            await server.Completion.WaitAsync(stoppingToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (!stoppingToken.IsCancellationRequested && !server.IsLeaseLost)
            {
                await server.Completion.ConfigureAwait(false);
            }
        }
    }
}
