using System.Globalization;

namespace Ripple.Gms.Host.Commands;

/// <summary>Formats the store's timestamps for display.</summary>
internal static class UnixTime
{
    /// <summary>ISO 8601 in UTC, to the second.</summary>
    public static string Text(long unixMicros) =>
        DateTimeOffset.UnixEpoch.AddTicks(unixMicros * TimeSpan.TicksPerMicrosecond).ToString(
            "yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);
}
