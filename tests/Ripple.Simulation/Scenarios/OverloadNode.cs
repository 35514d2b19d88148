using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>A member: receives the stream, asks for what it misses, and tells every 2 ms how far it has everything.</summary>
internal sealed class OverloadNode : IDatagramHandler, IStreamReceiverHandler, IDisposable
{
    private const long ReportNs = 2_000_000;
    private readonly SimulatedMachine _machine;
    private readonly OverloadChecker _checker;
    private readonly SimulatedPort _control;
    private readonly RegionOutput _output;
    private readonly NodeAddress _host;
    private readonly Alarm _report;
    private readonly int _slot;

    public OverloadNode(SimulatedMachine machine, int slot, NodeAddress host, OverloadChecker checker)
    {
        _machine = machine;
        _checker = checker;
        _host = host;
        _slot = slot;
        Data = machine.World.Network.Open(machine);
        _control = machine.World.Network.Open(machine);
        Data.Handler = this;
        _control.Handler = this;
        _output = new RegionOutput(machine.Core, new PortSink(machine.Core, Data), new PortSink(machine.Core, _control));
        _output.SetSealer(new OverloadSealer(slot));
        Receiver = new StreamReceiver(machine.Core, OverloadHost.Origin, 1, host, _output, this, StreamOptions.Default);
        _report = new Alarm(OnReport);
        machine.Core.ScheduleIn(_report, machine.Core.Random.NextInt64(ReportNs));
    }

    public SimulatedPort Data { get; }

    public StreamReceiver Receiver { get; }

    public RegionMember AsMember() =>
        new((uint)_slot, new NodeId(0, (ulong)_slot), 1_000UL + (ulong)_slot, Data.LocalAddress, _control.LocalAddress);

    public void OnDatagram(Span<byte> datagram)
    {
        ReadOnlySpan<byte> frames = OverloadSealer.Open(datagram);
        if (OverloadSealer.ClassOf(datagram) >= PacketClass.Repair)
        {
            Receiver.OnFrames(frames);
            return;
        }

        var reader = new FrameReader(frames);
        while (reader.TryNext())
        {
            if (reader.Type == FrameType.Beacon)
            {
                Receiver.OnBeacon(reader.Payload);
            }
        }
    }

    public void OnMessage(uint topic, ReadOnlySpan<byte> message) => _checker.OnMessage(_slot, message);

    public void OnSkipped(ulong fromSequence, ulong toSequence) => _checker.OnSkipped(_slot, fromSequence, toSequence);

    public void OnProgress(ulong packets)
    {
    }

    public void Dispose()
    {
        Receiver.Dispose();
        _output.Dispose();
    }

    private void OnReport()
    {
        _machine.Core.ScheduleIn(_report, ReportNs);
        if (Receiver.Contiguous == 0)
        {
            return;
        }

        Span<byte> frames = stackalloc byte[FrameReader.HeaderBytes + StreamPosition.PayloadBytes];
        var writer = new WireWriter(frames);
        new StreamPosition(OverloadHost.Origin, Receiver.Contiguous).Write(ref writer);
        _output.TrySend(_host, PacketClass.Control, writer.Written);
    }
}
