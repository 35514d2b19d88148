namespace Ripple.Testing.Simulation;

/// <summary>
/// Something of the outside world that a process holds: a port, a connection, a disk. Attached to its machine, it is told when the process
/// ends.
/// </summary>
internal interface IMachineResource
{
    /// <summary>The process is gone. Nothing of its core may be touched any more: what waits for it is dropped.</summary>
    /// <param name="isSilent">True when the whole machine lost its power: nothing leaves it any more, not even the end of its connections.
    /// False when the process was killed, and its operating system cleans up.</param>
    void OnCrash(bool isSilent);
}
