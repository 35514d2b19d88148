using Ripple.Engine.Core;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>Sees a datagram as it leaves a port, before any fault. The bytes are valid only during the call.</summary>
internal delegate void DatagramObserver(NodeAddress from, NodeAddress to, ReadOnlySpan<byte> datagram);

/// <summary>Sees a frame of a control connection before its receiver takes it. The bytes are valid only during the call.</summary>
internal delegate void FrameObserver(SimulatedMachine receiver, ushort type, ReadOnlySpan<byte> body);
