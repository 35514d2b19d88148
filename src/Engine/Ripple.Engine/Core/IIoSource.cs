namespace Ripple.Engine.Core;

/// <summary>A source of packets: the sockets of a runner, or the simulated network. Polled by the loop at the start of each turn.</summary>
internal interface IIoSource
{
    /// <summary>
    /// Moves arrived packets into the queue, control first, about <paramref name="packetsMax"/> per lane, and stops when the queue is full.
    /// Returns the work done; never 0 while packets are left that will not be announced again. Packets left stay where they are: in the
    /// kernel's buffer, which is bounded.
    /// </summary>
    int Drain(IoQueue queue, int packetsMax);

    /// <summary>True while data that the last <see cref="Drain"/> left outside the core is known to be waiting there.</summary>
    bool HasData { get; }
}
