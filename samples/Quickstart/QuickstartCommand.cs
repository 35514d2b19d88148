using System.Runtime.InteropServices;
using Quickstart.Hosting;
using Quickstart.Showing;
using Quickstart.Stories;
using Ripple.Client;

namespace Quickstart;

/// <summary>The parent: starts everything, tells one story, and takes everything down again.</summary>
internal static class QuickstartCommand
{
    // They end what hangs, on a slow machine too; a tour takes seconds.
    private static readonly TimeSpan TourLimit = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan HistoryLimit = TimeSpan.FromMinutes(10);

    public static async Task<int> RunAsync(string[] args)
    {
        if (QuickstartOptions.TryParse(args, out string error) is not { } options)
        {
            await Console.Error.WriteLineAsync($"{error}\n\n{QuickstartOptions.Usage}");
            return 2;
        }

        if (options.IsHelp)
        {
            Console.WriteLine(QuickstartOptions.Usage);
            return 0;
        }

        using var interrupted = new CancellationTokenSource();
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Interrupt);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Interrupt);
        using PosixSignalRegistration hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, Interrupt);
        var warnings = new HostWarnings();
        try
        {
            await RunAsync(options, warnings, interrupted.Token);
            return 0;
        }
        catch (OperationCanceledException) when (interrupted.IsCancellationRequested)
        {
            Console.WriteLine("Interrupted; everything was stopped.");
            return 130;
        }
        catch (Exception e)
            when (e is QuickstartException or RippleException or OperationCanceledException or IOException or UnauthorizedAccessException)
        {
            Console.WriteLine($"FAILED: {(e is OperationCanceledException ? "It took too long." : e.Message)}");
            warnings.Print();
            return 1;
        }
        catch (Exception e)
        {
            Console.WriteLine($"FAILED: {e}");
            warnings.Print();
            return 1;
        }

        void Interrupt(PosixSignalContext context)
        {
            context.Cancel = true;
            interrupted.Cancel();
        }
    }

    private static async Task RunAsync(QuickstartOptions options, HostWarnings warnings, CancellationToken interrupted)
    {
        // Read before anything is started: a file that cannot be used costs nothing.
        HistoryFile? history = options.History is { } path ? HistoryFile.Read(path) : null;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(interrupted);
        limit.CancelAfter(history is null ? TourLimit : HistoryLimit);
        string lastLine = string.Empty;
        await using (var cluster = await Cluster.StartAsync(warnings, options.IsStaying, limit.Token))
        await using (var fleet = new Fleet(cluster))
        {
            await Display.RunAsync(async display =>
            {
                var stage = new Stage(cluster, fleet, display);
                await stage.StartNodesAsync(limit.Token);
                if (history is null)
                {
                    await new Tour(stage).RunAsync(limit.Token);
                }
                else
                {
                    lastLine = await new HistoryReplay(stage, history).RunAsync(limit.Token);
                }
            });
            if (options.IsStaying)
            {
                limit.CancelAfter(Timeout.InfiniteTimeSpan);
                await StayAsync(cluster, interrupted);
            }
        }

        Console.WriteLine(history is null ? NextSteps : lastLine);
        if (lastLine.Length > 0 && !lastLine.EndsWith(HistoryReplay.Clean, StringComparison.Ordinal))
        {
            throw new QuickstartException($"Every version was to arrive at every node, byte for byte ({HistoryReplay.Clean}).");
        }
    }

    private static async Task StayAsync(Cluster cluster, CancellationToken interrupted)
    {
        Console.WriteLine(
            $"""

            The cluster runs until Ctrl-C; its directory stays afterwards: {cluster.Root}
              connect a client:  RippleClient.ConnectAsync(File.ReadAllText("{cluster.ClientConnection}"))
              administer:        {cluster.AdminConnection}
            Both files hold secrets; only you can read them.
            """);
        try
        {
            await Task.Delay(Timeout.Infinite, interrupted);
        }
        catch (OperationCanceledException)
        {
            // Ctrl-C is how it is meant to end.
        }
    }

    private const string NextSteps = """

        Everything above was checked. What to try next:
          dotnet run --project samples/Quickstart -- --stay            keep it running, and connect a client of your own
          dotnet run --project samples/Quickstart -- --history FILE    publish a document's real history, JSON Lines: {"n":1,"time":"...","content":"..."}
          dotnet run --project src/Gms/Ripple.Gms.Host -- --help       run a host for good
          docs/guide/README.md                                         the guide; docs/architecture.md says how it works
        """;
}
