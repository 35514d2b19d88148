using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Gms.Core;
using Ripple.Transports.Running;
using Ripple.Transports.Udp;

namespace Ripple.Gms.Server;

/// <summary>The two datagram ports of a host. Opened and disposed of on the core thread; counters from any thread.</summary>
internal sealed class HostUdpPorts : IDisposable
{
    private readonly UdpPort _data;
    private readonly UdpPort _repair;

    /// <summary>Opens both ports.</summary>
    /// <param name="runner">The core's runner.</param>
    /// <param name="options">The addresses and port numbers.</param>
    /// <param name="advertised">The address announced to nodes.</param>
    /// <exception cref="GmsServerException">A port cannot be opened; the message states the remedy.</exception>
    public HostUdpPorts(CoreRunner runner, GmsServerOptions options, IPAddress advertised)
    {
        All = new UdpPorts(runner);
        try
        {
            _data = Open(options, options.DataPort, PortLane.Data, advertised);
            _repair = Open(options, options.RepairPort, PortLane.Control, advertised);
        }
        catch
        {
            All.Dispose();
            throw;
        }
    }

    /// <summary>The services shared by the ports.</summary>
    public UdpPorts All { get; }

    /// <summary>Datagrams sent, over both ports.</summary>
    public long Sent => _data.Counters.Sent + _repair.Counters.Sent;

    /// <summary>Bytes of datagrams sent, over both ports, without UDP and IP headers.</summary>
    public long SentBytes => _data.Counters.SentBytes + _repair.Counters.SentBytes;

    /// <summary>The ports in the form that the host's core takes.</summary>
    public HostPorts ForCore(GmsMulticastOptions? multicast) => new(_data, _repair, multicast?.Range());

    public void Dispose() => All.Dispose();

    private UdpPort Open(GmsServerOptions options, int port, PortLane lane, IPAddress advertised)
    {
        try
        {
            return All.Open(new UdpPortOptions
            {
                Lane = lane,
                LocalAddress = options.ListenAddress.Address,
                Port = port,
                AdvertisedAddress = advertised,
                Multicast = lane == PortLane.Data ? options.Multicast?.Sending : null,
            });
        }
        catch (SocketException e) when (lane == PortLane.Data
            && options.Multicast is { Interface: not null }
            && e.SocketErrorCode is SocketError.AddressNotAvailable)
        {
            string text = $"Multicast cannot leave by {options.Multicast.Interface}, or the UDP port {port} of "
                + $"{options.ListenAddress.Address} "
                + $"cannot be opened ({e.Message}). Give the address of an interface of this machine.";
            throw new GmsServerException(text, e);
        }
        catch (SocketException e)
        {
            string text = $"The UDP port {port} of {options.ListenAddress.Address} cannot be opened ({e.Message}). "
                + "Stop what uses it, or give another port.";
            throw new GmsServerException(text, e);
        }
    }
}
