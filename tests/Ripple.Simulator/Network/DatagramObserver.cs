using Ripple.Engine.Core;

namespace Ripple.Simulator.Network;

/// <summary>Sees a datagram as it leaves a port, before any fault. The bytes are valid only during the call.</summary>
internal delegate void DatagramObserver(NodeAddress from, NodeAddress to, ReadOnlySpan<byte> datagram);
