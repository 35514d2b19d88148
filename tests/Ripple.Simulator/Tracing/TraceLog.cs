using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Tracing;

/// <summary>
/// The events of one run, in order. Written by what sees them, and read after the run; nothing in a run reads it, so that a run with a
/// trace is the run without. Belongs to the simulation's thread.
/// </summary>
internal sealed class TraceLog
{
    /// <summary>The most messages kept; those after are counted.</summary>
    public const int MessagesMax = 400_000;

    private readonly List<TraceEvent> _events = [];
    private readonly List<TraceMessage> _messages = [];

    /// <summary>The world; set by it.</summary>
    public SimulatedWorld? World { get; set; }

    /// <summary>Whether messages are kept, too. Default false.</summary>
    public bool HasMessages { get; init; }

    /// <summary>The events, in the order of their starts.</summary>
    public IReadOnlyList<TraceEvent> Events => _events;

    /// <summary>The messages, in the order in which they were sent.</summary>
    public IReadOnlyList<TraceMessage> Messages => _messages;

    /// <summary>The number of messages that were not kept.</summary>
    public long DroppedMessageCount { get; private set; }

    private long NowNs => World!.Scheduler.NowNs;

    /// <summary>Adds what happens now to a machine.</summary>
    public void Add(
        TraceKind kind, SimulatedMachine machine, string text, ReleaseLabel? release = null, Guid? publish = null, string? wait = null) =>
        _events.Add(
            new TraceEvent(NowNs, kind, text) { Machines = [machine], Release = release, Publish = publish, Wait = wait });

    /// <summary>Adds a fault that begins now.</summary>
    /// <param name="name">How a script names it.</param>
    /// <param name="text">What it does.</param>
    /// <param name="machines">The machines affected; none for all.</param>
    /// <param name="endNs">When it ends.</param>
    public void AddFault(string name, string text, IReadOnlyList<SimulatedMachine> machines, long endNs) =>
        _events.Add(new TraceEvent(NowNs, TraceKind.Fault, $"fault {name}: {text}") { Machines = machines, EndNs = endNs });

    /// <summary>Adds a message, if messages are kept.</summary>
    public void AddMessage(SimulatedMachine from, SimulatedMachine to, long sentNs, long arrivedNs, int type, int bytes)
    {
        if (!HasMessages)
        {
            return;
        }

        if (_messages.Count < MessagesMax)
        {
            _messages.Add(new TraceMessage(sentNs, arrivedNs, from.Index, to.Index, type, bytes));
        }
        else
        {
            DroppedMessageCount++;
        }
    }
}
