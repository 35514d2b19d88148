using System.Globalization;
using Ripple.Client;

namespace Ripple.Attacks.Roles;

/// <summary>Waits as it is told. Uses the public surface of the SDK alone.</summary>
internal static class WaiterRole
{
    public static async Task<int> RunAsync(string[] args)
    {
        using var log = new LineLog();
        var options = new RippleClientOptions
        {
            Name = "waiter",
            Application = args[1],
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = TimeSpan.FromSeconds(60),
            CallTimeout = TimeSpan.FromSeconds(60),
            LoggerFactory = log,
        };
        RippleClient client = await RippleClient.ConnectAsync(await File.ReadAllTextAsync(args[0]), options);
        await using (client)
        {
            Console.WriteLine("ready");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                string outcome = await WaitAsync(client, args[1], line.Split(' ', 3));
                Console.WriteLine($"outcome {outcome.ReplaceLineEndings(" ")}");
            }
        }

        return 0;
    }

    private static async Task<string> WaitAsync(RippleClient client, string application, string[] words)
    {
        try
        {
            WaitResult result = await client.WaitAsync(
                application,
                ulong.Parse(words[0], CultureInfo.InvariantCulture),
                words[2],
                TimeSpan.FromSeconds(double.Parse(words[1], CultureInfo.InvariantCulture)));
            IEnumerable<string> names = result.Discounted.Select(m => m.Name);
            return string.Create(CultureInfo.InvariantCulture, $"{result.Outcome} {result.Total} {string.Join(' ', names)}");
        }
        catch (RippleException e)
        {
            return $"{e.GetType().Name} 0 {e.Message}";
        }
    }
}
