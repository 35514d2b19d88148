namespace Ripple.Testing.Network;

/// <summary>What makes paths worse for a time.</summary>
internal sealed class Disturbance
{
    private readonly PathTable _paths;

    internal Disturbance(PathTable paths, PathProfile added, int machineIndex)
    {
        _paths = paths;
        Added = added;
        MachineIndex = machineIndex;
    }

    /// <summary>What is added to the paths.</summary>
    public PathProfile Added { get; }

    internal int MachineIndex { get; }

    /// <summary>Ends it; datagrams under way keep what they got. Nothing happens the second time.</summary>
    public void End() => _paths.End(this);
}
