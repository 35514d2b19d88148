using Ripple.Engine.Core;
using Ripple.Engine.Wire;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>A datagram in transit, then in a receive buffer. Owned and reused by the network.</summary>
internal sealed class Datagram(SimulatedNetwork network) : SimulationEvent
{
    public byte[] Bytes { get; } = new byte[WireLimits.DatagramBytesMax];

    public int Length { get; set; }

    public NodeAddress To { get; set; }

    /// <summary>The kind of forgery, as its sender numbers them; 0 for a genuine datagram.</summary>
    public int Forgery { get; set; }

    /// <summary>How many packets its receiver may refuse as repeated because of it.</summary>
    public int RepeatedMax { get; set; }

    public ReadOnlySpan<byte> Span => Bytes.AsSpan(0, Length);

    protected internal override void Run() => network.OnArrival(this);
}
