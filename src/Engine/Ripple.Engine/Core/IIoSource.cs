namespace Ripple.Engine.Core;

/// <summary>
/// Something packets come from: the sockets of a runner, or the simulated network. Polled by the loop at the start of each turn.
/// </summary>
internal interface IIoSource
{
    /// <summary>
    /// Moves what has arrived into the queue, control first, about <paramref name="packetsMax"/> of each lane, and stops when the queue is
    /// full. Returns the work done; not 0 while something is left that nobody will tell of again. What is left stays where it is: in the
    /// kernel's buffer, which is bounded.
    /// </summary>
    int Drain(IoQueue queue, int packetsMax);

    /// <summary>True while data are known to wait outside the core that the last <see cref="Drain"/> left there.</summary>
    bool HasData { get; }
}
