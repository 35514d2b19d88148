using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>One sender and one member with real seals, whose keys are used up and changed while the stream flows.</summary>
public sealed class SealedStreamTests : IStreamSource, IStreamReceiverHandler
{
    private const ulong RegionId = 5;
    private const ulong Origin = 77;
    private const uint Slot = 3;
    private readonly StreamNetwork _network = new();
    private readonly List<byte[]> _received = [];
    private int _sent;

    [Fact]
    public void Every_message_arrives_though_keys_are_used_up_and_packets_are_lost()
    {
        using var hostOpener = new PacketOpener(RegionId, Key(1));
        using var memberOpener = new PacketOpener(RegionId, Key(1));
        hostOpener.AllowSlot(Slot);
        memberOpener.AllowSlot(0);
        StreamSender? sender = null;
        StreamReceiver? receiver = null;
        StreamNetwork.Port memberData = _network.Open(new Handler(d => receiver!.OnFrames(Open(memberOpener, d))));
        StreamNetwork.Port memberControl = _network.Open(
            new Handler(d => receiver!.OnBeacon(Payload(Open(memberOpener, d), FrameType.Beacon))));
        StreamNetwork.Port hostControl = _network.Open(
            new Handler(
                d => sender!.OnNak(memberData.LocalAddress, memberControl.LocalAddress, Payload(Open(hostOpener, d), FrameType.Nak))));
        StreamNetwork.Port hostData = _network.Open(new Handler(_ => { }));
        using var hostOutput = new RegionOutput(_network.Core, _network.SinkOf(hostData), _network.SinkOf(hostControl));
        using var memberOutput = new RegionOutput(_network.Core, _network.SinkOf(memberData), _network.SinkOf(memberControl));
        using (sender = new StreamSender(_network.Core, Origin, this, hostOutput, StreamOptions.Default))
        using (receiver = new StreamReceiver(_network.Core, Origin, 1, hostControl.LocalAddress, memberOutput, this, StreamOptions.Default))
        {
            var view = new RegionView(
                RegionId,
                new ViewNumber(1, 1),
                [new RegionMember(Slot, new NodeId(0, 1), 1, memberData.LocalAddress, memberControl.LocalAddress)]);
            sender.OnView(view);
            hostOutput.SetDestinations(view);
            var random = new DeterministicRandom(9);
            _network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) => random.NextBool(0.1);
            // Twenty keys, each good for twenty packets of the host's.
            for (uint epoch = 1; epoch <= 20; epoch++)
            {
                RegionKey hostKey = Key(epoch);
                RegionKey memberKey = Key(epoch);
                if (epoch > 1)
                {
                    Assert.True(hostOpener.TryAddKey(hostKey, _network.Core.NowNs));
                    Assert.True(memberOpener.TryAddKey(memberKey, _network.Core.NowNs));
                }

                hostOutput.SetSealer(new PacketSealer(RegionId, hostKey, 0, epoch == 20 ? PacketSealer.PacketsMax : 20));
                memberOutput.SetSealer(new PacketSealer(RegionId, memberKey, Slot));
                sender.OnReady();
                _network.Run(20_000_000);
            }

            Assert.True(_network.RunUntil(() => _received.Count == 300, 10_000_000_000));
            Assert.True(hostOutput.Counters.SealsRefused >= 15);
            Assert.True(sender.Counters.Repairs > 0);
            Assert.Equal(0, memberOpener.CountOf(OpenStatus.Forged));
            Assert.Equal(
                Enumerable.Range(0, 300).Select(i => Convert.ToHexString(StreamDeliveryTests.Payload(i, 1_500))).Order(),
                _received.Select(Convert.ToHexString).Order());
        }
    }

    bool IStreamSource.TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        topic = 1;
        message = _sent < 300 ? StreamDeliveryTests.Payload(_sent, 1_500) : default;
        return _sent++ < 300;
    }

    void IStreamReceiverHandler.OnMessage(uint topic, ReadOnlySpan<byte> message) => _received.Add(message.ToArray());

    void IStreamReceiverHandler.OnSkipped(ulong fromSequence, ulong toSequence) => Assert.Fail("Nothing was given up.");

    void IStreamReceiverHandler.OnProgress(ulong packets)
    {
    }

    private static RegionKey Key(uint epoch) => new(epoch, StreamDeliveryTests.Payload((int)epoch, RegionKey.KeyBytes));

    private ReadOnlySpan<byte> Open(PacketOpener opener, Span<byte> datagram)
    {
        Assert.Equal(OpenStatus.Ok, opener.TryOpen(datagram, _network.Core.NowNs, out _, out ReadOnlySpan<byte> frames));
        return frames;
    }

    private static ReadOnlySpan<byte> Payload(ReadOnlySpan<byte> frames, FrameType type)
    {
        var reader = new FrameReader(frames);
        Assert.True(reader.TryNext());
        Assert.Equal(type, reader.Type);
        return reader.Payload;
    }

    private delegate void Take(Span<byte> datagram);

    private sealed class Handler(Take take) : IDatagramHandler
    {
        public void OnDatagram(Span<byte> datagram) => take(datagram);
    }
}
