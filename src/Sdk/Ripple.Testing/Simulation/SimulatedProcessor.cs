namespace Ripple.Testing.Simulation;

/// <summary>
/// A processor that the cores of several machines share, as the nodes of one process do: it runs one turn at a time, and machines take
/// turns.
/// </summary>
internal sealed class SimulatedProcessor
{
    /// <summary>How fast it is: 1 (the default) as always, 0.5 while others take half of it. May be changed at any time.</summary>
    public double Speed { get; set; } = 1;

    /// <summary>When it is free for the next turn.</summary>
    public long FreeNs { get; private set; }

    /// <summary>The work done so far, in nanoseconds at full speed.</summary>
    public long WorkedNs { get; private set; }

    /// <summary>Runs a turn that takes so long at full speed; returns when it has ended.</summary>
    public long Run(long nowNs, long workNs)
    {
        WorkedNs += workNs;
        return FreeNs = nowNs + (long)(workNs / Speed);
    }
}
