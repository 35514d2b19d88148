using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Primitives;
using Ripple.Client;

namespace Ripple.Attacks.Roles;

/// <summary>An honest service: a .NET host whose configuration is the application's. Says when a number is in it.</summary>
internal static class HostedMemberRole
{
    public static async Task<int> RunAsync(string[] args)
    {
        string connection = await File.ReadAllTextAsync(args[0]);
        var builder = new HostApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true, ApplicationName = args[1] });
        builder.Logging.Services.AddSingleton<ILoggerProvider, LineLog>();
        builder.AddRipple("ripple", options =>
        {
            options.ConnectionString = connection.Trim();
            options.NodeName = args[1];
            options.Application = args[2];
            options.StartupTimeout = TimeSpan.FromSeconds(60);
            options.ConfigureClient = client => client with { SnapshotMode = SnapshotMode.Off };
        });
        using IHost host = builder.Build();
        ChangeToken.OnChange(((IConfiguration)builder.Configuration).GetReloadToken, () => Tell(builder.Configuration));
        await host.StartAsync();
        Tell(builder.Configuration);
        Console.WriteLine("ready");
        await Console.In.ReadToEndAsync();
        await host.StopAsync();
        return 0;
    }

    private static void Tell(ConfigurationManager configuration)
    {
        string? text = configuration[PublishedNumber.Key];
        if (long.TryParse(text, NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture, out long number))
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"applied {number} {Stopwatch.GetTimestamp()} {number}"));
        }
    }
}
