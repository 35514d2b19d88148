using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>Reads datagrams on their way, to lose the one a test means.</summary>
internal static class PacketLoss
{
    public static PacketClass ClassOf(ReadOnlySpan<byte> datagram) => (PacketClass)datagram[1];

    public static ulong SequenceOf(ReadOnlySpan<byte> datagram)
    {
        if (ClassOf(datagram) < PacketClass.Repair)
        {
            return 0;
        }

        return StreamPosition.Peek(CopySealer.Open(datagram), out StreamPosition position) == DecodeStatus.Ok
            ? position.Sequence
            : throw new InvalidOperationException("A data packet without a position.");
    }

    /// <summary>Loses the first transmission of each of the sequences to one member.</summary>
    public static StreamNetwork.DropRule FirstOf(StreamMember member, params ulong[] sequences) =>
        (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
            to == member.DataPort.LocalAddress && ClassOf(datagram) == PacketClass.Data && sequences.Contains(SequenceOf(datagram));
}
