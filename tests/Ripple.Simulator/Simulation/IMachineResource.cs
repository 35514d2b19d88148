namespace Ripple.Simulator.Simulation;

/// <summary>
/// An external resource held by a process: a port, a connection, a disk. Once attached to its machine, it is notified when the process
/// ends.
/// </summary>
internal interface IMachineResource
{
    /// <summary>Called when the process is gone. Nothing of its core may be used anymore: work waiting for it is dropped.</summary>
    /// <param name="isSilent">True if the whole machine lost power: nothing leaves it anymore, not even the end of its connections. False
    /// if the process was killed and its operating system cleans up.</param>
    void OnCrash(bool isSilent);
}
