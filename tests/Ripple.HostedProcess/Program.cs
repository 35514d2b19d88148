using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.HostedProcess;

// A service as a user would write it, run as a process of its own by tests: what its validators said, and what its services saw, line by
// line. It answers each line it reads with what it serves then, and ends when there is none any more.
HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
builder.Logging.ClearProviders();
try
{
    builder.AddRipple();
    builder.Services.AddOptions<ShopOptions>().BindConfiguration("Shop").ValidateOnStart();
    builder.Services.AddSingleton<IValidateOptions<ShopOptions>, ShopValidator>();
    builder.Services.AddHostedService<ShopWitness>();
    using IHost host = builder.Build();
    await host.StartAsync();
    Console.WriteLine("started");
    IOptionsMonitor<ShopOptions> shop = host.Services.GetRequiredService<IOptionsMonitor<ShopOptions>>();
    IRippleClient client = host.Services.GetRequiredService<IRippleClient>();
    while (await Console.In.ReadLineAsync() is not null)
    {
        Console.WriteLine($"serves {shop.CurrentValue.Limit} {client.Current().Release}");
    }

    await host.StopAsync();
    return 0;
}
catch (RippleException e)
{
    Console.WriteLine($"refused {e.Message}");
    return 1;
}
