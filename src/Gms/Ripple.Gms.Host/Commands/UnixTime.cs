using System.Globalization;

namespace Ripple.Gms.Host.Commands;

/// <summary>The store's times for people.</summary>
internal static class UnixTime
{
    /// <summary>To the second, in UTC.</summary>
    public static string Text(long unixMicros) =>
        DateTimeOffset.UnixEpoch.AddTicks(unixMicros * TimeSpan.TicksPerMicrosecond).ToString(
            "yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);
}
