using Microsoft.Extensions.Logging;

namespace Ripple.Gms.Server;

/// <summary>
/// Counts wrong credentials at one door of the host, and logs where they come from: one line in a while, however many there are, so that
/// who guesses cannot fill the log. Any thread.
/// </summary>
/// <param name="logger">The log.</param>
/// <param name="door">Which door that is, for the log.</param>
/// <param name="time">The time between lines.</param>
internal sealed class WrongCredentials(ILogger logger, string door, TimeProvider time)
{
    /// <summary>The shortest time between two lines.</summary>
    public static readonly TimeSpan LineInterval = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private long _count;
    private long _toldCount;
    private long _toldAt;

    /// <summary>All since the start.</summary>
    public long Count => Interlocked.Read(ref _count);

    /// <summary>Counts one, and tells it with those before it unless a line was written a moment ago.</summary>
    public void Add(string address)
    {
        long untold;
        lock (_gate)
        {
            Interlocked.Increment(ref _count);
            long now = time.GetTimestamp();
            if (_toldCount > 0 && time.GetElapsedTime(_toldAt, now) < LineInterval)
            {
                return;
            }

            untold = _count - _toldCount;
            _toldCount = _count;
            _toldAt = now;
        }

        HostLog.WrongCredential(logger, door, address, untold);
    }
}
