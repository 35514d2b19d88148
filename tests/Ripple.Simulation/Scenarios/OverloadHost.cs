using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>The sender: has a message for every packet it may send until the flood ends.</summary>
internal sealed class OverloadHost : IStreamSource, IDatagramHandler, IDisposable
{
    public const ulong Origin = 77;
    private const int MessageBytesMin = 16;
    private const int MessageBytesMax = 4_000;
    private readonly byte[] _message = new byte[MessageBytesMax];
    private readonly SimulatedMachine _machine;
    private readonly SimulatedPort _control;
    private readonly RegionOutput _output;
    private readonly ulong[] _contiguous;
    private OverloadNode[] _nodes = [];
    private RegionView _view = new(5, new ViewNumber(1, 1), []);

    public OverloadHost(SimulatedMachine machine, int nodeCount, StreamOptions options)
    {
        _machine = machine;
        _contiguous = new ulong[nodeCount];
        SimulatedPort data = machine.World.Network.Open(machine);
        _control = machine.World.Network.Open(machine, receiveBufferBytes: 4 << 20);
        _control.Handler = this;
        data.Handler = this;
        _output = new RegionOutput(machine.Core, new PortSink(machine.Core, data), new PortSink(machine.Core, _control));
        _output.SetSealer(new OverloadSealer(0));
        Sender = new StreamSender(machine.Core, Origin, this, _output, options);
    }

    public NodeAddress ControlAddress => _control.LocalAddress;

    public StreamSender Sender { get; }

    /// <summary>How many messages were given to the stream.</summary>
    public long SentCount { get; private set; }

    public bool IsFlooding { get; set; } = true;

    /// <summary>The message of a number: the number, and what follows from it.</summary>
    public static ReadOnlySpan<byte> Message(ulong number, Span<byte> room)
    {
        ulong state = number;
        Span<byte> message =
            room[..(MessageBytesMin + (int)(DeterministicRandom.SplitMix(ref state) % (MessageBytesMax - MessageBytesMin)))];
        BinaryPrimitives.WriteUInt64LittleEndian(message, number);
        for (int i = 8; i <= message.Length - 8; i += 8)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(message[i..], DeterministicRandom.SplitMix(ref state));
        }

        message[^(message.Length % 8)..].Fill((byte)state);
        return message;
    }

    public static byte[] NewRoom() => new byte[MessageBytesMax];

    public void Start(OverloadNode[] nodes)
    {
        _nodes = nodes;
        _view = _view.Next(_view.Number.Next(), [], [.. nodes.Select(n => n.AsMember())]);
        Sender.OnView(_view);
        _output.SetDestinations(_view);
        Sender.OnReady();
    }

    public void Dispose()
    {
        Sender.Dispose();
        _output.Dispose();
    }

    public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        topic = 1;
        message = default;
        if (!IsFlooding)
        {
            return false;
        }

        message = _message.AsMemory(0, Message((ulong)SentCount++, _message).Length);
        return true;
    }

    public void OnDatagram(Span<byte> datagram)
    {
        int slot = OverloadSealer.SlotOf(datagram);
        var reader = new FrameReader(OverloadSealer.Open(datagram));
        while (reader.TryNext())
        {
            if (reader.Type == FrameType.Nak)
            {
                RegionMember member = _nodes[slot - 1].AsMember();
                Sender.OnNak(member.DataAddress, member.ControlAddress, reader.Payload);
            }
            else if (StreamPosition.Read(reader.Payload, out StreamPosition position) == DecodeStatus.Ok)
            {
                // Stands for the ring: what all have.
                _contiguous[slot - 1] = Math.Max(_contiguous[slot - 1], position.Sequence);
                Sender.OnAggregate(_view.Number, _contiguous.Min());
            }
        }

        if (reader.Status != DecodeStatus.Ok)
        {
            _machine.World.Fail(OverloadChecker.DeliveryName, "a node sent frames that are malformed");
        }
    }
}
