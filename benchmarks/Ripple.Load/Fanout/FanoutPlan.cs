using System.Net;
using Ripple.Load.Fanout.Net;
using Ripple.Transports.Udp;

namespace Ripple.Load.Fanout;

/// <summary>One parameter set, and where its sockets are: the same in both processes.</summary>
/// <param name="Options">What was asked for.</param>
/// <param name="Receivers">How many receivers.</param>
/// <param name="LabId">The process that made the network namespaces; 0: all is on the loopback.</param>
/// <param name="Key">The region's key; null: nothing is sealed.</param>
internal sealed record FanoutPlan(FanoutOptions Options, int Receivers, int LabId, byte[]? Key)
{
    private const int RawGroupPort = 9100;
    private static readonly IPAddress RawGroupAddress = new([239, 77, 1, 1]);

    /// <summary>The group that raw receivers join; null: unicast.</summary>
    public IPEndPoint? RawGroup => Options.IsMulticast ? new IPEndPoint(RawGroupAddress, RawGroupPort) : null;

    /// <summary>The namespace of the sender (0) or a receiver (from 1); null: none.</summary>
    public string? NamespaceOf(int index) => LabId == 0 ? null : NetnsLab.NameOf(LabId, index);

    public IPAddress AddressOf(int index) => LabId == 0 ? IPAddress.Loopback : NetnsLab.AddressOf(index);

    public UdpPortOptions SenderDataPort() => new() { LocalAddress = AddressOf(0) };

    public UdpPortOptions ReceiverDataPort(int index) => new() { LocalAddress = AddressOf(index) };

    public UdpPortOptions ControlPort(int index) => new() { LocalAddress = AddressOf(index) };
}
