using System.Net;
using Ripple.Engine.Core;
using Ripple.Load.Fanout.Net;
using Ripple.Transports.Udp;

namespace Ripple.Load.Fanout;

/// <summary>One parameter set, and where its sockets are: the same in both processes.</summary>
/// <param name="Options">What was asked for.</param>
/// <param name="Receivers">How many receivers.</param>
/// <param name="Topics">How many topics, in turn.</param>
/// <param name="Index">Which one it is of those that are measured in turn, and have sockets at the same time.</param>
/// <param name="LabId">The process that made the network namespaces; 0: all is on the loopback.</param>
/// <param name="Key">The region's key; null: nothing is sealed.</param>
internal sealed record FanoutPlan(FanoutOptions Options, int Receivers, int Topics, int Index, int LabId, byte[]? Key)
{
    private const int GroupPort = 9100;
    private readonly IPAddress _rawGroup = new([239, 77, (byte)(Index + 1), 1]);
    private readonly IPAddress _engineGroup = new([239, 77, (byte)(Index + 1), 2]);

    /// <summary>The group that raw receivers join; null: unicast.</summary>
    public IPEndPoint? RawGroup => Options.IsMulticast ? new IPEndPoint(_rawGroup, GroupPort) : null;

    /// <summary>The namespace of the sender (0) or a receiver (from 1); null: none.</summary>
    public string? NamespaceOf(int index) => LabId == 0 ? null : NetnsLab.NameOf(LabId, index);

    public IPAddress AddressOf(int index) => LabId == 0 ? IPAddress.Loopback : NetnsLab.AddressOf(index);

    /// <summary>The group that the engine's receivers join; null: unicast.</summary>
    public IPEndPoint? EngineGroup => Options.IsMulticast ? new IPEndPoint(_engineGroup, GroupPort) : null;

    /// <summary>A node's port for data and repairs.</summary>
    public UdpPortOptions DataPort(int index) => new()
    {
        LocalAddress = AddressOf(index),
        AreTrainsUsed = Options.AreTrainsUsed,
        Multicast = index == 0 && Options.IsMulticast ? new UdpMulticastOptions { IsLoopedBack = LabId == 0 } : null,
    };

    /// <summary>A node's port for control packets and requests for repair.</summary>
    public UdpPortOptions ControlPort(int index) => new() { LocalAddress = AddressOf(index), Lane = PortLane.Control };

    /// <summary>A receiver's port for what is sent to the group.</summary>
    public UdpGroupOptions GroupPortOf(int index) => new()
    {
        Group = _engineGroup,
        Port = GroupPort,
        Interface = AddressOf(index),
        AreTrainsUsed = Options.AreTrainsUsed,
    };
}
