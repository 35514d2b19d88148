using Ripple.Engine.Core;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Lets connections with bulk to send (values, catch-up releases, long answers) take turns, a few per core turn, so that 500 concurrent
/// fetches do not delay heartbeats, joins, packets and alarms. Core thread.
/// </summary>
internal sealed class BulkScheduler(CoreLoop core) : Agent, IDisposable
{
    /// <summary>Each fills at most its link's buffer, which takes about 0.1 ms.</summary>
    private const int ConnectionsPerTurn = 4;

    private readonly Queue<ConnectionSender> _waiting = [];

    /// <summary>Queues a connection for a turn; it must not be queued already.</summary>
    public void Add(ConnectionSender connection)
    {
        _waiting.Enqueue(connection);
        core.Activate(this);
    }

    public void Dispose()
    {
        Stop();
        _waiting.Clear();
    }

    protected internal override int DoWork()
    {
        int count = 0;
        while (count < ConnectionsPerTurn && _waiting.TryDequeue(out ConnectionSender? connection))
        {
            connection.PumpBulk();
            count++;
        }

        return count;
    }
}
