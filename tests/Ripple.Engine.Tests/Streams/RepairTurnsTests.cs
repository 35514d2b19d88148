using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

/// <summary>Members take turns at repairs; who waits for its own pace holds up nobody else.</summary>
public sealed class RepairTurnsTests : IStreamSource, IDisposable
{
    private const ulong Origin = 7;
    private const int Sent = 120;
    private const long MillisecondNs = 1_000_000;
    private static readonly NodeAddress Lossy = NodeAddress.FromIPv4(0x0A000001, 1);
    private static readonly NodeAddress Other = NodeAddress.FromIPv4(0x0A000002, 1);
    private readonly CoreLoop _core = new(new CoreOptions(), 1);
    private readonly HandSink _data = new();
    private readonly RegionOutput _output;
    private readonly StreamSender _sender;
    private readonly byte[] _message = new byte[1_384];
    private int _left = Sent;
    private long _nowNs;

    public RepairTurnsTests()
    {
        _output = new RegionOutput(_core, _data, new HandSink());
        _output.SetSealer(new CopySealer());
        _sender = new StreamSender(_core, Origin, this, _output, StreamOptions.Default);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    public void A_member_gets_its_repairs_while_another_waits_for_its_pace_whatever_it_is_owed_no_more(int past)
    {
        var view = new RegionView(1, new ViewNumber(1, 1), [Member(1, Lossy), Member(2, Other)]);
        _sender.OnView(view);
        _output.SetDestinations(view);
        _sender.OnReady();
        Run();
        Assert.Equal((ulong)Sent, _sender.Highest);

        ulong[] asked = [.. Enumerable.Range(10, Sent - 10).Select(i => (ulong)i)];
        while (_sender.WaitingRepairs == 0)
        {
            // It loses each repair, until its pace holds them up.
            Assert.True(_nowNs < 1_000 * MillisecondNs);
            _core.DoWork(_nowNs += 40 * MillisecondNs);
            Ask(Lossy, asked);
            Run();
        }

        Ask(Other, [.. Enumerable.Range(1, past).Select(i => (ulong)i), 100]);
        _sender.ReleaseFloor((ulong)past);
        Assert.Equal([Other], Run());
        Assert.NotEqual(0, _sender.WaitingRepairs);
    }

    bool IStreamSource.TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        topic = 1;
        message = _message;
        return _left-- > 0;
    }

    public void Dispose()
    {
        _sender.Dispose();
        _output.Dispose();
    }

    private static RegionMember Member(uint slot, NodeAddress address) => new(slot, new NodeId(0, slot), 1, address, address);

    private void Ask(NodeAddress member, ulong[] sequences) => _sender.OnNak(member, member, StreamRepairTests.Nak(Origin, sequences));

    /// <summary>Sends what may leave at this time; to whom, in order.</summary>
    private List<NodeAddress> Run()
    {
        List<NodeAddress> reached = [];
        while (_data.TryPull(out NodeAddress to, out _))
        {
            reached.Add(to);
        }

        return reached;
    }
}
