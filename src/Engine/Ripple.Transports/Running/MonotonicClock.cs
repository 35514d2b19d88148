using System.Diagnostics;
using Ripple.Engine.Core;

namespace Ripple.Transports.Running;

/// <summary>The machine's monotonic clock, in nanoseconds. Stateless; any thread.</summary>
internal sealed class MonotonicClock : IClock
{
    private const long NsPerSecond = 1_000_000_000;

    /// <summary>The only instance.</summary>
    public static MonotonicClock Instance { get; } = new();

    /// <inheritdoc/>
    public long NowNs
    {
        get
        {
            long ticks = Stopwatch.GetTimestamp();
            return Stopwatch.Frequency == NsPerSecond ? ticks : (long)((Int128)ticks * NsPerSecond / Stopwatch.Frequency);
        }
    }
}
