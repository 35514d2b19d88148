using System.Net;

namespace Ripple.Transports.Udp;

/// <summary>A destination as a port knows it. Core thread.</summary>
/// <param name="address">The address in the kernel's form; null when a socket of the port's family cannot reach it.</param>
internal sealed class Destination(SocketAddress? address)
{
    /// <summary>The address in the kernel's form; null when a socket of the port's family cannot reach it.</summary>
    public SocketAddress? Address { get; } = address;

    /// <summary>
    /// True until the kernel refused a train to it whose packets it then took one by one: a path of smaller packets, or an interface that
    /// cannot split. What is refused to this destination says nothing of the others.
    /// </summary>
    public bool TakesTrains { get; set; } = true;
}
