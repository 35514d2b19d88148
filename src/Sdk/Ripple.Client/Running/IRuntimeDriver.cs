using System.Net;
using Ripple.Engine.Core;
using Ripple.Transports.Links;

namespace Ripple.Client.Running;

/// <summary>
/// The core of a runtime, and what runs and connects it: threads and sockets in a process, or a stepped simulation. Disposing of it stops
/// the core.
/// </summary>
internal interface IRuntimeDriver : IAsyncDisposable
{
    /// <summary>The core.</summary>
    CoreLoop Core { get; }

    /// <summary>Cancelled when the core stopped, for any reason: no further request is executed.</summary>
    CancellationToken Stopped { get; }

    /// <summary>The fault that stopped the core; null while it runs, and when it was stopped on purpose.</summary>
    Exception? Failure { get; }

    /// <summary>Opens a datagram port. Core thread.</summary>
    /// <param name="local">The address to bind.</param>
    /// <param name="advertised">The address others reach it at; null for the bound one.</param>
    /// <param name="lane">Which packets the port is for.</param>
    IDatagramPort OpenPort(IPAddress local, IPAddress? advertised, PortLane lane);

    /// <summary>The multicast groups of the interface with this address; null when this runtime has no multicast.</summary>
    IDatagramGroups? GroupsOn(IPAddress local);

    /// <summary>Makes a connector. Any thread.</summary>
    IClientConnector OpenConnector(LinkConnectorOptions options);
}
