using Ripple.Engine.Core;

namespace Ripple.Simulator.Network;

/// <summary>The ports of one process, as polled by its core. Each turn begins with a different port, so that none starves.</summary>
internal sealed class PortSource : IIoSource
{
    private readonly List<SimulatedPort> _ports = [];
    private int _first;

    /// <summary>The number of datagrams queued in all receive buffers.</summary>
    public int WaitingCount { get; set; }

    public bool HasWaiting(PortLane lane) => WaitingCount > 0;

    /// <summary>
    /// The most packets that the process may rightly refuse as repeated: second copies, those that were changed on the way, and two for
    /// each that somebody else sealed, since a genuine one has its number too.
    /// </summary>
    public long RepeatedMax { get; set; }

    public void Add(SimulatedPort port) => _ports.Add(port);

    public void Remove(SimulatedPort port) => _ports.Remove(port);

    public int Drain(IoQueue queue, int packetsMax)
    {
        if (WaitingCount == 0)
        {
            return 0;
        }

        int moved = 0;
        _first = (_first + 1) % _ports.Count;
        for (int i = 0; i < _ports.Count && moved < packetsMax; i++)
        {
            moved += _ports[(_first + i) % _ports.Count].Drain(queue, packetsMax - moved);
        }

        return moved;
    }
}
