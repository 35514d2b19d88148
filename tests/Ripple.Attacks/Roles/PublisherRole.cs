using System.Diagnostics;
using System.Globalization;
using Ripple.Attacks.Stages;
using Ripple.Client;

namespace Ripple.Attacks.Roles;

/// <summary>Publishes numbers on time while it is told to. Uses the public surface of the SDK alone.</summary>
internal static class PublisherRole
{
    public static async Task<int> RunAsync(string[] args)
    {
        using var log = new LineLog();
        var options = new RippleClientOptions
        {
            Name = "publisher",
            Application = args[1],
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = TimeSpan.FromSeconds(60),
            LoggerFactory = log,
        };
        RippleClient client = await RippleClient.ConnectAsync(await File.ReadAllTextAsync(args[0]), options);
        await using (client)
        {
            Console.WriteLine("ready");
            Task<long> publishing = Task.FromResult(0L);
            CancellationTokenSource stopping = new();
            while (await Console.In.ReadLineAsync() is { } line)
            {
                if (line.Split(' ') is ["start", var first])
                {
                    stopping = new CancellationTokenSource();
                    publishing = PublishAsync(client, long.Parse(first, CultureInfo.InvariantCulture), stopping.Token);
                }
                else
                {
                    await stopping.CancelAsync();
                    long last = await publishing;
                    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"stopped {last}"));
                }
            }
        }

        return 0;
    }

    private static async Task<long> PublishAsync(RippleClient client, long first, CancellationToken cancellation)
    {
        long begin = Stopwatch.GetTimestamp();
        long number = first;
        while (!cancellation.IsCancellationRequested)
        {
            _ = OneAsync(client, number);
            TimeSpan next = TimeSpan.FromMilliseconds((number + 1 - first) * PublisherProcess.PauseMs) - Stopwatch.GetElapsedTime(begin);
            number++;
            await Task.Delay(next > TimeSpan.Zero ? next : TimeSpan.Zero, CancellationToken.None);
        }

        return number - 1;
    }

    private static async Task OneAsync(RippleClient client, long number)
    {
        var request = new PublishRequest
        {
            Set = new Dictionary<string, ReadOnlyMemory<byte>> { [PublishedNumber.Key] = PublishedNumber.Encode(number) },
        };
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"called {number} {Stopwatch.GetTimestamp()}"));
        try
        {
            await client.PublishAsync(request);
        }
        catch (RippleException e)
        {
            Console.WriteLine($"error {number} {e.Message.ReplaceLineEndings(" ")}");
        }
    }
}
