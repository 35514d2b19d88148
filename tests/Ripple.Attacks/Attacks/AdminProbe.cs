using System.Diagnostics;
using System.Net.Sockets;
using Ripple.Admin;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>An administrator who looks in every second while an attack goes on, each time by a new connection.</summary>
internal static class AdminProbe
{
    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(5);

    /// <summary>Null when every call was answered soon.</summary>
    public static async Task<string?> WatchAsync(Stage stage, Task attacking)
    {
        string connection = (await File.ReadAllTextAsync(stage.Host.AdminConnection)).Trim();
        TimeSpan longest = TimeSpan.Zero;
        string? failed = null;
        do
        {
            long begin = Stopwatch.GetTimestamp();
            try
            {
                using var admin = RippleAdminClient.Connect(
                    connection, new RippleAdminOptions { RequestTimeout = TimeSpan.FromSeconds(20), RetryCount = 0 });
                await admin.GetClusterAsync();
            }
            // Also what the client should have translated: an administrator who got no answer is what counts here.
            catch (Exception e) when (e is RippleAdminException or IOException or SocketException or OperationCanceledException)
            {
                failed ??= e.Message;
            }

            TimeSpan took = Stopwatch.GetElapsedTime(begin);
            longest = took > longest ? took : longest;
            await Task.Delay(TimeSpan.FromSeconds(1));
        }
        while (!attacking.IsCompleted);

        return failed is not null
            ? $"an administrator was not answered: {failed}"
            : longest > AnswerMax ? FormattableString.Invariant($"an administrator waited {longest.TotalSeconds:F1} s") : null;
    }
}
