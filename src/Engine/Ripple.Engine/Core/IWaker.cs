namespace Ripple.Engine.Core;

/// <summary>Wakes the sleeping core thread. Implemented by the runner; absent where a test or the simulator steps the loop.</summary>
internal interface IWaker
{
    /// <summary>Makes the loop run another turn soon. Any thread; costs a system call only while the core sleeps.</summary>
    void Wake();
}
