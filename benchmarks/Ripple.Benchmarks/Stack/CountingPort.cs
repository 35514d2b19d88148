using Ripple.Engine.Core;

namespace Ripple.Benchmarks.Stack;

/// <summary>A port that takes everything, and counts.</summary>
internal sealed class CountingPort : IDatagramPort
{
    public NodeAddress LocalAddress { get; } = NodeAddress.FromIPv4(0x7F000001, 7_000);

    public IDatagramHandler? Handler { get; set; }

    public Action? OnWritable { get; set; }

    public long Datagrams { get; private set; }

    public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram)
    {
        Datagrams++;
        return SendStatus.Sent;
    }

    public SendStatus SendTrain(in NodeAddress to, ReadOnlySpan<byte> train, int packetBytes, out int doneBytes)
    {
        Datagrams += (train.Length + packetBytes - 1) / packetBytes;
        doneBytes = train.Length;
        return SendStatus.Sent;
    }

    public void Dispose()
    {
    }
}
