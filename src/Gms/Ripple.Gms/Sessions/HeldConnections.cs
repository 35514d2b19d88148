using Ripple.Engine.Core;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The connections whose frames wait because they, their token or their application sent more than their share. They take turns: who may go
/// on goes on until the share is used up again, and then stands behind the others. Core thread.
/// </summary>
internal sealed class HeldConnections : IDisposable
{
    /// <summary>The time between turns: short beside what anybody notices, long beside what a turn costs.</summary>
    private const long TurnNs = 10_000_000;

    /// <summary>The most connections looked at in a turn.</summary>
    private const int PerTurnMax = 1_024;

    private readonly CoreLoop _core;
    private readonly Alarm _turn;

    // At most one place for each connection: only one that is not held is added.
    private readonly Queue<NodeConnection> _held = [];

    public HeldConnections(CoreLoop core)
    {
        _core = core;
        _turn = new Alarm(OnTurn);
    }

    /// <summary>Adds a connection that was just held.</summary>
    public void Add(NodeConnection connection)
    {
        _held.Enqueue(connection);
        if (_held.Count == 1)
        {
            _core.ScheduleIn(_turn, TurnNs);
        }
    }

    /// <summary>Ends the turns.</summary>
    public void Dispose()
    {
        _core.Alarms.Cancel(_turn);
        _held.Clear();
    }

    private void OnTurn()
    {
        // The turn is over after a round: who is held again meanwhile is behind it.
        _core.ScheduleIn(_turn, TurnNs);
        for (int count = Math.Min(_held.Count, PerTurnMax); count > 0; count--)
        {
            NodeConnection connection = _held.Dequeue();
            if (!connection.IsClosed && !connection.TryGoOn())
            {
                _held.Enqueue(connection);
            }
        }

        if (_held.Count == 0)
        {
            _core.Alarms.Cancel(_turn);
        }
    }
}
