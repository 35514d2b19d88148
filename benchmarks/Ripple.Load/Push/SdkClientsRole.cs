using System.Globalization;
using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Ripple.Client.Verification;
using Ripple.Trust;

namespace Ripple.Load.Push;

/// <summary>
/// Many .NET hosts in one process, on one runtime, as services have them: configuration, an options type, a callback for its changes. Tells
/// when all have reloaded a release.
/// </summary>
internal static class SdkClientsRole
{
    private const int ConnectingMax = 8;

    public static async Task<int> RunAsync(string[] args)
    {
        string connection = await File.ReadAllTextAsync(args[0]);
        int count = int.Parse(args[1], CultureInfo.InvariantCulture);
        var lines = Channel.CreateUnbounded<string>(new UnboundedChannelOptions { SingleReader = true });
        var arrivals = new Arrivals(count, lines.Writer);
        Task writing = ClientsRole.WriteAsync(lines.Reader);
        RippleRuntime runtime = RippleRuntime.Create();
        await using (runtime)
        {
            var hosts = new IHost[count];
            await Parallel.ForAsync(0, count, new ParallelOptions { MaxDegreeOfParallelism = ConnectingMax }, async (i, cancellation) =>
            {
                hosts[i] = Make(connection.Trim(), runtime, string.Create(CultureInfo.InvariantCulture, $"{args[2]}-{i}"));
                await hosts[i].StartAsync(cancellation);
            });
            IDisposable?[] watches = [.. hosts.Select(h => Watch(h, arrivals))];
            // One for the process: it counts the signatures of all its clients.
            SharedVerifier verifier = SharedVerifier.Acquire(ConnectionString.Parse(connection).Authority.Span);
            lines.Writer.TryWrite("ready");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                if (line == ClientSample.Rest)
                {
                    arrivals.TellRest();
                }

                lines.Writer.TryWrite(ClientSample.Take(verifier.Verifications, arrivals).Line);
            }

            foreach (IDisposable? watch in watches)
            {
                watch?.Dispose();
            }

            verifier.Release();
            await Parallel.ForEachAsync(hosts, async (host, cancellation) =>
            {
                await host.StopAsync(cancellation);
                host.Dispose();
            });
        }

        lines.Writer.Complete();
        await writing;
        return 0;
    }

    private static IHost Make(string connection, RippleRuntime runtime, string name)
    {
        var builder = new HostApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true, ApplicationName = name });
        builder.AddRipple("ripple", options =>
        {
            options.ConnectionString = connection;
            options.NodeName = name;
            options.StartupTimeout = TimeSpan.FromSeconds(60);
            options.ConfigureClient = client => client with { Runtime = runtime, SnapshotMode = SnapshotMode.Off };
        });
        builder.Services.AddOptions<LoadSettings>().BindConfiguration(LoadValue.Key);
        return builder.Build();
    }

    private static IDisposable? Watch(IHost host, Arrivals arrivals)
    {
        var node = new NodeArrivals(arrivals);
        return host.Services.GetRequiredService<IOptionsMonitor<LoadSettings>>().OnChange(settings =>
        {
            lock (node)
            {
                node.Add(settings);
            }
        });
    }
}
