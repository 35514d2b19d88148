namespace Ripple.Engine.Core;

/// <summary>Ends a sleep of the core thread. Implemented by the runner; absent where a test or the simulator steps the loop.</summary>
internal interface IWaker
{
    /// <summary>Makes the loop take another turn soon. Any thread; costs a system call only while the core sleeps.</summary>
    void Wake();
}
