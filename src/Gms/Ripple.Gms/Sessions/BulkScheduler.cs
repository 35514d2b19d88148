using Ripple.Engine.Core;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Connections that have bulk to be sent (values, releases to catch up, long answers) take turns, a few each turn of the core: 500 that
/// fetch at once do not hold up heartbeats, joins, packets and alarms. Core thread.
/// </summary>
internal sealed class BulkScheduler(CoreLoop core) : Agent, IDisposable
{
    /// <summary>Each fills its link's buffer at most, which takes a tenth of a millisecond.</summary>
    private const int ConnectionsPerTurn = 4;

    private readonly Queue<ConnectionSender> _waiting = [];

    /// <summary>Gives a connection a turn; it is not here already.</summary>
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
