using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Stack;
using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>One node: floods the others, counts what comes, reports to the host. Its rules are virtual for tests that break them.</summary>
internal class FloodNode : IDatagramFeed, IDatagramHandler, ILinkConnectResult, ILinkHandler, IMachineResource, IDisposable
{
    public const int KeptMax = 64;
    private const int HeaderBytes = 24;
    private const int BurstCount = 8;
    private const long BurstNs = 10_000_000;
    private const long ReportNs = 100_000_000;
    private readonly SimulatedMachine _machine;
    private readonly FloodChecker _flood;
    private readonly SimulatedPort _port;
    private readonly PortSink _sink;
    private readonly Alarm _burst;
    private readonly Alarm _report;
    private readonly ILinkConnector _connector;
    private readonly Queue<ulong> _kept = new();
    private readonly ulong _key;
    private ILink? _link;
    private ulong _reportNumber;
    private int _left;

    public FloodNode(SimulatedMachine machine, SimulatedPort port, FloodChecker flood)
    {
        _machine = machine;
        _flood = flood;
        _port = port;
        _key = FloodChecker.KeyOf(machine);
        _port.Handler = this;
        _sink = new PortSink(machine.Core, _port);
        _burst = new Alarm(OnBurst);
        _report = new Alarm(OnReport);
        _connector = machine.World.Control.CreateConnector(machine);
    }

    public int KeptCount => _kept.Count;

    /// <summary>How many numbers it keeps.</summary>
    protected virtual int KeepMax => KeptMax;

    public void Start()
    {
        _machine.Attach(this);
        _flood.SetAddress(_machine, _port.LocalAddress);
        _machine.Core.ScheduleIn(_burst, _machine.Core.Random.NextInt64(BurstNs));
        _machine.Core.ScheduleIn(_report, ReportNs);
        Connect();
    }

    public void OnCrash(bool isSilent) => Dispose();

    public void Dispose() => _sink.Dispose();

    public bool TryPull(ref DatagramSlot slot)
    {
        if (_left == 0)
        {
            return false;
        }

        _left--;
        int target = _machine.Core.Random.NextInt32(_flood.NodeCount);
        Span<byte> datagram = slot.Scratch[..(HeaderBytes + _machine.Core.Random.NextInt32(1_200))];
        datagram.Clear();
        datagram[0] = 0x11;
        datagram[1] = (byte)PacketClass.Data;
        BinaryPrimitives.WriteUInt64LittleEndian(datagram[8..], _key);
        BinaryPrimitives.WriteUInt64LittleEndian(datagram[16..], FloodChecker.Sealed(_key, _flood.NextNumber(_key)));
        slot.Bytes = datagram;
        slot.To = _flood.AddressOf(target);
        return true;
    }

    public void OnDatagram(Span<byte> datagram)
    {
        ulong key = BinaryPrimitives.ReadUInt64LittleEndian(datagram[8..]);
        if (!FloodChecker.TryOpen(key, BinaryPrimitives.ReadUInt64LittleEndian(datagram[16..]), out ulong number))
        {
            return;
        }

        _kept.Enqueue(number);
        if (_kept.Count > KeepMax)
        {
            _kept.Dequeue();
        }

        for (int i = 0; i < CountOf(number); i++)
        {
            _flood.OnReceived(key, number);
        }
    }

    public void OnConnected(ILink link)
    {
        _link = link;
        _reportNumber = 0;
        link.Handler = this;
    }

    public void OnConnectFailed(LinkConnectFailure failure, string text, string? leader) =>
        _machine.Core.ScheduleIn(new Alarm(Connect), ReportNs);

    public void OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
    }

    public void OnWritable()
    {
    }

    public void OnClosed(string reason)
    {
        _link = null;
        Connect();
    }

    /// <summary>How often it counts a datagram.</summary>
    protected virtual int CountOf(ulong number) => 1;

    /// <summary>The number of the report after another one.</summary>
    protected virtual ulong ReportAfter(ulong number) => number + 1;

    private void Connect() => _connector.Connect("host:7400", this);

    private void OnBurst()
    {
        _left = BurstCount;
        _sink.Register(this, PacketClass.Data);
        _machine.Core.ScheduleIn(_burst, BurstNs);
    }

    private void OnReport()
    {
        _machine.Core.ScheduleIn(_report, ReportNs);
        Span<byte> body = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64LittleEndian(body, _reportNumber + 1);
        if (_link?.TrySend(FloodHost.ReportType, body) == true)
        {
            _reportNumber = ReportAfter(_reportNumber);
        }
    }
}
