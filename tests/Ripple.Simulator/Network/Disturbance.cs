namespace Ripple.Simulator.Network;

/// <summary>A temporary impairment of paths.</summary>
internal sealed class Disturbance
{
    private readonly PathTable _paths;

    internal Disturbance(PathTable paths, PathProfile added, int machineIndex)
    {
        _paths = paths;
        Added = added;
        MachineIndex = machineIndex;
    }

    /// <summary>The impairment added to the paths.</summary>
    public PathProfile Added { get; }

    internal int MachineIndex { get; }

    /// <summary>Ends the disturbance; datagrams in transit are not affected. Later calls have no effect.</summary>
    public void End() => _paths.End(this);
}
