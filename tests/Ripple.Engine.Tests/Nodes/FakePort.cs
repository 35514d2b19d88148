using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A datagram port that keeps what is sent; the test puts in what arrives.</summary>
internal sealed class FakePort(NodeAddress address) : IDatagramPort
{
    public NodeAddress LocalAddress { get; } = address;

    public IDatagramHandler? Handler { get; set; }

    public Action? OnWritable { get; set; }

    public bool IsDisposed { get; private set; }

    public List<(NodeAddress To, byte[] Datagram)> Sent { get; } = [];

    public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram)
    {
        Sent.Add((to, datagram.ToArray()));
        return SendStatus.Sent;
    }

    /// <summary>A copy arrives: what is opened is opened in place.</summary>
    public void Receive(ReadOnlySpan<byte> datagram) => Handler!.OnDatagram(datagram.ToArray());

    public void Dispose() => IsDisposed = true;
}
