using System.Diagnostics;
using System.Globalization;
using Ripple.Client;

namespace Ripple.Attacks.Roles;

/// <summary>
/// An honest node: says which number it has in effect, and when. Uses the public surface of the SDK alone, so that the SDK may be of
/// another build. Ends with its standard input.
/// </summary>
internal static class MemberRole
{
    public static async Task<int> RunAsync(string[] args)
    {
        using var log = new LineLog();
        var options = new RippleClientOptions
        {
            Name = args[1],
            Application = args[2],
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = TimeSpan.FromSeconds(60),
            LoggerFactory = log,
        };
        RippleClient client = await RippleClient.ConnectAsync(await File.ReadAllTextAsync(args[0]), options);
        await using (client)
        {
            Task watching = WatchAsync(client);
            Console.WriteLine("ready");
            await Console.In.ReadToEndAsync();
            GC.KeepAlive(watching);
        }

        return 0;
    }

    private static async Task WatchAsync(RippleClient client)
    {
        await foreach (RippleRelease release in client.WatchAsync())
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"applied {PublishedNumber.Of(release)} {Stopwatch.GetTimestamp()} {release.Release}"));
        }
    }
}
