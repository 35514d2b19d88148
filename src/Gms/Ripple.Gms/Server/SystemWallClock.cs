namespace Ripple.Gms.Server;

/// <summary>The machine's time of day. Any thread.</summary>
internal sealed class SystemWallClock : IWallClock
{
    /// <summary>The singleton.</summary>
    public static SystemWallClock Instance { get; } = new();

    /// <inheritdoc/>
    public long UnixMicros => (DateTime.UtcNow - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;
}
