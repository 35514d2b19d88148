using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Tests;

/// <summary>A port that keeps the numbers at the front of what arrives, with the simulated time.</summary>
internal sealed class Receiver : IDatagramHandler
{
    private readonly SimulatedWorld _world;

    public Receiver(SimulatedMachine machine, int receiveBufferBytes = 0)
    {
        _world = machine.World;
        Port = _world.Network.Open(machine, 0, receiveBufferBytes);
        Port.Handler = this;
    }

    public SimulatedPort Port { get; }

    public List<int> Numbers { get; } = [];

    public List<long> TimesNs { get; } = [];

    public List<byte[]> Datagrams { get; } = [];

    public void OnDatagram(Span<byte> datagram)
    {
        Numbers.Add(BinaryPrimitives.ReadInt32LittleEndian(datagram[4..]));
        TimesNs.Add(_world.Scheduler.NowNs);
        Datagrams.Add(datagram.ToArray());
    }

    public static byte[] Datagram(int number, PacketClass packetClass = PacketClass.Data, int length = 100)
    {
        byte[] datagram = new byte[length];
        datagram[0] = 0x11;
        datagram[1] = (byte)packetClass;
        BinaryPrimitives.WriteInt32LittleEndian(datagram.AsSpan(4), number);
        return datagram;
    }
}
