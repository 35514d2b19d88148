using Ripple.Engine.Core;
using Ripple.Engine.Tests.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Wire;

public sealed class PacketHeaderTests
{
    [Fact]
    public void The_least_packet_is_what_the_core_takes_for_one() =>
        Assert.Equal(PacketHeader.Size + PacketHeader.TagSize, PortLimits.PacketBytesMin);

    private static readonly PacketHeader Sample =
        new(PacketClass.Repair, 60, 0xA1B2C3D4, 0x0102030405060708, 0x11223344, 0x02AABBCCDDEEFF01);

    [Fact]
    public void Header_has_the_layout_on_paper()
    {
        byte[] bytes = new byte[60];
        Sample.Write(bytes);

        Assert.Equal(
            "11023C00" + "D4C3B2A1" + "0807060504030201" + "44332211" + "01FFEEDDCCBBAA02",
            Convert.ToHexString(bytes.AsSpan(0, PacketHeader.Size)));
    }

    [Fact]
    public void The_core_finds_class_and_length_where_a_header_has_them()
    {
        CoreLoop core = Cores.Make();
        var handler = new LengthHandler();
        Receive(core, PortLane.Data, handler, (PacketClass.Data, 300), (PacketClass.Repair, 60));
        Receive(core, PortLane.Control, handler, (PacketClass.Nak, 70), (PacketClass.Control, 80));

        Assert.All(Enum.GetValues<PacketClass>(), packetClass => Assert.Equal(1, core.Io.CountOf(packetClass)));
        core.DoWork(1);
        Assert.Equal([80, 70, 60, 300], handler.Lengths);
    }

    [Fact]
    public void Header_reads_back_what_was_written()
    {
        byte[] bytes = new byte[60];
        Sample.Write(bytes);

        Assert.Equal(PacketHeaderStatus.Ok, PacketHeader.TryRead(bytes, out PacketHeader read));
        Assert.Equal(Sample, read);
    }

    [Theory]
    [InlineData(0, 0x71, nameof(PacketHeaderStatus.WrongVersion))]
    [InlineData(0, 0x12, nameof(PacketHeaderStatus.WrongVersion))]
    [InlineData(1, 0x06, nameof(PacketHeaderStatus.ReservedBits))]
    [InlineData(1, 0x82, nameof(PacketHeaderStatus.ReservedBits))]
    [InlineData(1, 0x03, nameof(PacketHeaderStatus.WrongCounter))]
    [InlineData(27, 0x12, nameof(PacketHeaderStatus.WrongCounter))]
    [InlineData(2, 0x3B, nameof(PacketHeaderStatus.WrongLength))]
    [InlineData(3, 0x01, nameof(PacketHeaderStatus.WrongLength))]
    public void A_changed_header_is_refused_by_name(int offset, byte value, string expected)
    {
        byte[] bytes = new byte[60];
        Sample.Write(bytes);
        bytes[offset] = value;

        Assert.Equal(Enum.Parse<PacketHeaderStatus>(expected), PacketHeader.TryRead(bytes, out _));
    }

    [Fact]
    public void Number_zero_is_refused()
    {
        byte[] bytes = new byte[60];
        (Sample with { Counter = 0x0200000000000000 }).Write(bytes);

        Assert.Equal(PacketHeaderStatus.WrongCounter, PacketHeader.TryRead(bytes, out _));
    }

    [Fact]
    public void Every_truncation_and_every_extension_is_refused()
    {
        byte[] bytes = new byte[200];
        Sample.Write(bytes);
        for (int length = 0; length <= bytes.Length; length++)
        {
            PacketHeaderStatus expected = length < PacketHeader.Size + PacketHeader.TagSize ? PacketHeaderStatus.TooShort
                : length == Sample.Length ? PacketHeaderStatus.Ok
                : PacketHeaderStatus.WrongLength;
            Assert.Equal(expected, PacketHeader.TryRead(bytes.AsSpan(0, length), out _));
        }
    }

    /// <summary>Gives the core a train of packets of which only the header is written.</summary>
    private static void Receive(CoreLoop core, PortLane lane, IDatagramHandler handler, params (PacketClass Class, int Bytes)[] packets)
    {
        int bytes = packets.Sum(p => p.Bytes);
        Assert.True(core.Io.TryReserve(lane, bytes, out Span<byte> room));
        room.Clear();
        foreach ((PacketClass packetClass, int length) in packets)
        {
            (Sample with { Class = packetClass, Length = length }).Write(room);
            room = room[length..];
        }

        Assert.Equal(packets.Length, core.Io.Commit(lane, bytes, handler));
    }

    private sealed class LengthHandler : IDatagramHandler
    {
        public List<int> Lengths { get; } = [];

        public void OnDatagram(Span<byte> datagram) => Lengths.Add(datagram.Length);
    }
}
