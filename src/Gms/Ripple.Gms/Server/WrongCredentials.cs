using Microsoft.Extensions.Logging;

namespace Ripple.Gms.Server;

/// <summary>
/// Counts wrong credentials at one interface of the host, and logs where they come from: one line in a while, however many there are, so
/// that whoever guesses cannot fill the log. Any thread.
/// </summary>
/// <param name="logger">The log.</param>
/// <param name="interfaceName">Which interface that is, for the log.</param>
/// <param name="time">The time between lines.</param>
internal sealed class WrongCredentials(ILogger logger, string interfaceName, TimeProvider time)
{
    /// <summary>The shortest time between two lines.</summary>
    public static readonly TimeSpan LineInterval = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private long _count;
    private long _loggedCount;
    private long _loggedAt;

    /// <summary>All since the start.</summary>
    public long Count => Interlocked.Read(ref _count);

    /// <summary>Counts one, and tells it with those before it unless a line was written a moment ago.</summary>
    public void Add(string address)
    {
        long unlogged;
        lock (_lock)
        {
            Interlocked.Increment(ref _count);
            long now = time.GetTimestamp();
            if (_loggedCount > 0 && time.GetElapsedTime(_loggedAt, now) < LineInterval)
            {
                return;
            }

            unlogged = _count - _loggedCount;
            _loggedCount = _count;
            _loggedAt = now;
        }

        HostLog.WrongCredential(logger, interfaceName, address, unlogged);
    }
}
