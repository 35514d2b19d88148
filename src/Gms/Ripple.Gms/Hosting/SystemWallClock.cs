using Ripple.Gms.Membership;

namespace Ripple.Gms.Hosting;

/// <summary>The machine's time of day. Any thread.</summary>
public sealed class SystemWallClock : IWallClock
{
    /// <summary>The only one.</summary>
    public static SystemWallClock Instance { get; } = new();

    /// <inheritdoc/>
    public long UnixMicros => (DateTime.UtcNow - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;
}
